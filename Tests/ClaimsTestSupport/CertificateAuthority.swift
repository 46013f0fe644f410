// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsPlatform

/// A private certificate authority with certificates of its own making, as PEM files of a folder; made by openssl.
public final class CertificateAuthority: Sendable {
    private static let program = "/usr/bin/openssl"
    public static var isInstalled: Bool { Files.exists(program) }

    /// A certificate and its key.
    public struct Certificate: Sendable {
        public let path: String
        public let keyPath: String

        public var text: String { get throws { try Files.readText(path, cap: 1 << 16) } }
        public var key: String { get throws { try Files.readText(keyPath, cap: 1 << 16) } }
    }

    private let folder: TemporaryFolder
    /// The authority's own certificate.
    public let root: Certificate

    public init(_ name: String = "Test authority") throws {
        folder = try TemporaryFolder(prefix: "claims-authority")
        root = Certificate(path: folder("ca.pem"), keyPath: folder("ca.key"))
        try Self.make(
            ["req", "-x509"] + Self.newKey(root, name) + ["-days", "2", "-addext", "basicConstraints=critical,CA:TRUE"])
    }

    /// A certificate for 127.0.0.1, and for a client called `name`.
    /// - Parameter days: its life; from yesterday back if it is not positive.
    public func issue(_ name: String, address: String = "127.0.0.1", days: Int = 2) throws -> Certificate {
        let certificate = Certificate(path: folder("\(name).pem"), keyPath: folder("\(name).key"))
        let request = Certificate(path: folder("\(name).csr"), keyPath: certificate.keyPath)
        try Self.make(["req"] + Self.newKey(request, name) + ["-addext", "subjectAltName=IP:\(address)"])
        try Self.make([
            "x509", "-req", "-in", request.path, "-CA", root.path, "-CAkey", root.keyPath, "-days", "\(days)",
            "-copy_extensions", "copyall", "-out", certificate.path,
        ])
        return certificate
    }

    private static func newKey(_ certificate: Certificate, _ name: String) -> [String] {
        [
            "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-subj", "/CN=\(name)",
            "-keyout", certificate.keyPath, "-out", certificate.path,
        ]
    }

    private static func make(_ arguments: [String]) throws {
        let silence = try FileDescriptor.temporary(in: "/tmp")
        let process = try ChildProcess(program, arguments, output: silence.raw, error: silence.raw)
        guard process.wait() == .exited(0) else { throw TestFailure("openssl fails: \(arguments.prefix(2))") }
    }
}
