// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsClient
import ClaimsJSON
import ClaimsTestSupport
@testable import ClaimsTriggers
import Testing

struct ValueHashTests {
    private func hash(_ value: String, _ more: String = "") throws -> UInt64 {
        var hash = ValueHash(key: (1, 2))
        return hash.of(ComparedField("f"), in: try AnswerDocument(Array("{\"f\":\(value)\(more)}".utf8)).root)
    }

    @Test func `equal values have equal hashes, and others do not`() throws {
        let groups = [
            ["1"], ["1.0"], ["1.00"], ["10"], ["\"1\"", "\"\\u0031\""], ["true"], ["false"], ["[]"], ["{}"], ["\"\""],
            ["[1,[2]]", "[ 1 , [2] ]"], ["[[1],2]"], ["[1,2]"], ["[12]"],
            [#"{"a":1,"b":"x"}"#, #"{ "b":"\u0078", "a": 1 }"#, #"{"a":7,"b":"x","a":1}"#], [#"{"a":1,"b":"y"}"#],
            [#"{"a":{"b":1}}"#], [#"{"a":{},"b":1}"#],
        ]
        let hashes = try groups.map { try $0.map { try hash($0) } }
        for group in hashes { #expect(Set(group).count == 1) }
        #expect(Set(hashes.map { $0[0] }).count == groups.count)
        #expect(!hashes.joined().contains(ValueHash.absent))
        #expect(try hash("null") == ValueHash.absent)
    }

    @Test func `the text that came in the place of a code belongs to the value`() throws {
        #expect(try hash("\"other\"", #","f.raw":"A""#) != hash("\"other\"", #","f.raw":"B""#))
        #expect(try hash("\"other\"", #","f.raw":"A""#) != hash("\"other\""))
    }

    @Test func `another key gives other hashes`() throws {
        let record = try AnswerDocument(Array(#"{"f":1}"#.utf8)).root
        var one = ValueHash(key: (1, 2))
        var other = ValueHash(key: (1, 3))
        #expect(one.of(ComparedField("f"), in: record) != other.of(ComparedField("f"), in: record))
    }

    @Test(arguments: 0..<4) func `it agrees with the comparison of the daemon on random values`(_ seed: Int) throws {
        var random = SeededGenerator(seed: UInt64(seed))
        let values = (0..<60).map { _ in Self.value(&random, depth: 3) }
        for left in values {
            for right in values {
                let (a, b) = (Array(left.utf8), Array(right.utf8))
                var (leftTape, rightTape) = (JSONTape(), JSONTape())
                _ = try leftTape.parse(a.rawSpan, depth: 16)
                _ = try rightTape.parse(b.rawSpan, depth: 16)
                let areEqual = JSONEquality.areEqual(
                    JSONTapeSource(leftTape, a.rawSpan), JSONTapeSource(rightTape, b.rawSpan))
                #expect(try (hash(left) == hash(right)) == areEqual, "\(left) \(right)")
            }
        }
    }

    private static func value(_ random: inout SeededGenerator, depth: Int) -> String {
        switch Int.random(in: 0..<(depth > 0 ? 6 : 3), using: &random) {
        case 0: return random.pick(["1", "1.0", "true", "false"])
        case 1: return random.pick([#""a""#, #""\u0061""#, #""""#])
        case 2: return random.pick(["[]", "{}", "0"])
        case 3, 4:
            let names = (0..<Int.random(in: 0...3, using: &random)).map { _ in random.pick(["a", "b", "\\u0061"]) }
            let members = names.map { "\"\($0)\":\(value(&random, depth: depth - 1))" }
            return "{\(members.joined(separator: random.pick([",", " , "])))}"
        default:
            let elements = (0..<Int.random(in: 0...2, using: &random)).map { _ in value(&random, depth: depth - 1) }
            return "[\(elements.joined(separator: ","))]"
        }
    }
}
