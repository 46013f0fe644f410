// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsModel
import Testing

struct IncrementalReadingTests {
    private static let url = "url: 'https://erp.example/units'"
    private static let fields = """
        fields: { id: { type: 'id', from: '/id' }, at: { type: 'instant', from: '/at' }, day: { type: 'date', from: '/d' },
            number: { type: 'integer', from: '/n' }, name: { type: 'text', from: '/name' } }
        """

    private static func configuration(_ source: String) -> Configuration {
        ConfigurationFixture.shipments("{ source: { \(source) }, \(fields) }")
    }

    private func source(_ source: String) throws -> Source {
        let configuration = Self.configuration(source)
        #expect(configuration.problems == [])
        return try #require(configuration.definitions.first?.source)
    }

    @Test func `what has changed is asked for by a field or by a token`() throws {
        let plain = try source("\(Self.url), since: { to: 'since', field: 'at' }").since
        #expect(
            plain == IncrementalRules(to: .query("since"), position: .field(1, overlap: .span(.seconds(300)))))
        #expect(plain?.full == .seconds(86_400))
        let day = try source("\(Self.url), since: { to: 's', field: 'day', overlap: '2d', full: '1h' }").since
        #expect(day?.position == .field(2, overlap: .span(.seconds(172_800))) && day?.full == .seconds(3600))
        let number = try source("\(Self.url), since: { to: 's', field: 'number', overlap: 10 }").since
        #expect(number?.position == .field(3, overlap: .number(10)))
        #expect(
            try source("\(Self.url), since: { to: 's', field: 'number' }").since?.position
                == .field(3, overlap: .number(0)))
        let token = try source(
            "\(Self.url), method: 'POST', body: { v: {} }, since: { to: { body: '/v/s' }, token: '/next' }"
        ).since
        let (next, place) = (try JSONPointer("/next"), try JSONPointer("/v/s"))
        #expect(token?.position == .token(next) && token?.to == .body(place))
    }

    @Test(arguments: [
        "auth: { key: { secret: 'k', parameter: 's' } }, SINCE",
        """
        auth: { key: { secret: 'k', parameter: 'other' } }, SINCE, sites: { field: 'name', each: {
            a: {}, b: { auth: { key: { secret: 'k', parameter: 's' } } }, c: { auth: { key: { secret: 'k', parameter: 's' } } } } }
        """,
    ])
    func `the position and the key of a request have parameters of their own`(source: String) {
        let text = source.replacing("SINCE", with: "since: { to: 's', token: '/t' }")
        let fields = Self.fields.replacing(", from: '/name'", with: "")
        let problems = ConfigurationFixture.shipments("{ source: { \(Self.url), \(text) }, \(fields) }").problems
        let ofSource = problems.filter { $0.keyPath.hasPrefix("source") }
        #expect(
            ofSource.map { "\($0.keyPath): \($0.message)" } == [
                "source.since.to: 'auth' sends the parameter 's' too; expected one of the two"
            ])
    }

    @Test func `a site whose body has no place for the position is told`() {
        let text = """
            \(Self.url), method: 'POST', body: { v: {} }, since: { to: { body: '/v/s' }, token: '/t' },
            sites: { field: 'name', each: { a: {}, b: { body: { v: null } } } }
            """
        let fields = Self.fields.replacing(", from: '/name'", with: "")
        let problems = ConfigurationFixture.shipments("{ source: { \(text) }, \(fields) }").problems
        #expect(problems.map(\.keyPath) == ["source.since.to.body"])
    }

    @Test func `deleted records have a mark, or their ids are listed`() throws {
        #expect(try source("\(Self.url), deleted: '/gone'").deleted == .mark(try JSONPointer("/gone")))
        #expect(try source("url: 'file:///x', deleted: '/gone'").deleted == .mark(try JSONPointer("/gone")))
        let since = "since: { to: 's', token: '/t' }"
        #expect(
            try source("\(Self.url), \(since), deleted: { ids: '/deleted' }").deleted
                == .ids(try JSONPointer("/deleted")))
    }

    @Test(arguments: [
        ("since: { field: 'at' }", "source.since.to", "missing; expected a query parameter"),
        ("since: { to: 's' }", "source.since", "expected either 'field' or 'token'"),
        ("since: { to: 's', field: 'at', token: '/t' }", "source.since", "expected either 'field' or 'token'"),
        (
            "since: { to: 's', field: 'name' }", "source.since.field",
            "'name' is no field of the type instant, date or integer"
        ),
        ("since: { to: 's', field: 'at', overlap: 'x' }", "source.since.overlap", "expected a span of time"),
        ("since: { to: 's', field: 'number', overlap: '5min' }", "source.since.overlap", "expected a whole number"),
        ("since: { to: 's', token: '/t', overlap: '5min' }", "source.since.overlap", "only 'field' has an overlap"),
        ("since: { to: 's', token: '' }", "source.since.token", "expected a place inside the answer"),
        ("since: { to: { body: '/s' }, token: '/t' }", "source.since.to.body", "the request has no body"),
        (
            "next: { cursor: '/c', to: 's' }, since: { to: 's', token: '/t' }", "source.since.to",
            "'next' sends its own value there"
        ),
        ("deleted: { ids: '/d' }", "source.deleted.ids", "an answer with all records needs no such list"),
        ("deleted: { id: '/d' }", "source.deleted.id", "unknown key 'id'"),
        ("deleted: ''", "source.deleted", "expected a place inside a record"),
        ("since: { to: 's', field: 'at', full: '0' }", "source.since.full", "expected a span of time"),
    ])
    func `what is wrong is told where it stands`(text: String, keyPath: String, message: String) {
        let problems = Self.configuration("\(Self.url), \(text)").problems
        #expect(problems.contains { $0.keyPath == keyPath && $0.message.contains(message) }, "\(problems)")
    }

    @Test func `a file tells nothing of changes`() {
        let problems = Self.configuration("url: 'file:///x', since: { to: 's', token: '/t' }").problems
        #expect(problems.map(\.keyPath) == ["source.since"])
    }
}
