// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsPlatform
import ClaimsTestSupport
import Synchronization
import Testing

/// A leader's folder as the manual has nginx serve it, behind a second nginx that caches.
@Suite struct FleetProxyTests {
    /// A running nginx; ended with this object.
    private final class Nginx: Sendable {
        private static let program = "/usr/sbin/nginx"
        let folder: TemporaryFolder
        let port: UInt16
        private let process: Mutex<ChildProcess?>

        /// - Parameter server: what stands in `server`, of the port that is free.
        init(_ server: String) throws {
            folder = try TemporaryFolder(prefix: "claims-nginx")
            port = try Self.freePort()
            try folder.write(
                "nginx.conf",
                """
                daemon off; master_process off; pid \(folder("pid")); error_log \(folder("error")) crit;
                events {}
                http {
                    access_log off;
                    client_body_temp_path \(folder("body")); proxy_temp_path \(folder("proxy"));
                    fastcgi_temp_path \(folder("f")); uwsgi_temp_path \(folder("u")); scgi_temp_path \(folder("s"));
                    proxy_cache_path \(folder("cache")) keys_zone=fleet:1m;
                    server { listen 127.0.0.1:\(port); \(server) }
                }
                """)
            let silence = try FileDescriptor.temporary(in: "/tmp")
            process = Mutex(
                try ChildProcess(
                    Self.program, ["-c", folder("nginx.conf"), "-p", folder.path], output: silence.raw,
                    error: silence.raw))
        }

        deinit {
            process.withLock { process in process = nil }
        }

        private static func freePort() throws -> UInt16 { try LoopbackSocket.silentListener().port }
    }

    private static func location(of path: String) -> String {
        """
        location /north/ {
            alias \(path)/;
            location = /north/head { alias \(path)/head; add_header Cache-Control "max-age=2"; }
        }
        """
    }

    @Test("records come through nginx and a caching proxy, with their age") func proxied() throws {
        let folder = try TemporaryFolder(prefix: "claims-fleet-served")
        let server = try Nginx(Self.location(of: folder.path))
        let proxy = try Nginx(
            "location / { proxy_pass http://127.0.0.1:\(server.port); proxy_cache fleet; proxy_cache_valid 404 1s; }")
        let fleet = try FleetHosts(folder: folder.path) { _ in "http://127.0.0.1:\(proxy.port)/north/" }
        try fleet.start()
        try fleet.wait("depot", for: "records") { $0["total"]?.integer == 3 }
        #expect(try fleet.meta("depot")["as_of"] == (try fleet.meta("desk-a")["as_of"]))
        try fleet.upstream.folder.write("units.json", FleetHosts.units(5))
        _ = try fleet.refresh("desk-a")
        try fleet.wait("depot", for: "the change") { $0["total"]?.integer == 5 }
        #expect(try fleet.meta("depot")["last_error"] == .null)
    }
}
