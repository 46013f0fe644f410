// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsJSON
import ClaimsTestSupport
import Testing

/// Random and damaged documents: every entry point and a plain second parser say the same.
@Suite struct AgreementTests {
    static let samples = [
        #"{"id":"17","n":[1,-2.5e+3,0],"t":"a\"\\\u00e9\ud83d\ude80ż","o":{"a":null,"b":true,"c":false},"e":{},"f":[]}"#,
        " [ [ ] , { } , \"\" , 0 , -0.0 , 1E-2 , { \"k\" : [ null , true ] } ] \n",
        "\"zażółć gęślą jaźń 🚀 and a rather longer run of plain ASCII text\\n\"",
        "-12.34e+56",
        "[true,false,null,\"\\b\\f\\n\\r\\t\\/\\u0000\"]",
    ].map { Array($0.utf8) }

    static let replacements =
        Array(" \t\n\"\\/{}[]:,-+.0179eEtrufalsnDdx\u{0}\u{1F}\u{7F}".utf8)
        + [0x80, 0xA0, 0xBF, 0xC0, 0xC2, 0xE0, 0xED, 0xEF, 0xF0, 0xF4, 0xF5, 0xFF]

    private func check(_ bytes: [UInt8]) {
        let verdict = Verdict(bytes)
        let expected = ReferenceParser.parse(bytes)
        if !verdict.isUnanimous || verdict.value != expected {
            Issue.record("\(bytes) is \(String(describing: verdict.value)), not \(String(describing: expected))")
        }
    }

    @Test func `every spelling of a tree is read as that tree`() throws {
        var random = RandomJSON(seed: 1)
        for _ in 0..<2_000 {
            let value = random.value(depth: 5)
            let bytes = Array(random.spell(value).utf8)
            let verdict = Verdict(bytes)
            #expect(verdict.isUnanimous && verdict.value == value)
            #expect(ReferenceParser.parse(bytes) == value)
            #expect(try JSONValue.parse(value.compactBytes) == value)
        }
    }

    @Test func `compacting keeps the tree less superseded members`() throws {
        func latest(_ value: JSONValue) -> JSONValue {
            switch value {
            case .array(let elements): return .array(elements.map(latest))
            case .object(let object):
                let members = object.members.enumerated().filter { index, member in
                    !object.members[(index + 1)...].contains { $0.key == member.key }
                }
                return .object(JSONObject(members.map { .init($0.element.key, latest($0.element.value)) }))
            default: return value
            }
        }
        var random = RandomJSON(seed: 2)
        var dropped = 0
        for _ in 0..<2_000 {
            let value = random.value(depth: 5)
            let document = try Document(random.spell(value))
            let compacted = document.compact()
            #expect(try JSONValue.parse(compacted) == latest(value))
            #expect(document.hasDuplicates == (latest(value) != value))
            #expect(!(try Document(compacted)).tape[0].hasWhiteSpace)
            if document.hasDuplicates { dropped += 1 }
        }
        #expect(dropped > 20)
    }

    @Test func `every truncation is refused or is a document too`() {
        for sample in Self.samples {
            for length in 0..<sample.count { check(Array(sample[..<length])) }
        }
    }

    @Test func `every damaged byte gives the same verdict everywhere`() {
        for sample in Self.samples {
            for index in sample.indices {
                for replacement in Self.replacements {
                    var bytes = sample
                    bytes[index] = replacement
                    check(bytes)
                }
            }
        }
    }

    @Test func `every missing, doubled or flipped byte gives the same verdict everywhere`() {
        for sample in Self.samples {
            for index in sample.indices {
                var missing = sample
                missing.remove(at: index)
                check(missing)
                var doubled = sample
                doubled.insert(sample[index], at: index)
                check(doubled)
                for bit in 0..<8 {
                    var flipped = sample
                    flipped[index] ^= 1 << bit
                    check(flipped)
                }
            }
        }
    }

    @Test func `random bytes never crash`() {
        var generator = SeededGenerator(seed: 3)
        for _ in 0..<20_000 {
            let length = Int.random(in: 0...24, using: &generator)
            check((0..<length).map { _ in Self.replacements.randomElement(using: &generator) ?? 0 })
        }
    }
}
