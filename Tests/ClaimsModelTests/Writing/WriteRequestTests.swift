// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsModel
import Testing

struct WriteRequestTests {
    private let subject = WriteSubject(id: Array("a/b ü".utf8), operation: "op-1", key: "op-1.2")

    private func composed(
        _ writes: String, _ action: String, _ fields: String, over base: String? = nil
    ) throws -> ComposedRequest {
        let fixture = try WriteFixture(writes: "to: 'upstream', \(writes)")
        return try WriteComposer(fixture.definition).request(
            of: try fixture.check(action, fields), for: subject, over: base.map { Array($0.utf8) })
    }

    private func body(_ writes: String, _ action: String, _ fields: String, over base: String? = nil) throws -> String?
    {
        try composed(writes, action, fields, over: base).body.map { String(decoding: $0, as: UTF8.self) }
    }

    private static let base = #"{"number":"7","x":1,"name":"n","size":{"weight":"2.50","h":1},"weight":9}"#

    @Test func `a body of fields has what is given and set, null for what is cleared, and nothing that is shown`()
        throws
    {
        let create = "create: { url: 'https://d.example/', id: '/id', set: { fragile: true }, shows: { day: 'now' } }"
        #expect(
            try body(create, "create", #"{"name":"n","weight":1.50,"boxes":["1"],"pieces":null}"#)
                == #"{"name":"n","size":{"weight":1.50},"fragile":true,"content":{"boxes":["1"]}}"#)
        let update = "update: { method: 'POST', url: 'https://d.example/{id}', body: 'fields' }"
        #expect(
            try body(update, "update", #"{"weight":null,"name":"m","pieces":"3"}"#, over: Self.base)
                == #"{"name":"m","pieces":3,"size":{"weight":null},"weight":null}"#)
    }

    @Test func `a patch spells numbers as they stand, and takes away what a cleared field is read from`() throws {
        let update = "update: { url: 'https://d.example/{id}' }"
        #expect(try body(update, "update", #"{"weight":1}"#, over: Self.base) == #"{"size":{"weight":"1"}}"#)
        #expect(
            try body(update, "update", #"{"weight":null}"#, over: Self.base)
                == #"{"size":{"weight":null},"weight":null}"#)
        #expect(try body(update, "update", #"{"weight":null}"#) == #"{"size":{"weight":null}}"#)
        let parts = #"{"parts":{"a":1,"b":{"c":1,"d":2}}}"#
        #expect(
            try body(update, "update", #"{"parts":{"b":{"d":3},"e":[null]}}"#, over: parts)
                == #"{"parts":{"b":{"d":3,"c":null},"e":[null],"a":null}}"#)
    }

    @Test func `a body of the record is the upstream's object with the changes`() throws {
        let update = "update: { method: 'PUT', url: 'https://d.example/{id}' }"
        #expect(
            try body(update, "update", #"{"name":"m","weight":"3"}"#, over: Self.base)
                == #"{"number":"7","x":1,"name":"m","size":{"weight":"3","h":1},"weight":9}"#)
        #expect(
            try body(update, "update", #"{"weight":null}"#, over: Self.base)
                == #"{"number":"7","x":1,"name":"n","size":{"h":1}}"#)
        let patch = "update: { url: 'https://d.example/{id}', body: 'record' }"
        #expect(
            try body(patch, "update", #"{"weight":null}"#, over: Self.base)
                == #"{"number":"7","x":1,"name":"n","size":{"weight":null,"h":1},"weight":null}"#)
    }

    @Test func `a new record keeps its id where the address has it, and carries its reference`() throws {
        let put = "create: { method: 'PUT', url: 'https://d.example/{id}' }, reference: '/ref/op'"
        #expect(try body(put, "create", #"{"name":"n"}"#) == #"{"ref":{"op":"op-1"},"id":"a/b ü","name":"n"}"#)
        let post = "create: { url: 'https://d.example/', body: 'record' }, reference: '/ref'"
        #expect(try body(post, "create", #"{"name":"n"}"#) == #"{"ref":"op-1","name":"n"}"#)
        let update = "update: { url: 'https://d.example/{id}' }, reference: '/ref'"
        #expect(try body(update, "update", #"{"name":"n"}"#) == #"{"name":"n"}"#)
    }

    @Test func `fields are put into a template`() throws {
        let create =
            "create: { url: 'https://d.example/', id: '/id', body: { v: 2, content: { kind: 'x', boxes: [] } } }"
        #expect(
            try body(create, "create", #"{"name":"n","boxes":["2"]}"#)
                == #"{"v":2,"content":{"kind":"x","boxes":["2"]},"name":"n"}"#)
    }

    @Test func `a delete has no body, and each request its key`() throws {
        let request = try composed(
            "delete: { url: 'https://d.example/{id}?at={id}' }, idempotency: { header: 'Idempotency-Key', life: '1h' }",
            "delete", "{}")
        #expect(request.method == .delete && request.body == nil)
        #expect(request.url == "https://d.example/a%2Fb%20%C3%BC?at=a%2Fb%20%C3%BC")
        #expect(request.headers == [Header(name: "Idempotency-Key", value: "op-1.2")])
        #expect(request.accept == [200, 201, 202, 204])
    }

    @Test func `headers say how a body is meant, and may say otherwise`() throws {
        let update = "update: { url: 'https://d.example/{id}' }"
        #expect(
            try composed(update, "update", #"{"name":"n"}"#).headers
                == [Header(name: "Content-Type", value: "application/merge-patch+json")])
        let other = "update: { url: 'https://d.example/{id}' }, headers: { 'content-type': 'application/x' }"
        #expect(
            try composed(other, "update", #"{"name":"n"}"#).headers
                == [Header(name: "content-type", value: "application/x")])
        let post = "update: { method: 'PUT', url: 'https://d.example/{id}' }"
        #expect(
            try composed(post, "update", #"{"name":"n"}"#).headers
                == [Header(name: "Content-Type", value: "application/json")])
    }

    @Test func `headers and the credential of the source go to its origin only`() throws {
        let source = "url: 'https://D.example:443/docs', headers: { 'X-Key': 's' }, credential: 'c'"
        let writes = """
            to: 'upstream', update: { url: 'https://d.example/{id}' }, delete: { url: 'https://d.example:444/{id}' },
            actions: { a: { url: 'http://d.example/{id}' }, b: { url: 'https://e.example/{id}' } },
            """
        let rules = try WriteFixture(writes: writes, source: source).rules
        #expect(rules.offered.map { $0.request?.auth } == [.bearer("c"), nil, nil, nil])
        #expect(rules.offered.map { $0.request?.headers.map(\.name) } == [["X-Key"], [], [], []])
        let own = try WriteFixture(writes: writes + "headers: { A: 'b' }, credential: 'd'", source: source).rules
        #expect(own.offered.allSatisfy { $0.request?.auth == .bearer("d") && $0.request?.headers.map(\.name) == ["A"] })
    }

    @Test func `a preview shows no header that may be a secret`() throws {
        let request = try composed(
            "update: { url: 'https://d.example/{id}' }, headers: { 'X-Api-Key': 'secret', Accept: 'a/b' }", "update",
            #"{"name":"n"}"#)
        var writer = JSONWriter()
        request.writePreview(to: &writer)
        #expect(
            String(decoding: writer.bytes, as: UTF8.self)
                == #"{"method":"PATCH","url":"https://d.example/a%2Fb%20%C3%BC","headers":{"Content-Type":"#
                + #""application/merge-patch+json","X-Api-Key":"…","Accept":"a/b"},"body":{"name":"n"}}"#)
    }

    @Test(arguments: ["", ".", ".."])
    func `no request is made for an id that would lead to another address`(id: String) throws {
        #expect(WriteAddress("https://d.example/docs/{id}").url(of: Array(id.utf8)) == nil)
        #expect(WriteAddress("https://d.example/docs/{id}/again").url(of: Array(id.utf8)) == nil)
        #expect(WriteAddress("https://d.example/docs").url(of: Array(id.utf8)) == "https://d.example/docs")
        #expect(WriteAddress("https://d.example/docs/{id}").url(of: nil) == nil)
        #expect(WriteAddress("https://d.example/.{id}").url(of: [UInt8(ascii: ".")]) == nil)
        #expect(WriteAddress("https://d.example/{id}").url(of: Array("...".utf8)) == "https://d.example/...")
    }

    @Test func `a record is read before it is written where the definition says so`() throws {
        let fixture = try WriteFixture(
            writes: """
                to: 'upstream', update: { url: 'https://d.example/{id}' }, match: 'https://d.example/r/{id}',
                idempotency: { header: 'K', life: '1h' }
                """)
        let match = try #require(try WriteComposer(fixture.definition).match(for: subject))
        #expect(match.method == .get && match.url == "https://d.example/r/a%2Fb%20%C3%BC")
        #expect(match.headers.isEmpty && match.body == nil)
    }
}
