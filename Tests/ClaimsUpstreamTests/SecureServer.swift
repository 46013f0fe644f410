// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsPlatform
import ClaimsTestSupport
import Glibc

/// A real https server, openssl's, that sends the files of a folder as whole answers; nil where there is no openssl.
final class SecureServer: Sendable {
    static let program = "/usr/bin/openssl"
    static var isInstalled: Bool { Files.exists(program) }

    let port: UInt16
    private let folder: TemporaryFolder
    private let process: ChildProcess

    /// The certificate, to be trusted: it is its own authority, for 127.0.0.1.
    var certificate: String { folder("certificate.pem") }

    /// - Parameters:
    ///   - answers: whole HTTP answers, by the names they are asked for.
    ///   - options: further options of openssl s_server.
    ///   - isExpired: whether the certificate has been valid until yesterday.
    init(_ answers: [String: String], options: [String] = [], isExpired: Bool = false) throws {
        folder = try TemporaryFolder()
        for (name, answer) in answers { try folder.write(name, answer) }
        let make = try ChildProcess(
            Self.program,
            [
                "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
                "-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", folder("key.pem"),
                "-out", folder("certificate.pem"),
            ], output: Self.silence, error: Self.silence)
        guard make.wait() == .exited(0) else { throw TestFailure("openssl makes no certificate") }
        if isExpired { try Self.expire(in: folder) }
        let output = try FileDescriptor.pipe()
        process = try ChildProcess(
            Self.program,
            ["s_server", "-accept", "127.0.0.1:0", "-HTTP", "-cert", "certificate.pem", "-key", "key.pem"]
                + options,
            directory: folder.path, input: Self.silence, output: output.writing.raw, error: Self.silence)
        port = try Self.port(output.keepReading())
    }

    /// Signs the certificate anew, with an end that has passed.
    private static func expire(in folder: TemporaryFolder) throws {
        let sign = try ChildProcess(
            program,
            [
                "x509", "-in", folder("certificate.pem"), "-signkey", folder("key.pem"), "-days", "-1", "-out",
                folder("certificate.pem"),
            ], output: silence, error: silence)
        guard sign.wait() == .exited(0) else { throw TestFailure("openssl makes no old certificate") }
    }

    func url(_ name: String) -> String { "https://127.0.0.1:\(port)/\(name)" }

    /// Reads "ACCEPT 127.0.0.1:PORT".
    private static func port(_ output: consuming FileDescriptor) throws -> UInt16 {
        var text: [UInt8] = []
        var byte: [UInt8] = [0]
        while try output.wait(for: .read, timeout: LineClient.timeout), try output.read(into: &byte) == 1 {
            guard byte[0] == 0x0a else {
                text.append(byte[0])
                continue
            }
            let line = String(decoding: text, as: UTF8.self)
            if line.hasPrefix("ACCEPT"), let port = line.split(separator: ":").last.flatMap({ UInt16($0) }) {
                return port
            }
            text = []
        }
        throw TestFailure("openssl does not listen")
    }

    private static let silence = unsafe open("/dev/null", O_RDWR | O_CLOEXEC)
}
