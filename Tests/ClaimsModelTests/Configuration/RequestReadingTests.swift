// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsModel
import Testing

struct RequestReadingTests {
    private static let url = "url: 'https://erp.example/graphql'"
    private static let post = "\(url), method: 'POST', body: { query: 'q', variables: { n: 1e3, list: [{}] } }"

    private static func configuration(_ source: String) -> Configuration {
        ConfigurationFixture.shipments(
            "{ source: { \(source) }, fields: { id: { type: 'id', from: '/id' }, owner: { type: 'text', from: '/o' } } }"
        )
    }

    private func request(_ source: String) throws -> ReadRequest {
        let configuration = Self.configuration(source)
        #expect(configuration.problems == [])
        return try #require(configuration.definitions.first?.source.request)
    }

    @Test func `a POST has its method, its query and its body with numbers as written`() throws {
        let request = try request(
            """
            url: 'https://erp.example/graphql', method: 'POST', fails: '/errors', root: '/data/nodes',
            query: { a: 'x y', n: 1.50, on: true, many: ['1', 2, false], none: [], gone: null },
            body: { query: "q($a)", variables: { size: 1e2, zero: 0.10, text: 'ż', list: [null, true] } }
            """)
        #expect(request.method == .post)
        #expect(
            request.query == [
                QueryParameter("a", ["x y"]), QueryParameter("n", ["1.50"]), QueryParameter("on", ["true"]),
                QueryParameter("many", ["1", "2", "false"]), QueryParameter("none", []),
            ])
        #expect(request.fails?.text == "/errors")
        let body = try #require(request.body).compactBytes
        #expect(
            String(decoding: body, as: UTF8.self)
                == #"{"query":"q($a)","variables":{"size":1e2,"zero":0.10,"text":"ż","list":[null,true]}}"#)
    }

    @Test(arguments: [
        ("{ cursor: '/c', to: 'after' }", Paging.cursor(ShipmentFixture.pointer("/c"), to: .query("after"), more: nil)),
        (
            "{ cursor: '/c', to: { body: '/variables/a' }, more: '/m' }",
            .cursor(
                ShipmentFixture.pointer("/c"), to: .body(ShipmentFixture.pointer("/variables/a")),
                more: ShipmentFixture.pointer("/m"))
        ),
        ("{ page: 'p', size: 5 }", .page(to: .query("p"), size: 5, from: 1, more: nil)),
        (
            "{ parameter: { body: '/variables/n' }, size: 5, from: 0, more: '/m' }",
            .page(
                to: .body(ShipmentFixture.pointer("/variables/n")), size: 5, from: 0,
                more: ShipmentFixture.pointer("/m"))
        ),
        (
            "{ offset: { body: '/variables/list/0/skip' }, size: 7 }",
            .offset(to: .body(ShipmentFixture.pointer("/variables/list/0/skip")), size: 7, more: nil)
        ),
    ])
    func `every form of paging is read`(text: String, paging: Paging) throws {
        #expect(try request("\(Self.post), next: \(text)").next == paging)
    }

    @Test(arguments: [("{ page: 'p', size: 5, stable: true }", true), ("{ offset: 'o', size: 5 }", false)])
    func `pages may be said to be those of a fixed set`(text: String, isStable: Bool) throws {
        #expect(try request("\(Self.post), next: \(text)").hasStablePages == isStable)
    }

    @Test func `a join is a request of its own, with pages`() throws {
        let fields = "fields: { id: { type: 'id', from: '/id' }, owner: { type: 'text', from: '/o' } }"
        let whole = ConfigurationFixture.shipments(
            """
            { source: { join: { url: 'https://o.example', method: 'POST', body: {}, query: { a: 1 }, fails: '/error',
              root: '/o', next: { offset: { body: '/skip' }, size: 3 }, on: ['owner', '/k'], take: {} } }, \(fields) }
            """)
        #expect(whole.problems == [])
        let request = try #require(whole.definitions.first?.source.join?.request)
        #expect(request.method == .post && request.body == [:] && request.fails?.text == "/error")
        #expect(request.next == .offset(to: .body(ShipmentFixture.pointer("/skip")), size: 3, more: nil))
    }

    @Test(arguments: [
        ("\(url), method: 'PUT'", "method", "expected 'GET' or 'POST', found 'PUT'"),
        ("\(url), method: 'post'", "method", "expected 'GET' or 'POST', found 'post'"),
        ("\(url), body: {}", "body", "only a request with method: \"POST\" has a body"),
        (
            "\(url), query: { a: {} }", "query.a",
            "expected a text, a number, true, false, or an array of these, found an object"
        ),
        (
            "\(url), query: { a: [[]] }", "query.a[0]",
            "expected a text, a number, true, false, or an array of these, found an array"
        ),
        ("\(url), query: { a: Infinity }", "query.a", "expected a number of JSON, found Infinity"),
        ("\(url), query: { '': 1 }", "query.\"\"", "a parameter needs a name"),
        ("\(url), method: 'POST', body: { a: NaN }", "body.a", "expected a number of JSON, found NaN"),
        ("\(url), fails: ''", "fails", "expected a place inside the answer, such as \"/errors\""),
        (
            "\(post), next: { pointer: '/next' }", "next.pointer",
            "an address is followed by GET; expected 'cursor', 'page' or 'offset' for a POST"
        ),
        (
            "\(post), next: { link: true }", "next.link",
            "an address is followed by GET; expected 'cursor', 'page' or 'offset' for a POST"
        ),
        (
            "\(url), next: { cursor: '/c' }", "next.to",
            "missing; expected a query parameter, or { body: \"/after\" }"
        ),
        (
            "\(url), next: { cursor: '/c', to: { body: '/a' } }", "next.to.body",
            "the request has no body; expected method: \"POST\" and a 'body'"
        ),
        (
            "\(post), next: { cursor: '/c', to: { body: '/vars/a' } }", "next.to.body",
            "the body has no object at '/vars'; expected one there, such as {}"
        ),
        (
            "\(post), next: { cursor: '/c', to: { body: '/query/a' } }", "next.to.body",
            "the body has no object at '/query'; expected one there, such as {}"
        ),
        (
            "\(post), next: { cursor: '/c', to: { body: '' } }", "next.to.body",
            "expected a place inside the body, such as \"/variables/after\""
        ),
        (
            "\(post), next: { cursor: '/c', to: {} }", "next.to.body",
            "missing; expected a JSON Pointer into the request's body"
        ),
        ("\(url), next: { offset: 'o' }", "next.size", "missing; expected the number of records of a full page"),
        ("\(url), next: { offset: 'o', size: 5, from: 1 }", "next.from", "only 'page' has a 'from'"),
        ("\(url), next: { page: 'o', size: 5, to: 'x' }", "next.to", "only 'cursor' has a 'to'"),
        ("\(url), next: { link: true, stable: true }", "next.stable", "only 'page' and 'offset' have a 'stable'"),
        ("\(url), next: { link: true, more: '/m' }", "next.more", "only 'cursor', 'page' and 'offset' have a 'more'"),
        (
            "\(url), next: { page: 'o', size: 0 }", "next.size",
            "expected a whole number from 1 to 1000000, found 0"
        ),
        (
            "url: 'file:///srv/a.json', query: { a: 1 }", "query",
            "a file: address has no 'query'; expected https:// or http://, or no 'query'"
        ),
        (
            "url: 'file:///srv/a.json', next: { link: true }", "next",
            "a file: address has no 'next'; expected https:// or http://, or no 'next'"
        ),
    ])
    func `a mistake in a request is named with its key path`(source: String, keyPath: String, message: String) {
        let configuration = Self.configuration(source)
        #expect(configuration.definitions.isEmpty)
        let found = configuration.problems.map { "\($0.keyPath): \($0.message)" }
        #expect(found.contains("source.\(keyPath): \(message)"), "\(found)")
    }

    @Test func `a file may stand beside the headers of the definition that it replaces`() throws {
        #expect(try request("url: 'file:///srv/a.json', headers: { Accept: 'x' }, fails: '/e'").fails != nil)
    }
}

struct AddressQueryTests {
    @Test(arguments: [
        ("http://a/b", "p", "2", "http://a/b?p=2"),
        ("http://a/b?x=1&p=9&pp=3#f", "p", "2", "http://a/b?x=1&pp=3&p=2#f"),
        ("http://a/b?%70=9&p&a+b=1", "p", "2", "http://a/b?a+b=1&p=2"),
        ("http://a/b?a+b=1&a%20b=2", "a b", "ż&=#", "http://a/b?a%20b=%C5%BC%26%3D%23"),
        ("http://a?", "p", "", "http://a?p="),
    ])
    func `a parameter is set in place of those of its name`(
        address: String, name: String, value: String, result: String
    ) {
        #expect(AddressQuery.setting(name, to: value, in: address) == result)
    }

    @Test func `parameters follow those of the address`() {
        let parameters = [QueryParameter("a b", ["1", "x/y~"]), QueryParameter("none", [])]
        #expect(AddressQuery.appending(parameters, to: "http://a/b?z=1#f") == "http://a/b?z=1&a%20b=1&a%20b=x%2Fy~#f")
        #expect(AddressQuery.appending([], to: "http://a/b?") == "http://a/b?")
    }
}
