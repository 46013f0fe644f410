// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import Testing

@Suite struct JSONValueTests {
    @Test func `a tree keeps order, digits and duplicates`() throws {
        let text = #"{"b":1.50,"a":[true,null,"\u00e9"],"b":12345678901234567890123}"#
        let value = try JSONValue.parse(text)
        #expect(value.object?.members.map(\.key) == ["b", "a", "b"])
        #expect(value["b"] == .number("12345678901234567890123"))
        #expect(value["b"]?.integer == nil)
        #expect(value["a"]?.array?.last?.string == "é")
        #expect(value["c"] == nil && value.string == nil)
        #expect(String(decoding: value.compactBytes, as: UTF8.self) == text.replacing("\\u00e9", with: "é"))
    }

    @Test(arguments: [
        ("0", 0), ("-7", -7), ("9223372036854775807", Int64.max), ("9223372036854775808", nil), ("1.0", nil),
        ("1e3", nil), ("\"1\"", nil),
    ])
    func `an integer is a number without fraction and exponent that fits`(text: String, expected: Int64?) throws {
        #expect(try JSONValue.parse(text).integer == expected)
    }

    @Test func `literals make trees`() {
        let value: JSONValue = ["a": [1, true, nil, "x"], "b": [:]]
        #expect(String(decoding: value.compactBytes, as: UTF8.self) == #"{"a":[1,true,null,"x"],"b":{}}"#)
        #expect(value["a"]?.kind == .array && value["b"]?.object?.isEmpty == true)
    }

    @Test func `members of an object are set, appended and removed by key`() {
        var object: JSONObject = ["a": 1, "b": 2, "a": 3]
        object["a"] = 4
        object["c"] = 5
        #expect(object == ["a": 1, "b": 2, "a": 4, "c": 5])
        object["a"] = nil
        #expect(object == ["b": 2, "c": 5] && object.count == 2)
    }
}
