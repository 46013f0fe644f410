// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsTestSupport
import Testing

@testable import ClaimsJSON

@Suite struct JSONEqualityTests {
    private func areEqual(_ left: String, _ right: String, ignoring pointers: [String] = []) throws -> Bool {
        let (a, b) = (Array(left.utf8), Array(right.utf8))
        var (leftTape, rightTape) = (JSONTape(), JSONTape())
        _ = try leftTape.parse(a.rawSpan, depth: 64)
        _ = try rightTape.parse(b.rawSpan, depth: 64)
        let tree = JSONPointerTree(try pointers.map { try JSONPointer($0) })
        let result = JSONEquality.areEqual(
            JSONTapeSource(leftTape, a.rawSpan), JSONTapeSource(rightTape, b.rawSpan), ignoring: tree)
        let reverse = JSONEquality.areEqual(
            JSONTapeSource(rightTape, b.rawSpan), JSONTapeSource(leftTape, a.rawSpan), ignoring: tree)
        #expect(result == reverse)
        return result
    }

    @Test(arguments: [
        ("1", "1"), ("1", " 1 "), (#"{"a":1,"b":2}"#, #"{ "b" : 2, "a" : 1 }"#), (#""A\/""#, #""\u0041/""#),
        (#"{"a":1}"#, #"{"\u0061":1}"#), (#"{"a":[{"x":1,"y":2}]}"#, #"{"a":[{"y":2,"x":1}]}"#),
        (#"{"a":1,"a":2}"#, #"{"a":2}"#), (#"{"a":1,"b":3,"a":2}"#, #"{"a":9,"b":3,"a":2}"#),
        (#"{"a":9,"b":3,"a":2}"#, #"{"b":3,"a":2}"#), (#""\ud83d\ude00""#, "\"😀\""),
        (#"{"\u0061":1,"b":[true,false,null]}"#, #"{"b":[true,false,null],"a":1}"#),
    ])
    func `order, white space, escapes and superseded members do not count`(left: String, right: String) throws {
        #expect(try areEqual(left, right))
    }

    @Test(arguments: [
        ("1", "2"), ("1.0", "1.00"), ("1", "1.0"), ("1e2", "100"), ("0", "-0"), ("1", #""1""#), ("true", "false"),
        ("null", "false"), ("[]", "{}"), ("[1,2]", "[2,1]"), ("[1]", "[1,1]"), (#"{"a":1}"#, #"{"a":1,"b":null}"#),
        (#"{"a":1,"b":2}"#, #"{"b":1,"a":2}"#), (#"{"a":1,"a":2}"#, #"{"a":2,"a":1}"#), (#""a""#, #""A""#),
        (#"{"a":1}"#, #"{"b":1}"#), (#""\u0000""#, #""""#),
    ])
    func `all else counts, the digits of numbers too`(left: String, right: String) throws {
        #expect(try !areEqual(left, right))
    }

    @Test func `what a pointer leads to is left out, wherever it is`() throws {
        #expect(try areEqual(#"{"a":1,"s":2}"#, #"{"s":3,"a":1}"#, ignoring: ["/s"]))
        #expect(try areEqual(#"{"a":1}"#, #"{"s":3,"a":1}"#, ignoring: ["/s"]))
        #expect(try areEqual(#"{"r":{"x":1,"y":1}}"#, #"{"r":{"x":1,"y":2}}"#, ignoring: ["/r/y"]))
        #expect(try areEqual(#"{"r":[{"y":1},2]}"#, #"{"r":[{"y":2},2]}"#, ignoring: ["/r/0/y"]))
        #expect(try areEqual("[1]", "[1,2]", ignoring: ["/1"]))
        #expect(try areEqual(#"{"a/b":1,"\u0073":1}"#, #"{"a/b":2,"s":2}"#, ignoring: ["/a~1b", "/s"]))
        #expect(try areEqual("1", "2", ignoring: [""]))
        #expect(try !areEqual(#"{"r":{"x":1,"y":1}}"#, #"{"r":{"x":2,"y":2}}"#, ignoring: ["/r/y"]))
        #expect(try !areEqual(#"{"r":{"y":1}}"#, "{}", ignoring: ["/r/y"]))
        #expect(try !areEqual(#"{"a":1,"s":2}"#, #"{"a":2,"s":2}"#, ignoring: ["/s", "/b"]))
    }

    @Test func `objects of many members are compared in any order, in time that does not explode`() throws {
        let names = (0..<20_000).map { "\"m\($0)\":\($0)" }
        let reversed = "{\(names.reversed().joined(separator: ","))}"
        #expect(try areEqual("{\(names.joined(separator: ","))}", reversed))
        let changed = (names.dropLast() + ["\"m19999\":1"]).joined(separator: ",")
        #expect(try !areEqual("{\(changed)}", reversed))
        #expect(try areEqual("{\(changed)}", reversed, ignoring: ["/m19999"]))
        #expect(try areEqual("{\(names.dropLast().joined(separator: ","))}", reversed, ignoring: ["/m19999"]))
    }

    @Test func `a value equals itself with its members shuffled`() throws {
        var random = SeededGenerator(seed: 7)
        for _ in 0..<300 {
            let value = RandomValue(&random, depth: 4)
            var other = random
            #expect(try areEqual(value.text(&random), value.text(&other)))
            var changed = value
            if changed.change(&random) { #expect(try !areEqual(value.text(&random), changed.text(&other))) }
        }
    }
}

/// A value whose text may spell names in different ways and orders.
private indirect enum RandomValue {
    case number(Int)
    case string(String)
    case array([RandomValue])
    case object([(name: String, value: RandomValue)])

    init(_ random: inout SeededGenerator, depth: Int) {
        switch Int.random(in: 0..<(depth == 0 ? 2 : 4), using: &random) {
        case 0: self = .number(Int.random(in: 0..<9, using: &random))
        case 1: self = .string(["", "a", "é", "\"x\""].randomElement(using: &random) ?? "")
        case 2:
            self = .array(
                (0..<Int.random(in: 0..<4, using: &random)).map { _ in RandomValue(&random, depth: depth - 1) })
        default:
            let count = Int.random(in: 0..<6, using: &random)
            self = .object((0..<count).map { ("n\($0)", RandomValue(&random, depth: depth - 1)) })
        }
    }

    func text(_ random: inout SeededGenerator) -> String {
        switch self {
        case .number(let number): return "\(number)"
        case .string(let text): return Self.spelled(text, &random)
        case .array(let values):
            var texts: [String] = []
            for value in values { texts.append(value.text(&random)) }
            return "[\(texts.joined(separator: Bool.random(using: &random) ? "," : " , "))]"
        case .object(let members):
            var texts: [String] = []
            for member in members.shuffled(using: &random) {
                texts.append("\(Self.spelled(member.name, &random)):\(member.value.text(&random))")
            }
            return "{\(texts.joined(separator: ","))}"
        }
    }

    /// Changes one number at least; false if there is none.
    mutating func change(_ random: inout SeededGenerator) -> Bool {
        switch self {
        case .number(let number):
            self = .number(number + 1)
            return true
        case .string: return false
        case .array(var values):
            for index in values.indices where values[index].change(&random) {
                self = .array(values)
                return true
            }
            return false
        case .object(var members):
            for index in members.indices where members[index].value.change(&random) {
                self = .object(members)
                return true
            }
            return false
        }
    }

    private static func spelled(_ text: String, _ random: inout SeededGenerator) -> String {
        var result = "\""
        for unit in text.utf16 {
            let isPlain = unit < 0x80 && unit != 0x22
            if isPlain, Bool.random(using: &random) {
                result += String(UnicodeScalar(UInt8(unit)))
            } else {
                let digits = String(unit, radix: 16)
                result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            }
        }
        return result + "\""
    }
}
