// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import CBench
import ClaimsPlatform
import Glibc

/// nginx with a folder at each of some addresses, whose requests it logs.
final class FleetWeb {
    private let home: String
    private let ports: [UInt16]
    private let service: BackgroundProcess

    private static let name = "nginx"

    /// - Returns: nil where nginx is not installed.
    init?(home: String, folders: [String]) throws {
        guard let program = InstalledProgram.path(Self.name) else { return nil }
        self.home = home
        ports = try folders.map { _ in try Self.freePort() }
        try Directory.create(home)
        let servers = zip(ports, folders).enumerated().map { index, server in
            """
            server { listen 127.0.0.1:\(server.0); root \(server.1); access_log \(home)/requests\(index) plain; }
            """
        }
        let drafts = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map { "\($0)_temp_path \(home)/\($0);" }
        let text = """
            daemon off; master_process off; pid \(home)/pid; error_log \(home)/errors;
            events {}
            http { sendfile on; log_format plain '$status $uri'; \((drafts + servers).joined(separator: " ")) }

            """
        let settings = Paths.join(home, "nginx.conf")
        try Files.writeAtomically(settings, Array(text.utf8))
        service = try BackgroundProcess(
            Self.name, program, ["-c", settings, "-e", "\(home)/errors"], log: Paths.join(home, "log"))
    }

    private static func freePort() throws -> UInt16 {
        var port: UInt16 = 0
        let raw = unsafe bench_listen(&port)
        guard raw >= 0 else { throw SystemError.last("listen at 127.0.0.1") }
        _ = FileDescriptor(owning: raw)
        return port
    }

    /// The address of a folder.
    func address(_ index: Int) -> String { "http://127.0.0.1:\(ports[index])/" }

    /// The requests for files of a folder so far: status and path of each.
    func requests(_ index: Int) -> [Substring] {
        ((try? Files.readText(Paths.join(home, "requests\(index)"), cap: 1 << 26)) ?? "").split(separator: "\n")
    }

    func stop() { service.stop() }
}
