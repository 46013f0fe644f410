// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import ClaimsPlatform
import ClaimsTestSupport
import ClaimsUpstream
import Glibc
import Testing

/// Authorities and certificates of single requests.
@Suite(.enabled(if: SecureServer.isInstalled, "needs /usr/bin/openssl"))
struct CertificateTests {
    private let spool: TemporaryFolder
    private let client: Certificate
    private let other: Certificate

    /// A certificate that is its own authority, with its key.
    private struct Certificate {
        let path: String
        let bytes: [UInt8]
        let key: [UInt8]

        init(_ name: String, in folder: TemporaryFolder) throws {
            let silence = try FileDescriptor.open("/dev/null", .update)
            path = folder("\(name).pem")
            let make = try ChildProcess(
                SecureServer.program,
                [
                    "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days",
                    "2", "-subj", "/CN=\(name)", "-keyout", folder("\(name).key"), "-out", path,
                ], output: silence.raw, error: silence.raw)
            guard make.wait() == .exited(0) else { throw TestFailure("openssl makes no certificate") }
            bytes = try Files.readAll(path, cap: 1 << 16)
            key = try Files.readAll(folder("\(name).key"), cap: 1 << 16)
        }
    }

    init() throws {
        spool = try TemporaryFolder()
        client = try Certificate("client", in: spool)
        other = try Certificate("other", in: spool)
    }

    private static let good = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\n[]"

    /// A server that asks for the client's certificate.
    private func server() throws -> SecureServer {
        try SecureServer(
            ["good.json": Self.good],
            options: ["-Verify", "1", "-verify_return_error", "-CAfile", client.path])
    }

    private func fetch(
        _ url: String, _ security: HTTPSecurity, authorities: String? = nil
    ) throws(HTTPError) -> HTTPResponse {
        let client = try HTTPClient(spoolDirectory: spool.path, authorities: authorities)
        var request = HTTPRequest(url: url)
        request.security = security
        return try client.perform(request)
    }

    private func reading(_ server: SecureServer) throws -> HTTPSecurity.Authorities {
        .bytes(try Files.readAll(server.certificate, cap: 1 << 16))
    }

    @Test func `the authorities of a request count in place of all others`() throws {
        let server = try SecureServer(["good.json": Self.good])
        let url = server.url("good.json")
        #expect(try fetch(url, HTTPSecurity(authorities: reading(server))).body.text == "[]")
        #expect(try fetch(url, HTTPSecurity(authorities: .file(server.certificate))).body.text == "[]")
        let error = failure { () throws(HTTPError) in
            _ = try fetch(url, HTTPSecurity(authorities: .bytes(other.bytes)), authorities: server.certificate)
        }
        #expect(error?.kind == .tls)
    }

    @Test func `a certificate is shown with its key, which may be in the same file`() throws {
        let server = try server()
        let url = server.url("good.json")
        var security = HTTPSecurity(authorities: try reading(server), certificate: client.bytes, key: client.key)
        #expect(try fetch(url, security).body.text == "[]")
        security.certificate = client.bytes + client.key
        security.key = nil
        #expect(try fetch(url, security).body.text == "[]")
        security.certificate = nil
        #expect(failure { () throws(HTTPError) in _ = try fetch(url, security) }?.kind == .tls)
    }

    @Test func `a key that does not fit its certificate ends the request before it begins`() throws {
        let server = try server()
        for (certificate, key) in [
            (client.bytes, other.key), (client.bytes, Array("no key".utf8)), (Array("no certificate".utf8), client.key),
        ] {
            let security = HTTPSecurity(authorities: try reading(server), certificate: certificate, key: key)
            let error = failure { () throws(HTTPError) in _ = try fetch(server.url("good.json"), security) }
            #expect(error?.kind == .credential)
            var write = HTTPWriteRequest(.post, url: server.url("good.json"))
            write.security = security
            #expect(HTTPWriter().send(write).unsent?.kind == .credential)
        }
    }

    @Test func `a write shows its certificate, and trusts its authorities`() throws {
        let server = try server()
        var write = HTTPWriteRequest(.get, url: server.url("good.json"))
        write.security = HTTPSecurity(
            authorities: try reading(server), certificate: client.bytes, key: client.key)
        #expect(HTTPWriter().send(write).answer?.status == 200)
        write.security.authorities = .bytes(other.bytes)
        #expect(HTTPWriter().send(write).unsent?.kind == .tls)
    }

    @Test func `a certificate is not shown where a redirect leads, and its authorities still count`() throws {
        let away = try server()
        let home = try SecureServer([
            "good.json":
                "HTTP/1.1 302 X\r\nLocation: \(away.url("good.json"))\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
        ])
        let both = try Files.readAll(home.certificate, cap: 1 << 16) + Files.readAll(away.certificate, cap: 1 << 16)
        let security = HTTPSecurity(authorities: .bytes(both), certificate: client.bytes, key: client.key)
        #expect(try fetch(away.url("good.json"), security).body.text == "[]")
        let error = failure { () throws(HTTPError) in _ = try fetch(home.url("good.json"), security) }
        #expect(error?.kind == .tls)
    }
}
