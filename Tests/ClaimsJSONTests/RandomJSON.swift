// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsTestSupport

/// Random trees, and random spellings of a tree: white space and escapes where the grammar leaves a choice.
struct RandomJSON {
    var generator: SeededGenerator

    init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

    mutating func value(depth: Int) -> JSONValue {
        switch Int.random(in: 0..<(depth > 0 ? 9 : 5), using: &generator) {
        case 0: return .null
        case 1: return .bool(Bool.random(using: &generator))
        case 2: return .number(number())
        case 3, 4: return .string(text())
        case 5, 6:
            return .array((0..<Int.random(in: 0...4, using: &generator)).map { _ in value(depth: depth - 1) })
        default:
            let count = Int.random(in: 0...5, using: &generator)
            return .object(JSONObject((0..<count).map { _ in .init(text(), value(depth: depth - 1)) }))
        }
    }

    mutating func spell(_ value: JSONValue) -> String {
        let body: String
        switch value {
        case .null: body = "null"
        case .bool(let isTrue): body = isTrue ? "true" : "false"
        case .number(let digits): body = digits
        case .string(let text): body = spell(text)
        case .array(let elements):
            body = "[" + space() + elements.map { spell($0) }.joined(separator: ",") + "]"
        case .object(let object):
            let members = object.members.map { space() + spell($0.key) + space() + ":" + spell($0.value) }
            body = "{" + space() + members.joined(separator: ",") + "}"
        }
        return space() + body + space()
    }

    private mutating func spell(_ text: String) -> String {
        var out = "\""
        for scalar in text.unicodeScalars {
            let isEscaped = scalar.value < 0x20 || scalar == "\"" || scalar == "\\"
            guard isEscaped || Int.random(in: 0..<8, using: &generator) == 0 else {
                out.unicodeScalars.append(scalar)
                continue
            }
            for unit in String(scalar).utf16 {
                let digits = String(unit, radix: 16, uppercase: Bool.random(using: &generator))
                out += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            }
        }
        return out + "\""
    }

    private mutating func space() -> String {
        guard Int.random(in: 0..<4, using: &generator) == 0 else { return "" }
        let count = Int.random(in: 1...11, using: &generator)
        return (0..<count).map { _ in [" ", " ", " ", "\t", "\n", "\r"].randomElement(using: &generator) ?? "" }
            .joined()
    }

    private mutating func text() -> String {
        let alphabet: [Unicode.Scalar] = [
            "a", "b", "c", "k", " ", "/", "\"", "\\", "\n", "\u{0}", "\u{1F}", "\u{7F}", "ż", "€", "\u{FFFF}", "🚀",
        ]
        var text = String.UnicodeScalarView()
        for _ in 0..<Int.random(in: 0...12, using: &generator) {
            text.append(alphabet.randomElement(using: &generator) ?? "a")
        }
        return String(text)
    }

    private mutating func number() -> String {
        let whole = ["0", "-0", "7", "-12", "1234567890123456789012345"].randomElement(using: &generator) ?? "0"
        let fraction = ["", "", ".0", ".125"].randomElement(using: &generator) ?? ""
        let exponent = ["", "", "e5", "E+05", "e-400"].randomElement(using: &generator) ?? ""
        return whole + fraction + exponent
    }
}
