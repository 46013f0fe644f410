// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsPlatform
import ClaimsTestSupport
import Synchronization
import Testing

/// A leader's folder as nginx serves it by the examples of the package, behind a second nginx that caches.
@Suite(.enabled(if: Files.exists(Nginx.program))) struct FleetProxyTests {
    @Test("records come through nginx and a caching proxy, with their age") func proxied() throws {
        let folder = try TemporaryFolder(prefix: "claims-fleet-served")
        let server = try Nginx("nginx-leader.conf", ["/var/lib/claimsd-fleet": folder.path])
        let proxy = try Nginx(
            "nginx-proxy.conf",
            [
                "https://desk-a.example/": "http://127.0.0.1:\(server.port)/",
                "https://desk-b.example/": "http://127.0.0.1:\(server.port)/",
                "proxy_cache_path /var/cache/nginx-fleet": "proxy_cache_path cache",
            ])
        try server.start()
        try proxy.start()
        let fleet = try FleetHosts(
            folder: { _ in folder.path }, url: { _ in "http://127.0.0.1:\(proxy.port)/desk-a/north/" })
        try fleet.start()
        try fleet.wait("depot", for: "records") { $0["total"]?.integer == 3 }
        #expect(try fleet.meta("depot")["as_of"] == (try fleet.meta("desk-a")["as_of"]))
        try fleet.upstream.folder.write("units.json", FleetHosts.units(5))
        _ = try fleet.refresh("desk-a")
        try fleet.wait("depot", for: "the change") { $0["total"]?.integer == 5 }
        #expect(try fleet.meta("depot")["last_error"] == .null)
    }

    @Test("nginx accepts both examples with a certificate", arguments: ["nginx-leader.conf", "nginx-proxy.conf"])
    func accepted(name: String) throws {
        let authority = try CertificateAuthority()
        let certificate = try authority.issue("server")
        let isProxy = name == "nginx-proxy.conf"
        let host = isProxy ? "fleet" : "desk-a"
        var site = [
            "/etc/ssl/certs/\(host).pem": certificate.path, "/etc/ssl/private/\(host).key": certificate.keyPath,
        ]
        if isProxy {
            // Names that no name service knows are refused.
            for leader in ["desk-a", "desk-b"] { site["https://\(leader).example/"] = "https://127.0.0.1/" }
            site["/etc/ssl/certs/ca-certificates.crt"] = authority.root.path
            site["proxy_cache_path /var/cache/nginx-fleet"] = "proxy_cache_path cache"
        }
        let nginx = try Nginx(name, site, usesTLS: true)
        #expect(try nginx.check(), "\(nginx.messages)")
    }
}

/// nginx with one of the examples of the package; ended with this object.
final class Nginx: Sendable {
    static let program = "/usr/sbin/nginx"
    let port: UInt16
    private let folder: TemporaryFolder
    private let process = Mutex<ChildProcess?>(nil)

    /// - Parameters:
    ///   - example: the name of the example, which gets a free port.
    ///   - site: texts of the example, each with what takes its place.
    init(_ example: String, _ site: [String: String], usesTLS: Bool = false) throws {
        folder = try TemporaryFolder(prefix: "claims-nginx")
        port = try LoopbackSocket.silentListener().port
        var text = try FleetExample.text(
            example, replacing: ["listen 443 ssl;": "listen 127.0.0.1:\(port)\(usesTLS ? " ssl" : "");"],
            without: usesTLS ? [] : ["ssl_", "proxy_ssl_"])
        for (before, after) in site {
            guard text.contains(before) else { throw TestFailure("\(example) has no '\(before)'") }
            text = text.replacing(before, with: after)
        }
        try folder.write(
            "nginx.conf",
            """
            daemon off; master_process off; pid \(folder("pid")); error_log \(folder("error")) crit;
            events {}
            http {
                access_log off;
                client_body_temp_path \(folder("body")); proxy_temp_path \(folder("proxy"));
                fastcgi_temp_path \(folder("f")); uwsgi_temp_path \(folder("u")); scgi_temp_path \(folder("s"));
                \(text)
            }
            """)
    }

    deinit {
        process.withLock { process in process = nil }
    }

    func start() throws {
        try process.withLock { process in process = try run([]) }
    }

    /// Stops it: from now on its port is closed.
    func stop() { process.withLock { $0 = nil } }

    /// Whether nginx accepts the configuration (`nginx -t`).
    func check() throws -> Bool { try run(["-t"]).wait() == .exited(0) }

    /// All that it has written.
    var messages: String { (try? folder.read("output")) ?? "" }

    private func run(_ more: [String]) throws -> ChildProcess {
        let output = try FileDescriptor.open(folder("output"), .append(permissions: 0o600))
        return try ChildProcess(
            Self.program, ["-c", folder("nginx.conf"), "-p", folder.path] + more, output: output.raw,
            error: output.raw)
    }
}
