// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsJSON
import ClaimsModel
import Testing

struct RecordDecoderTests {
    @Test func `a record becomes one line with the definition's fields in their order`() throws {
        var decoding = Decoding()
        let document = try decoding.document(
            """
            { "unknown": [1, 2], "parts": [ 1, { "a" : " x " } ], "picture": "https://pictures.example/ A.png",
              "fragile": true, "day": "2026-02-28", "madeAt": "2026-03-04T05:06:07.5+01:00",
              "size": { "weight": 12.50 }, "pieces": 3, "state": "Fine", "phase": "on the-way", "name": " Łódź \\"A\\" ",
              "id": "p-7" }
            """)
        #expect(
            document == """
                {"id":"p-7","name":" Łódź \\"A\\" ","phase":"ON_THE_WAY","state":"fine","pieces":3,"weight":12.50,\
                "made_at":"2026-03-04T04:06:07.500Z","day":"2026-02-28","fragile":true,\
                "picture":"https://pictures.example/ A.png","parts":[1,{"a":" x "}]}
                """)
        #expect(String(decoding: decoding.record.id, as: UTF8.self) == "p-7")
        #expect(decoding.record.idKey == KeyEncoding.natural("p-7"))
        #expect(try decoding.key("id") == decoding.record.idKey)
        #expect(try decoding.key("name") == Array("lodz \"a\"".utf8))
        let tie = try decoding.value("name").tie
        #expect(String(decoding: decoding.record.keys[tie], as: UTF8.self) == " Łódź \"A\" ")
        #expect(try decoding.key("pieces") == KeyEncoding.number("3"))
        #expect(try decoding.key("weight") == KeyEncoding.number("12.5"))
        #expect(try decoding.key("picture") == Array("https://pictures.example/ A.png".utf8))
        #expect(try decoding.foldedText("picture") == "https://pictures.example/ a.png")
        #expect(try decoding.foldedText("id") == "p-7")
        #expect(try decoding.foldedText("name") == "lodz \"a\"")
        #expect(try decoding.value("phase").code == 2)
        #expect(try decoding.value("owner_name").isPresent == false)
        #expect(!decoding.record.unsupported)
    }

    @Test func `the upstream object is kept without white space, and of duplicate members the last`() throws {
        var decoding = Decoding()
        try decoding.document(#" { "id" : 1.50e3 , "x" : " a  b " , "id" : 2 , "y" : { "z" : [ ] } } "#)
        #expect(String(decoding: decoding.record.upstream, as: UTF8.self) == #"{"x":" a  b ","id":2,"y":{"z":[]}}"#)
        #expect(String(decoding: decoding.record.id, as: UTF8.self) == "2")
    }

    @Test(arguments: [
        (#""00042""#, "00042"), ("42", "42"), ("1.50", "1.50"), ("1e5", "1e5"), ("-0", "-0"),
        ("1234567890123456789012345", "1234567890123456789012345"), (#"" x ""#, " x "), (#""\u0141\"""#, "Ł\""),
    ])
    func `ids are text, digit for digit`(json: String, id: String) throws {
        var decoding = Decoding()
        let document = try decoding.document("{\"id\":\(json)}")
        #expect(String(decoding: decoding.record.id, as: UTF8.self) == id)
        let parsed = try JSONValue.parse(document)
        guard case .object(let object) = parsed else { throw Failure.notAnObject }
        #expect(object["id"] == .string(id))
    }

    @Test func `an id too long to work with goes to quarantine`() throws {
        var decoding = Decoding()
        let longestAllowed = String(repeating: "7", count: IDForm.maxLength)
        try decoding.document(#"{"id":"\#(longestAllowed)"}"#)
        #expect(decoding.outcome == .accepted)
        try decoding.document(#"{"number":"\#(longestAllowed)7"}"#)
        #expect(decoding.outcome == .quarantined(reason: "the id is longer than 1024 bytes", pointer: "/number"))
    }

    @Test(arguments: [
        #"a\n"#, #"\rb"#, #"\u0000"#, #"a\tb"#, #"\u001b[2J"#, #"\u007f"#, "a\u{7F}b", #"\u0085"#, "\u{80}", "ż\u{9F}",
    ])
    func `an id with a control character goes to quarantine`(id: String) throws {
        var decoding = Decoding()
        try decoding.document("{\"id\":\"x\(id)\"}")
        #expect(decoding.outcome == .quarantined(reason: "the id has a control character", pointer: "/id"))
        #expect(decoding.record.knownID == nil)
    }

    @Test(arguments: ["\u{A0}x", "¿", "a b", "a\u{2028}b", "Ã", "\u{7E}", "\u{20AC}"])
    func `other characters are good in ids, those that share a byte with a control character too`(id: String) throws {
        var decoding = Decoding()
        try decoding.document("{\"id\":\"\(id)\"}")
        #expect(decoding.outcome == .accepted)
        #expect(decoding.record.knownID == Array(id.utf8))
    }

    @Test(arguments: [(#""7""#, true), (#""7\n""#, false), (#""\u0085""#, false), ("7", true), (#"" ""#, false)])
    func `an id that stands alone is held to the same rules`(json: String, isGood: Bool) throws {
        var decoder = RecordDecoder(definition: ShipmentFixture.definition())
        var record = DecodedRecord()
        var tape = JSONTape()
        let bytes = Array(json.utf8)
        _ = try tape.parse(bytes.rawSpan, depth: 64)
        #expect(decoder.identify(bare: tape, bytes.rawSpan, into: &record) == isGood)
    }

    @Test(arguments: [
        ("{}", "no id", "/id"), (#"{"id":null}"#, "no id", "/id"), (#"{"id":""}"#, "no id", "/id"),
        (#"{"id":" \u00a0\t"}"#, "no id", "/id"),
        (#"{"id":true}"#, "expected an id (a string or a number), found true", "/id"),
        (#"{"number":{}}"#, "expected an id (a string or a number), found an object", "/number"),
        (#"{"id":[1]}"#, "expected an id (a string or a number), found an array", "/id"),
        ("[]", "expected an object, found an array", ""), ("7", "expected an object, found a number", ""),
        ("null", "expected an object, found null", ""), (#""id""#, "expected an object, found a string", ""),
    ])
    func `what is no object or has no id goes to quarantine`(json: String, reason: String, pointer: String) throws {
        var decoding = Decoding()
        try decoding.document(json)
        #expect(decoding.outcome == .quarantined(reason: reason, pointer: pointer))
    }

    @Test(arguments: [
        (#"{"number":5,"made_at":"2026-01-01T00:00:00Z"}"#, "5", "2026-01-01T00:00:00.000Z"),
        (#"{"id":null,"number":5,"madeAt":"","made_at":"2026-01-01T00:00:00Z"}"#, "5", "2026-01-01T00:00:00.000Z"),
        (
            #"{"number":5,"id":6,"made_at":"2026-01-01T00:00:00Z","madeAt":"2027-01-01T00:00:00Z"}"#, "6",
            "2027-01-01T00:00:00.000Z"
        ),
    ])
    func `of several pointers the first that leads to a value wins`(json: String, id: String, moment: String) throws {
        var decoding = Decoding()
        let document = try decoding.document(json)
        #expect(String(decoding: decoding.record.id, as: UTF8.self) == id)
        #expect(document.contains(#""made_at":"\#(moment)""#))
    }

    @Test func `a wrong value at the first pointer is not made up for by the second`() throws {
        var decoding = Decoding()
        let document = try decoding.document(#"{"id":1,"madeAt":"soon","made_at":"2026-01-01T00:00:00Z"}"#)
        #expect(document == #"{"id":"1","state":"broken"}"#)
        #expect(decoding.decoder.drift.typeChanges.map(\.field) == ["made_at"])
    }

    @Test(arguments: [
        "name", "phase", "state", "pieces", "weight", "made_at", "day", "fragile", "picture", "parts", "owner_id",
    ])
    func `null and blank strings are absent values, for an enum the code for that`(field: String) throws {
        let pointers = ["weight": #""size":{"weight":%}"#, "made_at": #""made_at":%"#, "owner_id": #""ownerId":%"#]
        for blank in ["null", #""""#, #"" ""#, #""\t\u2003\u00a0\n""#, "\"\u{3000}\u{a0}\""] {
            var decoding = Decoding()
            let member = (pointers[field] ?? "\"\(field)\":%").split(separator: "%", omittingEmptySubsequences: false)
            let document = try decoding.document("{\"id\":1,\(member.joined(separator: blank))}")
            #expect(document == #"{"id":"1","state":"broken"}"#)
            #expect(try decoding.value(field).isPresent == (field == "state"))
            #expect(decoding.decoder.drift.isEmpty)
            #expect(!decoding.record.unsupported)
        }
    }

    @Test(arguments: [
        ("MADE", "MADE"), ("made", "MADE"), ("on_the_way", "ON_THE_WAY"), ("On The Way", "ON_THE_WAY"),
        ("ON-THE-WAY", "ON_THE_WAY"), ("größe", "Größe"), ("GRÖSSE", "Größe"), ("Gro\u{308}ße", "Größe"),
        ("other", "OTHER"),
    ])
    func `codes compare without case, and space, dash and underscore are equal`(value: String, code: String) throws {
        var decoding = Decoding()
        let document = try decoding.document(#"{"id":1,"phase":"\#(value)"}"#)
        #expect(document.hasPrefix(#"{"id":"1","phase":"\#(code)","#))
        #expect(!document.contains("phase.raw"))
    }

    @Test(arguments: [
        (#""BROKEN_PHASE""#, #""BROKEN_PHASE""#), (#"" made""#, #"" made""#), (#""a\"\u0142""#, #""a\"ł""#),
        ("1.50", #""1.50""#), ("true", #""true""#), (#"{ "a" : [ 1 ] }"#, #""{\"a\":[1]}""#), ("[]", #""[]""#),
        (#""ON__THE_WAY""#, #""ON__THE_WAY""#), (#""ONTHEWAY""#, #""ONTHEWAY""#),
    ])
    func `an unknown enum value becomes the fallback code and is carried as it came`(json: String, raw: String) throws {
        var decoding = Decoding()
        let document = try decoding.document("{\"id\":1,\"phase\":\(json)}")
        #expect(document == #"{"id":"1","phase":"OTHER","phase.raw":\#(raw),"state":"broken"}"#)
        #expect(decoding.record.unsupported)
        let range = try #require(try decoding.value("phase").raw)
        let parsed = try JSONValue.parse(raw)
        #expect(parsed == .string(String(decoding: decoding.record.keys[range], as: UTF8.self)))
        #expect(decoding.decoder.drift.newValues.map(\.sight.count) == [1])
    }

    @Test func `a code that is a number upstream is known by its digits`() throws {
        var decoding = Decoding()
        #expect(try decoding.document(#"{"id":1,"phase":7}"#) == #"{"id":"1","phase":"7","state":"broken"}"#)
    }

    @Test(arguments: [
        ("name", "5"), ("name", "true"), ("name", "[]"), ("pieces", "1.5"), ("pieces", #""many""#), ("pieces", "true"),
        ("pieces", #""1,000""#), ("made_at", "1234567890"), ("made_at", #""2026-01-01""#), ("made_at", "{}"),
        ("day", #""2026-02-30""#), ("day", #""2026-01-01T00:00:00Z""#), ("fragile", #""true""#), ("fragile", "1"),
        ("picture", "[]"), ("picture", "7"), ("weight", #""NaN""#), ("weight", #""12kg""#), ("weight", "false"),
        ("weight", #""007""#),
    ])
    func `a wrongly typed optional field is left out and counted`(field: String, json: String) throws {
        var decoding = Decoding()
        let member = field == "weight" ? "\"size\":{\"weight\":\(json)}" : "\"\(field)\":\(json)"
        #expect(try decoding.document("{\"id\":1,\(member)}") == #"{"id":"1","state":"broken"}"#)
        #expect(decoding.decoder.drift.typeChanges.map(\.field) == [field])
        #expect(try decoding.value(field).isPresent == false)
    }

    @Test(arguments: [
        ("name", #"{"id":1,"name":5}"#, "the required field 'name' is of the type text, found a number", "/name"),
        (
            "weight", #"{"id":1,"size":{"weight":[]}}"#,
            "the required field 'weight' is of the type decimal, found an array", "/size/weight"
        ),
        (
            "made_at", #"{"id":1,"made_at":"x"}"#,
            "the required field 'made_at' is of the type instant, found a string", "/made_at"
        ),
        ("name", #"{"id":1}"#, "the required field 'name' is missing", "/name"),
        ("name", #"{"id":1,"name":" "}"#, "the required field 'name' is missing", "/name"),
        ("phase", #"{"id":1}"#, "the required field 'phase' is missing", "/phase"),
    ])
    func `a required field without a value of its type sends the record to quarantine`(
        field: String, json: String, reason: String, pointer: String
    ) throws {
        var decoding = Decoding(ShipmentFixture.definition(requiring: [field]))
        try decoding.document(json)
        #expect(decoding.outcome == .quarantined(reason: reason, pointer: pointer))
    }

    @Test
    func `a required enum never loses a record whose value is unknown, or missing where there is a code for that`()
        throws
    {
        var decoding = Decoding(ShipmentFixture.definition(requiring: ["phase", "state"]))
        #expect(
            try decoding.document(#"{"id":1,"phase":{}}"#)
                == #"{"id":"1","phase":"OTHER","phase.raw":"{}","state":"broken"}"#)
    }

    @Test(arguments: [
        (#""12.50""#, "12.50"), (#"" 7 ""#, "7"), ("1e3", "1e3"),
        ("123456789012345678901234567890.123456789", "123456789012345678901234567890.123456789"),
        ("-0.10", "-0.10"), (#""1E-2""#, "1E-2"),
    ])
    func `a decimal keeps the digits it came with, from a string too`(json: String, digits: String) throws {
        var decoding = Decoding()
        let document = try decoding.document("{\"id\":1,\"size\":{\"weight\":\(json)}}")
        #expect(document == #"{"id":"1","state":"broken","weight":\#(digits)}"#)
        #expect(try decoding.key("weight") == KeyEncoding.number(digits))
    }

    @Test(arguments: [
        ("5", "5"), (#""5""#, "5"), ("5.0", "5.0"), ("1e3", "1e3"), ("-12345678901234567890", "-12345678901234567890"),
    ])
    func `an integer is any number without a fraction`(json: String, digits: String) throws {
        var decoding = Decoding()
        let document = try decoding.document("{\"id\":1,\"pieces\":\(json)}")
        #expect(document == #"{"id":"1","state":"broken","pieces":\#(digits)}"#)
    }

    @Test func `identifying a record takes its id and upstream bytes, and the rest can follow`() throws {
        var decoder = RecordDecoder(definition: ShipmentFixture.definition())
        var record = DecodedRecord()
        var tape = JSONTape()
        let bytes = Array(#"{"name": "n", "id": 7}"#.utf8)
        _ = try tape.parse(bytes.rawSpan, depth: 64)
        #expect(decoder.identify(tape, bytes.rawSpan, into: &record) == .accepted)
        #expect(record.id == Array("7".utf8))
        #expect(record.idKey == KeyEncoding.natural("7"))
        #expect(record.upstream == Array(#"{"name":"n","id":7}"#.utf8))
        #expect(decoder.complete(tape, bytes.rawSpan, into: &record) == .accepted)
        #expect(record.document == Array(#"{"id":"7","name":"n","state":"broken"}"#.utf8))
    }

    @Test func `escaped names and values mean what they stand for`() throws {
        var decoding = Decoding()
        let document = try decoding.document(
            #"{"\u0069d":"\u0031","n\u0061me":"Wys\u0142ana\nx\u0001\u007f \ud83d\ude00","picture":"http:\/\/a\/"}"#)
        #expect(
            document
                == #"{"id":"1","name":"Wysłana\nx\u0001\#u{7f} 😀","state":"broken","picture":"http://a/"}"#)
    }

    @Test func `a decoder leaves nothing of one record in the next`() throws {
        var decoding = Decoding()
        try decoding.document(#"{"id":"first","name":"A","phase":"odd","parts":[1],"picture":"x"}"#)
        #expect(try decoding.document(#"{"id":"second"}"#) == #"{"id":"second","state":"broken"}"#)
        #expect(decoding.record.upstream == Array(#"{"id":"second"}"#.utf8))
        #expect(!decoding.record.unsupported)
        #expect(try decoding.value("name").isPresent == false)
        #expect(try decoding.value("phase").raw == nil)
        try decoding.document(#"{"name":"quarantined"}"#)
        #expect(try decoding.document(#"{"id":"third"}"#) == #"{"id":"third","state":"broken"}"#)
    }

    @Test func `members in any order, left out or added, are found`() throws {
        var random = SeededGenerator(4)
        var decoding = Decoding()
        let members = [
            ("name", #""name":"n""#), ("phase", #""phase":"MADE""#), ("pieces", #""pieces":1"#),
            ("day", #""day":"2026-01-01""#),
            ("fragile", #""fragile":false"#), ("x1", #""x1":1"#), ("x2", #""x2":{"name":2}"#),
        ]
        for round in 0..<2000 {
            let chosen = members.filter { _ in Bool.random(using: &random) }.shuffled(using: &random)
            var all = chosen.map(\.1)
            all.insert("\"id\":\(round)", at: Int.random(in: 0...all.count, using: &random))
            try decoding.document("{\(all.joined(separator: ","))}")
            #expect(String(decoding: decoding.record.id, as: UTF8.self) == "\(round)")
            for name in ["name", "phase", "pieces", "day", "fragile"] {
                #expect(try decoding.value(name).isPresent == chosen.contains { $0.0 == name })
            }
        }
    }

    private enum Failure: Error { case notAnObject }
}
