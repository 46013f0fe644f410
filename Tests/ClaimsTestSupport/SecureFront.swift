// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsPlatform

/// A real TLS server before the plain port of an upstream; needs /usr/bin/python3 and openssl.
public final class SecureFront: Sendable {
    /// How a client without a certificate learns that it needs one.
    public enum Refusal: String, Sendable {
        /// By a TLS alert.
        case refuse
        /// The connection ends.
        case hangUp = "hang_up"
    }

    public let port: UInt16
    private let process: RunningProgram

    public static var isInstalled: Bool { CertificateAuthority.isInstalled && Files.exists("/usr/bin/python3") }

    /// - Parameters:
    ///   - certificate: what it shows to clients.
    ///   - clients: the authority of the clients' certificates; nil if none is asked for.
    public init(
        to port: UInt16, _ certificate: CertificateAuthority.Certificate, clients: CertificateAuthority? = nil,
        refusal: Refusal = .refuse
    ) throws {
        let script = Paths.join(Repository.root, "Tests/Python/secure_front.py")
        process = try RunningProgram(
            "/usr/bin/python3",
            [script, "\(port)", certificate.path, certificate.keyPath, clients?.root.path ?? "", refusal.rawValue],
            environment: ["PATH=/usr/bin", "PYTHONDONTWRITEBYTECODE=1"])
        let line = try process.readLine()
        guard let port = UInt16(line) else { throw TestFailure("the secure server says \(line)") }
        self.port = port
    }

    public func url(_ name: String) -> String { "https://127.0.0.1:\(port)/\(name)" }

    /// The client of the next connection by its certificate: "-" without one, "?" where no connection came about.
    public func nextClient() throws -> String { try process.readLine() }
}
