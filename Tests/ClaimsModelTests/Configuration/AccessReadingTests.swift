// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import Testing

/// `auth`, `credential` and `tls` of requests.
struct AccessReadingTests {
    private static let url = "url: 'https://erp.example/api?v=1&api%5Fkey=x', "

    private static func read(_ members: String) throws -> (request: ReadRequest, problems: [String]) {
        let text = """
            { source: { \(members) }, fields: { id: { type: 'id', from: '/id' } } }
            """
        let configuration = ConfigurationFixture.shipments(text)
        let definition = try #require(configuration.definition(named: "parcels"))
        return (definition.source.request, configuration.problems.map(\.description))
    }

    private static func problems(_ members: String) -> [String] {
        ConfigurationFixture.shipments(
            "{ source: { \(members) }, fields: { id: { type: 'id', from: '/id' } } }"
        ).problems.map { problem in
            "\(problem.location.keyPath): \(problem.message)"
        }
    }

    @Test func `each of the four ways is read`() throws {
        let url = "url: 'https://erp.example/api', "
        #expect(try Self.read(url + "credential: 'a-token'").request.auth == .bearer("a-token"))
        #expect(try Self.read(url + "auth: { bearer: 'a-token' }").request.auth == .bearer("a-token"))
        #expect(
            try Self.read(url + "auth: { basic: { user: 'me', password: 'p' } }").request.auth
                == .basic(user: "me", password: "p"))
        #expect(
            try Self.read(url + "auth: { key: { secret: 'k', header: 'X-Key', prefix: 'Key ' } }").request.auth
                == .key("k", .header(name: "X-Key", prefix: "Key ")))
        #expect(
            try Self.read(url + "auth: { key: { secret: 'k', parameter: 'api_key' } }").request.auth
                == .key("k", .parameter("api_key")))
        var request = TokenRequest(url: "https://id.example/token", client: "plant-7", secret: "s", refresh: "r")
        request.send = .body
        request.parameters = [
            QueryParameter("scope", ["read"]), QueryParameter("audience", ["a", "7"]), QueryParameter("on", ["true"]),
        ]
        request.tls = TLSOptions(ca: .credential("ca"), certificate: "cert", key: "key")
        let oauth2 = """
            auth: { oauth2: { url: 'https://id.example/token', client: 'plant-7', secret: 's', refresh: 'r', send: 'body',
                parameters: { scope: 'read', audience: ['a', 7], on: true },
                tls: { ca: 'ca', certificate: 'cert', key: 'key' } } }
            """
        #expect(try Self.read(url + oauth2).request.auth == .oauth2(request))
        #expect(
            try Self.read(url + "tls: { ca: '/etc/ssl/own.pem' }").request.tls
                == TLSOptions(ca: .file("/etc/ssl/own.pem")))
        #expect(try Self.read(url + "tls: {}").request.tls == nil)
    }

    @Test(arguments: [
        ("auth: { bearer: 'a', key: {} }", "source.auth: expected exactly one of bearer, basic, key, oauth2"),
        ("auth: {}", "source.auth: expected exactly one of bearer, basic, key, oauth2"),
        (
            "auth: { bearer: 'a' }, credential: 'a'",
            "source.credential: short for 'auth: { bearer }'; expected one of the two"
        ),
        (
            "auth: { bearer: '.a' }",
            "source.auth.bearer: expected the name of a credential, at most 64 of A-Z, a-z, 0-9, '.', '_' and '-' with no '.' first, found '.a'"
        ),
        (
            "auth: { basic: { user: 'a:b', password: 'p' } }",
            "source.auth.basic.user: expected the name of a user without ':' and control characters"
        ),
        ("auth: { basic: { user: 'a' } }", "source.auth.basic.password: missing; expected the name of a credential"),
        ("auth: { key: { secret: 'k' } }", "source.auth.key: expected one of 'header' and 'parameter'"),
        (
            "auth: { key: { secret: 'k', header: 'a', parameter: 'b' } }",
            "source.auth.key: expected one of 'header' and 'parameter'"
        ),
        (
            "auth: { key: { secret: 'k', header: 'Host' } }",
            "source.auth.key.header: 'Host' is set by claimsd itself, for each connection"
        ),
        (
            "auth: { key: { secret: 'k', parameter: 'b', prefix: 'x' } }",
            "source.auth.key.prefix: only a header has a prefix"
        ),
        (
            "auth: { oauth2: { client: 'c' } }",
            "source.auth.oauth2.url: missing; expected the address of the token server"
        ),
        (
            "auth: { oauth2: { url: 'file:///x', client: 'c' } }",
            "source.auth.oauth2.url: expected an address that begins with https:// or http://"
        ),
        (
            "auth: { oauth2: { url: 'https://i.example/', client: 'c', send: 'basic' } }",
            "source.auth.oauth2.send: there is no 'secret' to send"
        ),
        (
            "auth: { oauth2: { url: 'https://i.example/', client: 'c', parameters: { grant_type: 'x' } } }",
            "source.auth.oauth2.parameters.grant_type: the grant itself has 'grant_type'"
        ),
        (
            "tls: { key: 'k' }",
            "source.tls.certificate: missing; expected the name of a credential, for the 'key' belongs to one"
        ),
        (
            "tls: { ca: 'a/b' }",
            "source.tls.ca: expected the name of a credential, or the absolute path of a PEM file, found 'a/b'"
        ),
        (
            "headers: { AUTHORIZATION: 'x' }, credential: 'c'",
            "source.headers.AUTHORIZATION: 'auth' sends the header 'AUTHORIZATION' too; expected one of the two"
        ),
        (
            "headers: { 'x-key': 'x' }, auth: { key: { secret: 'k', header: 'X-Key' } }",
            "source.headers.x-key: 'auth' sends the header 'x-key' too; expected one of the two"
        ),
        (
            "auth: { key: { secret: 'k', parameter: 'api_key' } }",
            "source.url: 'auth' sends the parameter 'api_key' too; expected one of the two"
        ),
        (
            "auth: { key: { secret: 'k', parameter: 'page' } }, next: { parameter: 'page', size: 5 }",
            "source.next: 'auth' sends the parameter 'page' too; expected one of the two"
        ),
    ])
    func `a mistake is named with its key path and what was expected`(members: String, problem: String) {
        #expect(Self.problems(Self.url + members) == [problem])
    }

    @Test(arguments: [
        ("a", true), ("A-Z_0.9", true), ("-a", true), (String(repeating: "a", count: 64), true),
        (String(repeating: "a", count: 65), false), ("", false), (".a", false), ("a b", false), ("a/b", false),
        ("ż", false), ("a\n", false),
    ])
    func `the names of credentials are plain`(name: String, isName: Bool) {
        #expect(CredentialName.isName(name) == isName)
    }

    @Test func `every credential of a definition is known with its key`() throws {
        let text = """
            { source: { url: 'https://a.example/', credential: 'a', tls: { ca: 'c', certificate: 'd', key: 'k' },
                join: { url: 'https://b.example/', auth: { basic: { user: 'u', password: 'p' } }, on: ['id', '/id'], take: {} } },
              fields: { id: { type: 'id', from: '/id' }, name: { type: 'text', from: '/name' } },
              writes: { to: 'upstream', fields: { name: {} }, auth: { key: { secret: 'w', header: 'K' } },
                create: { url: 'https://a.example/', id: '/id' } } }
            """
        let configuration = ConfigurationFixture.shipments(text)
        #expect(configuration.problems == [])
        let credentials = try #require(configuration.definition(named: "parcels")).credentials
        #expect(
            credentials.map { "\($0.keyPath)=\($0.name)" } == [
                "source.credential=a", "source.tls.ca=c", "source.tls.certificate=d", "source.tls.key=k",
                "source.join.auth.basic.password=p", "writes.auth.key.secret=w",
            ])
    }
}
