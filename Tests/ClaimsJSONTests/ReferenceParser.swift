// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON

/// A second reading of RFC 8259, as plain as can be: characters of a validated string, one function a rule, recursion.
///
/// It shares nothing with the module but the type of its result.
struct ReferenceParser {
    private struct Failure: Error {}

    private let characters: [Unicode.Scalar]
    private var position = 0

    /// The value of a document, or nil if it is none.
    static func parse(_ bytes: [UInt8], depth: Int = 64) -> JSONValue? {
        guard let text = String(validating: bytes, as: UTF8.self) else { return nil }
        var parser = ReferenceParser(text)
        guard let value = try? parser.padded(depth), parser.position == parser.characters.count else { return nil }
        return value
    }

    private init(_ text: String) { characters = Array(text.unicodeScalars) }

    private var next: Unicode.Scalar? { position < characters.count ? characters[position] : nil }

    private mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard next == character else { return false }
        position += 1
        return true
    }

    private mutating func demand(_ text: String) throws {
        for character in text.unicodeScalars where !take(character) { throw Failure() }
    }

    private mutating func blank() {
        while let character = next, " \t\n\r".unicodeScalars.contains(character) { position += 1 }
    }

    private mutating func padded(_ depth: Int) throws -> JSONValue {
        blank()
        let value = try self.value(depth)
        blank()
        return value
    }

    private mutating func value(_ depth: Int) throws -> JSONValue {
        switch next {
        case "{": return .object(try object(depth))
        case "[": return .array(try array(depth))
        case "\"": return .string(try string())
        case "t":
            try demand("true")
            return .bool(true)
        case "f":
            try demand("false")
            return .bool(false)
        case "n":
            try demand("null")
            return .null
        default: return .number(try number())
        }
    }

    private mutating func array(_ depth: Int) throws -> [JSONValue] {
        guard depth > 0 else { throw Failure() }
        try demand("[")
        blank()
        if take("]") { return [] }
        var elements = [try padded(depth - 1)]
        while take(",") { elements.append(try padded(depth - 1)) }
        try demand("]")
        return elements
    }

    private mutating func object(_ depth: Int) throws -> JSONObject {
        guard depth > 0 else { throw Failure() }
        try demand("{")
        blank()
        if take("}") { return JSONObject() }
        var members: [JSONObject.Member] = []
        repeat {
            blank()
            let key = try string()
            blank()
            try demand(":")
            members.append(.init(key, try padded(depth - 1)))
        } while take(",")
        try demand("}")
        return JSONObject(members)
    }

    private mutating func string() throws -> String {
        try demand("\"")
        var units: [UInt16] = []
        while let character = next {
            position += 1
            if character == "\"" {
                guard let text = String(validating: units, as: UTF16.self) else { throw Failure() }
                return text
            }
            guard character.value >= 0x20 else { throw Failure() }
            if character == "\\" { units.append(try escape()) } else { units += String(character).utf16 }
        }
        throw Failure()
    }

    private mutating func escape() throws -> UInt16 {
        let table: [Unicode.Scalar: UInt16] = [
            "\"": 34, "\\": 92, "/": 47, "b": 8, "f": 12, "n": 10, "r": 13, "t": 9,
        ]
        guard let character = next else { throw Failure() }
        position += 1
        if let unit = table[character] { return unit }
        guard character == "u", position + 4 <= characters.count else { throw Failure() }
        let digits = characters[position..<position + 4]
        guard digits.allSatisfy({ $0.isASCII && $0.properties.isASCIIHexDigit }) else { throw Failure() }
        position += 4
        return UInt16(String(String.UnicodeScalarView(digits)), radix: 16) ?? 0
    }

    private mutating func number() throws -> String {
        let start = position
        _ = take("-")
        let whole = try digits()
        if whole.count > 1, whole.first == "0" { throw Failure() }
        if take(".") { _ = try digits() }
        if take("e") || take("E") {
            if !take("+") { _ = take("-") }
            _ = try digits()
        }
        return String(String.UnicodeScalarView(characters[start..<position]))
    }

    private mutating func digits() throws -> String {
        let start = position
        while let character = next, ("0"..."9").contains(character) { position += 1 }
        guard position > start else { throw Failure() }
        return String(String.UnicodeScalarView(characters[start..<position]))
    }
}
