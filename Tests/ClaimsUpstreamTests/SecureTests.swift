// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import ClaimsTestSupport
import ClaimsUpstream
import Testing

@Suite(.enabled(if: SecureServer.isInstalled, "needs /usr/bin/openssl"))
struct SecureTests {
    private let server: SecureServer
    private let plain: UpstreamProcess
    private let spool: TemporaryFolder

    init() throws {
        plain = try UpstreamProcess(["records.json": Fixture.records])
        spool = try TemporaryFolder()
        server = try SecureServer([
            "good.json": "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\n[]",
            "down": "HTTP/1.1 302 Elsewhere\r\nLocation: \(plain.url("records.json"))\r\nContent-Length: 0\r\n\r\n",
            "cut": "HTTP/1.1 200 OK\r\nContent-Length: 20\r\nConnection: close\r\n\r\n[]",
        ])
    }

    private func fetch(_ url: String, trusts: Bool = true) throws(HTTPError) -> HTTPResponse {
        let client = try HTTPClient(
            spoolDirectory: spool.path, authorities: trusts ? server.certificate : nil)
        return try client.perform(HTTPRequest(url: url))
    }

    @Test func `a server whose certificate is trusted is asked`() throws {
        #expect(try fetch(server.url("good.json")).body.text == "[]")
    }

    @Test func `a certificate that nobody vouches for is refused`() throws {
        let error = failure { () throws(HTTPError) in _ = try fetch(server.url("good.json"), trusts: false) }
        #expect(error?.reason == .insecure)
        #expect(error?.kind == .tls)
        #expect(error?.cause == .untrusted)
    }

    @Test func `a certificate for another name is refused`() throws {
        let error = failure { () throws(HTTPError) in _ = try fetch("https://localhost:\(server.port)/good.json") }
        #expect(error?.kind == .tls && error?.cause == .name)
    }

    @Test func `a server that speaks no TLS is refused`() throws {
        let error = failure { () throws(HTTPError) in _ = try fetch("https://127.0.0.1:\(plain.port)/records.json") }
        #expect(error?.kind == .tls && error?.cause == .handshake)
    }

    @Test func `nothing leads from https to http`() throws {
        let error = failure { () throws(HTTPError) in _ = try fetch(server.url("down")) }
        #expect(error?.reason == .redirectToPlain)
        #expect(error?.kind == .redirect)
        let first = try fetch(server.url("good.json"))
        let page = failure { () throws(HTTPError) in
            _ = try HTTPRequest(url: first.effectiveURL).following(plain.url("records.json"), from: first)
        }
        #expect(page?.kind == .redirect)
        #expect(try plain.requests("records.json").isEmpty)
    }

    @Test func `from http to https is another origin`() throws {
        try plain.misbehave("records.json", #"{"fault":"redirect","location":"\#(server.url("good.json"))"}"#)
        #expect(try fetch(plain.url("records.json")).effectiveURL == server.url("good.json"))
    }

    @Test func `a secure connection that ends early is a truncation`() throws {
        let error = failure { () throws(HTTPError) in _ = try fetch(server.url("cut")) }
        #expect(error?.kind == .truncated)
    }

    @Test func `a certificate whose time is over is refused as such`() throws {
        let old = try SecureServer(["good.json": ""], isExpired: true)
        let client = try HTTPClient(spoolDirectory: spool.path, authorities: old.certificate)
        let error = failure { () throws(HTTPError) in
            _ = try client.perform(HTTPRequest(url: old.url("good.json")))
        }
        #expect(error?.kind == .tls && error?.cause == .expired)
    }

    @Test(arguments: ["-tls1_2", "-tls1_3"])
    func `a server that wants a certificate says so, however it ends the connection`(version: String) throws {
        let strict = try SecureServer(["good.json": ""], options: ["-Verify", "1", "-verify_quiet", version])
        let client = try HTTPClient(spoolDirectory: spool.path, authorities: strict.certificate)
        let error = failure { () throws(HTTPError) in
            _ = try client.perform(HTTPRequest(url: strict.url("good.json")))
        }
        #expect(error?.kind == .tls && error?.cause == .clientCertificate, "\(String(describing: error))")
        let writer = HTTPWriter(authorities: strict.certificate)
        switch writer.send(HTTPWriteRequest(.post, url: strict.url("good.json"))) {
        case .unsent(let error), .unanswered(let error): #expect(error.cause == .clientCertificate, "\(error)")
        case .answered: Issue.record("it answered")
        }
    }
}
