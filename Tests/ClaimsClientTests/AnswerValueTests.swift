// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsClient
import Testing

struct AnswerValueTests {
    private let root: AnswerValue

    init() throws {
        let json = #"{"a":{"b":[1,"t\u0065xt",null,true,{"n":12345678901234567890}]},"empty":[],"none":null}"#
        root = try AnswerDocument(Array(json.utf8)).root
    }

    @Test func `members and elements are found where they lie`() {
        let list = root["a"]?["b"]?.elements ?? []
        #expect(list.map(\.text) == ["1", "text", "null", "true", #"{"n":12345678901234567890}"#])
        #expect(list[0].integer == 1)
        #expect(list[3].bool == true)
        #expect(root.members.map(\.name) == ["a", "empty", "none"])
        #expect(root["empty"]?.elements.isEmpty == true)
    }

    @Test func `null and what is missing are nil`() {
        #expect(root["none"] == nil)
        #expect(root["other"] == nil)
        #expect(root["a"]?["b"]?["c"] == nil)
    }

    @Test func `a number too large for an integer keeps its digits`() {
        let number = root["a"]?["b"]?.elements.last?["n"]
        #expect(number?.integer == nil)
        #expect(number?.source == "12345678901234567890")
    }
}
