// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import Testing

struct SourceAddressTests {
    private func problems(_ source: String) -> [String] {
        let definition = "{ source: { \(source) }, fields: { id: { type: 'id', from: ['/id'] } } }"
        let configuration = ConfigurationFixture.shipments(definition)
        #expect(configuration.definitions.isEmpty == !configuration.problems.isEmpty)
        return configuration.problems.map { "\($0.keyPath): \($0.message)" }
    }

    @Test(arguments: [
        "https://example.com", "http://example.com:8080/a%20b?c=d+e", "HTTPS://Example.COM/",
        "https://żółw.example/ąę", "http://127.0.0.1:1/", "http://[::1]:65535/x", "https://a_b.example:/",
        "https://h?q=a@b",
        "file:///srv/a.json", "file://localhost/srv/a%20b.json", "http://host/%zz",
    ])
    func `an address that can be fetched is none to complain of`(text: String) {
        #expect(problems("url: \"\(text)\"") == [])
    }

    @Test(arguments: [
        ("", "begins with https://"), ("example.com", "begins with https://"),
        ("ftp://example.com", "begins with https://"),
        ("htps://example.com", "begins with https://"), ("https:/example.com", "begins with https://"),
        ("FILE:///srv/a", "begins with https://"),
        ("https://", "with a host"), ("http:///x", "with a host"), ("http://:80/", "with a host"),
        ("https://anna:secret@example.com/", "without a user"), ("https://anna@example.com", "without a user"),
        ("http://a b.example/", "without spaces"), ("http://a.example/x\\ty", "without spaces"),
        ("http://a,b.example/", "a host of letters"), ("http://[::1/", "a host, as in"),
        ("http://[anna]/", "a host, as in"),
        ("http://[::1]x/", "a host, as in"),
        ("http://a.example:0/", "a port from"), ("http://a.example:65536/", "a port from"),
        ("http://a.example:8o/", "a port from"), ("http://::1/", "with a host"),
        ("file://server/srv/a", "a file of this machine"), ("file:///a%2", "hexadecimal digits"),
        ("file:///a%00", "hexadecimal digits"), ("file://", "a file of this machine"),
    ])
    func `an address that cannot be fetched is a problem of the definition`(text: String, expected: String) {
        for key in ["url", "join"] {
            let source =
                key == "url"
                ? "url: \"\(text)\"" : "join: { url: \"\(text)\", on: ['id', '/id'], take: { id: '/x' } }"
            let found = problems(source).filter { !$0.contains("take") }
            #expect(found.count == 1 && found[0].contains("expected") && found[0].contains(expected), "\(found)")
            #expect(found.allSatisfy { $0.hasPrefix(key == "url" ? "source.url: " : "source.join.url: ") })
        }
    }

    @Test func `data is withheld once it has expired, and only where an upstream has it`() {
        #expect(problems("url: 'https://a.example/', withhold: '24h'") == [])
        #expect(problems("withhold: '1h'") == ["source.withhold: shorter than 'expires', 24h"])
        #expect(problems("withhold: '30d', expires: '40d'") == ["source.withhold: shorter than 'expires', 40d"])
        #expect(problems("withhold: 'soon'").first?.hasPrefix("source.withhold: expected a span") == true)
        let local = ConfigurationFixture.shipments(
            """
            { source: { withhold: '30d' }, fields: { id: { type: 'id', from: ['/id'] } }, writes: { to: 'local' } }
            """)
        #expect(
            local.problems.map(\.message) == [
                "'withhold' is for data of an upstream, and 'writes' makes this host the truth"
            ])
    }

    @Test func `an address that names a user does not get into the journal by its complaint`() {
        let found = problems("url: 'https://anna:hunter2@example.com/'")
        #expect(found == ["source.url: expected an address without a user; secrets belong in 'credential'"])
    }
}
