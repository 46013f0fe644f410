// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsModel
import Testing

struct WriteCheckerTests {
    private let fixture: WriteFixture

    init() throws { fixture = try WriteFixture() }

    @Test func `all mistakes are told at once, unknown fields first`() throws {
        let fields = """
            {"owner":"9","nmae":"x","pieces":"x","phase":"gone","weight":0.001,"day":"2026-11-21","id":"7",
             "owner_name":"x","seen_at":null,"made_at":"2026-11-22T12:00:01Z","fragile":true}
            """
        #expect(
            try fixture.problems("create", fields) == [
                "nmae unknown", "id not_writable", "name required", "phase code", "pieces type", "weight range",
                "weight scale", "made_at not_writable", "day range", "fragile not_writable", "owner reference",
                "owner_name not_writable", "seen_at not_writable",
            ])
    }

    @Test(arguments: [
        ("{}", ["name required"]),
        (#"{"name":null}"#, ["name required"]),
        (#"{"name":" \t\n "}"#, ["name required"]),
        (#"{"name":"\u2003"}"#, ["name required"]),
        (#"{"name":"x","name":""}"#, ["name required"]),
        (#"{"name":"x"}"#, []),
        (#"{"name":7}"#, ["name type"]),
        (#"{"name":["x"]}"#, ["name type"]),
        (#"{"name":"12345678901234567890"}"#, []),
        (#"{"name":"ÄÖÜÄÖÜÄÖÜÄÖÜÄÖÜÄÖÜÄÖ"}"#, []),
        (#"{"name":"123456789012345678901"}"#, ["name length"]),
        (#"{"name":"a\tb\nc"}"#, []),
        (#"{"name":"a\u0000"}"#, ["name characters"]),
        (#"{"name":"a\r"}"#, ["name characters"]),
        (#"{"name":"\u001b[31m"}"#, ["name characters"]),
        (#"{"name":"12345678901234567890\u0007"}"#, ["name length", "name characters"]),
    ])
    func `a text is checked for presence, length and characters`(fields: String, problems: [String]) throws {
        #expect(try fixture.problems("create", fields) == problems)
    }

    @Test(arguments: [
        (#""phase":"made""#, []), (#""phase":"MADE""#, []), (#""phase":"on-the-way""#, []), (#""phase":"7""#, []),
        (#""phase":7"#, ["phase type"]), (#""phase":"other""#, ["phase code"]), (#""phase":"x""#, ["phase code"]),
        (#""state":"fine""#, []), (#""state":"broken""#, ["state code"]),
        (#""pieces":1"#, []), (#""pieces":"9""#, []), (#""pieces":1.0"#, []), (#""pieces":1.5"#, ["pieces type"]),
        (#""pieces":0"#, ["pieces range"]), (#""pieces":10"#, ["pieces range"]), (#""pieces":-1e30"#, ["pieces range"]),
        (#""pieces":true"#, ["pieces type"]), (#""pieces":"1 2""#, ["pieces type"]),
        (#""weight":"0.01""#, []), (#""weight":90000"#, []), (#""weight":90000.00"#, []), (#""weight":1.500"#, []),
        (#""weight":"90000.01""#, ["weight range"]),
        (#""weight":90000.000000000000000001"#, ["weight range", "weight scale"]),
        (#""weight":1.005"#, ["weight scale"]), (#""weight":1005e-3"#, ["weight scale"]),
        (#""weight":"NaN""#, ["weight type"]),
        (#""weight":"1,5""#, ["weight type"]),
        (#""made_at":"2026-11-22T13:00:00+01:00""#, []), (#""made_at":"2026-11-22T12:00:00.001Z""#, ["made_at range"]),
        (#""made_at":"2026-11-19T12:00:00Z""#, []), (#""made_at":"2026-11-19T11:59:59Z""#, ["made_at range"]),
        (#""made_at":"today""#, ["made_at type"]), (#""made_at":"2026-11-22""#, ["made_at type"]),
        (#""day":"2026-11-22""#, []), (#""day":"2026-12-06""#, []), (#""day":"2026-12-07""#, ["day range"]),
        (#""day":"2026-02-30""#, ["day type"]),
        (#""fragile":false"#, []), (#""fragile":"true""#, ["fragile type"]),
        (#""picture":"https://x.example/1""#, []),
        (#""picture":"https://x.example/1234567890123456789012345""#, ["picture length"]),
        (#""parts":{"a":[1,2.50]}"#, []), (#""parts":"""#, []), (#""parts":0"#, []),
        (#""parts":["1234567890123456789012345678901234567890123456789012345678901"]"#, ["parts length"]),
        (#""parts":{"a\u0001":1}"#, ["parts characters"]), (#""parts":[{"a":"\u0001"}]"#, ["parts characters"]),
        (#""boxes":["1",2]"#, []), (#""boxes":"3""#, []), (#""boxes":[]"#, []),
        (#""boxes":["1","4","5"]"#, ["boxes reference"]),
        (#""boxes":{"a":1}"#, ["boxes type"]), (#""boxes":[["1"]]"#, ["boxes type"]), (#""owner":"2""#, []),
        (#""owner":"4""#, ["owner reference"]),
    ])
    func `a value is checked by the type and the rule of its field`(field: String, problems: [String]) throws {
        #expect(try fixture.problems("update", "{\(field)}") == problems)
    }

    @Test(arguments: [
        (#"{"a":null}"#, true), (#"{"a":{"b":1,"c":{"d":null}}}"#, true), (#"{"a":[null],"b":[{"c":null}]}"#, false),
        (#"[{"a":null},null]"#, false), (#"{"a":{},"b":""}"#, false),
    ])
    func `a null member is refused in an object that would go out as a merge patch`(
        parts: String, isLost: Bool
    ) throws {
        let problems = isLost ? ["parts type"] : []
        for body in ["'fields'", "'record'", "{ content: {} }"] {
            func fixture(_ method: String) throws -> WriteFixture {
                let update = "update: { url: 'https://d.example/docs/{id}', method: '\(method)', body: \(body) }"
                return try WriteFixture(writes: "to: 'upstream', \(update)")
            }
            #expect(try fixture("PATCH").problems("update", #"{"parts":\#(parts)}"#) == problems)
            #expect(try fixture("PUT").problems("update", #"{"parts":\#(parts)}"#) == [])
        }
        let local = try WriteFixture(writes: "to: 'local', update: {}", source: "")
        #expect(try local.problems("update", #"{"parts":\#(parts)}"#) == [])
    }

    @Test func `a required field cannot be cleared, others can`() throws {
        #expect(try fixture.problems("update", #"{"name":"","weight":null,"parts":" "}"#) == ["name required"])
        let write = try fixture.check("update", #"{"weight":null,"pieces":"","day":"2026-11-23"}"#)
        #expect(write.cleared.map { fixture.definition.fields[$0].name } == ["pieces", "weight"])
        #expect(write.touched.map { fixture.definition.fields[$0].name } == ["pieces", "weight", "day"])
    }

    @Test func `a create clears nothing, and has the values of its action`() throws {
        let write = try fixture.check("create", #"{"weight":null,"phase":"ON-THE-WAY","name":"x"}"#)
        let names = fixture.definition.fields.map(\.name)
        #expect(write.given.map { names[$0.field] } == ["name", "phase"])
        #expect(write.given.map(\.value) == ["x", "On the way"])
        #expect(write.set.map { names[$0.field] } == ["fragile"] && write.set.map(\.value) == [true])
        #expect(write.shows.map(\.value) == ["2026-11-22T12:00:00.000Z"])
        #expect(write.sent.map { names[$0.field] } == ["name", "phase", "fragile"])
        #expect(write.shown.map { names[$0.field] } == ["name", "phase", "made_at", "fragile"])
    }

    @Test func `a delete takes no fields`() throws {
        #expect(try fixture.problems("delete", #"{"name":"x"}"#) == ["name not_writable"])
        #expect(try fixture.problems("delete", "{}") == [])
    }

    @Test func `problems are told in English and in Polish, and hold no values`() throws {
        let fields =
            #"{"name":"a secret that is far too long","nmae":1,"phase":"secret","weight":"secret","owner":"9"}"#
        let object = try #require(try JSONValue.parse(fields).object)
        let error = try #require(throws: InvalidWrite.self) {
            try fixture.checker.check(try fixture.action("update"), fields: object)
        }
        #expect(
            error.problems.map { $0.message.text("en") } == [
                "there is no field 'nmae'", "'name' has 29 characters, more than 20",
                "the value of 'phase' is none of its codes", "the value of 'weight' is not of the type decimal",
                "'owner': there is no record '9' to refer to",
            ])
        #expect(
            error.problems.map { $0.hint?.text("pl") } == [
                "czy chodziło o „name”?", nil, "można podać: 7, made, On the way", "liczba, na przykład 12.50", nil,
            ])
        #expect(error.problems.allSatisfy { $0.message.english != $0.message.polish })
    }

    @Test func `a long made-up name is cut`() throws {
        let name = String(repeating: "ż", count: 100_000)
        let object = JSONObject([.init(name, 1), .init(name, 2)])
        let error = try #require(throws: InvalidWrite.self) {
            try fixture.checker.check(try fixture.action("update"), fields: object)
        }
        #expect(error.problems.map(\.field) == [String(repeating: "ż", count: 64) + "…"])
    }

    @Test func `of very many unknown fields only the first are told`() throws {
        let object = JSONObject((0..<20_000).map { .init("n\($0)", 1) } + [.init("name", .null)])
        let error = try #require(throws: InvalidWrite.self) {
            try fixture.checker.check(try fixture.action("update"), fields: object)
        }
        #expect(error.problems.map(\.field) == (0..<100).map { "n\($0)" } + ["name"])
        #expect(error.problems.filter { $0.kind == .unknown && $0.hint != nil }.count == 8)
    }

    @Test func `an operation keeps the values by names, for this definition and others`() throws {
        let write = try fixture.check("create", #"{"name":"x","weight":1.50,"boxes":["1"]}"#)
        let values = write.values(in: fixture.definition)
        #expect(values.given == ["name": "x", "weight": .number("1.50"), "boxes": ["1"]])
        #expect(values.set == ["fragile": true] && values.shown == ["made_at": "2026-11-22T12:00:00.000Z"])
        #expect(CheckedWrite(values, action: write.action, in: fixture.definition) == write)
        var other = values
        other.given["gone"] = 1
        #expect(CheckedWrite(other, action: write.action, in: fixture.definition) == nil)
    }

    @Test func `references are found, and other ids take their place`() throws {
        let write = try fixture.check("update", #"{"owner":"2","boxes":["1",2,"1"],"name":"1"}"#)
        #expect(
            write.references(in: fixture.definition).map { "\($0.collection) \($0.id)" } == [
                "boxes 1", "boxes 2", "owners 2",
            ])
        let other = write.replacing(in: fixture.definition) { $0.collection == "boxes" && $0.id == "1" ? "new" : nil }
        #expect(other.given.map(\.value) == ["1", ["new", 2, "new"], "2"])
    }
}
