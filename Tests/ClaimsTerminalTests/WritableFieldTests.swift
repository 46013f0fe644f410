// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsModel
import ClaimsPlatform
@testable import ClaimsTerminal
import Testing

/// The one model of a field that people give a value.
struct WritableFieldTests {
    private func field(_ type: String, schema: String = "{}", isRequired: Bool = false) throws -> WritableField {
        let description = try Example.collection(
            #"{"name":"forms","singular":"form","fields":[{"name":"x","title":"The X","type":"\#(type)"}]}"#)
        let offered = OfferedField(name: "x", isRequired: isRequired, schema: try Example.value(schema))
        return WritableField(offered, of: description, LocalTime(zone: .utc, now: Example.now, messages: .english))
    }

    @Test func `a typed text means a value of the field's type, and an empty one clears it`() throws {
        for (type, text, value) in [
            ("text", "7", JSONValue.string("7")), ("integer", "7", try JSONValue.parse("7")),
            ("integer", "seven", .string("seven")), ("bool", "Yes", true), ("bool", "maybe", .string("maybe")),
            ("json", #"["7"]"#, try JSONValue.parse(#"["7"]"#)), ("date", "2036-01-31", .string("2036-01-31")),
            ("instant", "2036-01-31 14:30", .string("2036-01-31T14:30:00.000Z")),
            ("text", "", .null), ("date", "", .null), ("json", "", .null),
        ] {
            #expect(try field(type).value(typed: text) == value, "\(type) \(text)")
        }
    }

    @Test func `a text that means no value is a mistake with a reason`() throws {
        let day = try field("date")
        let mistake = #expect(throws: TypedMistake.self) { try day.value(typed: "someday") }
        let problem = day.problem(try #require(mistake), hint: nil)
        #expect(problem.field == "x" && problem.kind == "type")
        #expect(problem.message == "not a date: such as 2036-01-31, tomorrow or +30d")
        let list = try field("json")
        let noJSON = #expect(throws: TypedMistake.self) { try list.value(typed: "[1") }
        #expect(try #require(noJSON).message(.english).hasPrefix("not JSON: "))
    }

    @Test func `a value is shown as a person may type it again`() throws {
        let moment = try field("instant")
        let exact = JSONValue.string("2036-01-31T14:30:00.000Z")
        #expect(moment.text(of: exact) == "2036-01-31 14:30")
        #expect(moment.exact(moment.shown(exact)) == exact)
        #expect(moment.exact(.string("someday")) == .string("someday"))
        #expect(try field("integer").text(of: try JSONValue.parse("12345678901234567890")) == "12345678901234567890")
        #expect(try field("json").text(of: try JSONValue.parse(#"{"a": [1]}"#)) == #"{"a":[1]}"#)
        #expect(try field("text").text(of: .null) == "")
    }

    @Test func `a choice is named by its number, its code or its label`() throws {
        let choices = [("a", "Alpha"), ("2", "Beta"), ("c", "c")].map { code, label in
            WritableField.Choice(value: .string(code), label: label)
        }
        #expect(["1", "a", "ALPHA"].map { choices.index(named: $0) } == [0, 0, 0])
        // A number counts before a code, and a code before a label.
        #expect(["2", "beta", "3", "C"].map { choices.index(named: $0) } == [1, 1, 2, 2])
        #expect(["0", "4", "A", ""].map { choices.index(named: $0) } == [nil, nil, nil, nil])
        #expect(choices.map(\.text) == ["Alpha (a)", "Beta (2)", "c"])
        let offered = try field("enum", schema: #"{"enum":["p","q",null],"type":["string","null"]}"#)
        #expect(offered.choices.map(\.label) == ["p", "q"] && offered.isClearable && !offered.isRequired)
        #expect(try !field("enum", schema: #"{"enum":["p"]}"#).isClearable)
        #expect(try !field("text", isRequired: true).isClearable)
    }
}
