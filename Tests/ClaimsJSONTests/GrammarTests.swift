// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsJSON
import Testing

/// RFC 8259 to the letter, through every entry point.
@Suite struct GrammarTests {
    @Test func `whatever is JSON is accepted`() {
        for grammarCase in GrammarCase.accepted {
            let verdict = Verdict(grammarCase.bytes, depth: 500)
            #expect(verdict.isUnanimous, "\(grammarCase.name)")
            #expect(verdict.value != nil, "\(grammarCase.name)")
            #expect(verdict.value == ReferenceParser.parse(grammarCase.bytes, depth: 500), "\(grammarCase.name)")
        }
    }

    @Test func `whatever is not JSON is refused`() {
        for grammarCase in GrammarCase.rejected {
            let verdict = Verdict(grammarCase.bytes)
            #expect(verdict.isUnanimous, "\(grammarCase.name)")
            #expect(verdict.value == nil, "\(grammarCase.name)")
            #expect(ReferenceParser.parse(grammarCase.bytes) == nil, "\(grammarCase.name)")
        }
    }

    @Test func `any depth can be refused and any can be read`() throws {
        let deep = Array((String(repeating: "[", count: 1_000_000) + String(repeating: "]", count: 1_000_000)).utf8)
        try JSONValidator.validate(deep.rawSpan, depth: 1_000_000)
        #expect(throws: JSONError(.tooDeep, at: 999_999)) { try JSONValidator.validate(deep.rawSpan, depth: 999_999) }
        var tape = JSONTape()
        _ = try tape.parse(deep.rawSpan, depth: 1_000_000)
        #expect(tape.count == 1_000_000)
        #expect(throws: JSONError(.tooDeep, at: 1024)) { try JSONValue.parse(deep, depth: .max) }
    }

    @Test func `objects and arrays are told apart at any depth`() throws {
        let opening = (0..<300).map { $0 % 3 == 0 ? "[" : #"{"k":"# }
        let closing = (0..<300).reversed().map { $0 % 3 == 0 ? "]" : "}" }
        let good = Array((opening + ["0"] + closing).joined().utf8)
        #expect(Verdict(good, depth: 300).value != nil)
        for index in good.indices.suffix(300) {
            var bad = good
            bad[index] = bad[index] == UInt8(ascii: "]") ? UInt8(ascii: "}") : UInt8(ascii: "]")
            let verdict = Verdict(bad, depth: 300)
            #expect(verdict.value == nil && verdict.isUnanimous)
        }
    }

    @Test func `a special byte is found at every place of a string of any length`() throws {
        for length in 0..<40 {
            let plain = Array(String(repeating: "x", count: length).utf8)
            for place in 0...length {
                for (special, isFine) in [("\\n", true), ("ż", true), ("😀", true), ("\n", false), ("\u{0}", false)] {
                    let text = plain[..<place] + Array(special.utf8) + plain[place...]
                    let bytes = [UInt8(ascii: "\"")] + text + [UInt8(ascii: "\"")]
                    #expect((Verdict(bytes).value != nil) == isFine)
                    #expect(throws: JSONError.self) { try Document(Array(bytes.dropLast())) }
                }
            }
        }
    }

    @Test(arguments: [
        ("", JSONError.Code.unexpectedEnd, 0), ("[1,2", .unexpectedEnd, 4), ("[1 2]", .expectedCommaOrBracket, 3),
        (#"{"a":1 "b""#, .expectedCommaOrBrace, 7), ("{1", .expectedKey, 1), (#"{"a" 1}"#, .expectedColon, 5),
        ("[01]", .badNumber, 2), ("[1.]", .badNumber, 3), (#""\q""#, .badEscape, 2), (#""\ud800""#, .loneSurrogate, 1),
        ("\"a\nb\"", .controlCharacter, 2), ("1 2", .trailingBytes, 2), ("[tru]", .expectedValue, 4),
        ("<html>", .expectedValue, 0), (#""\u12"#, .unexpectedEnd, 5), ("\"ab", .unexpectedEnd, 3),
    ])
    func `an error says what and where`(text: String, code: JSONError.Code, offset: Int) {
        #expect(throws: JSONError(code, at: offset)) { try Document(text) }
    }

    @Test func `an error reads like a sentence`() {
        #expect(JSONError(.unexpectedEnd, at: 4096).message == "unexpected end at byte 4096")
        #expect(JSONError(.expectedCommaOrBrace, at: 7).message == "expected ',' or '}' at byte 7")
    }
}
