// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

extension JSON5Reader {
    /// The value that begins here. It recurses, at most `depth` levels.
    mutating func node(depth: Int) throws(JSON5Error) -> JSON5Node {
        let start = place
        let value: JSON5Value
        switch next {
        case "{":
            guard depth > 0 else { throw error("nested too deep") }
            value = try object(depth: depth - 1)
        case "[":
            guard depth > 0 else { throw error("nested too deep") }
            value = try array(depth: depth - 1)
        case "\"", "'":
            value = .string(try string())
        case "+", "-", ".", "I", "N", .some("0"..."9"):
            value = .number(try number())
        case "t", "f", "n":
            value = try word()
        default:
            throw unexpected("a value")
        }
        return JSON5Node(value: value, file: file, line: start.line, column: start.column)
    }

    private mutating func array(depth: Int) throws(JSON5Error) -> JSON5Value {
        advance()
        var elements: [JSON5Node] = []
        while true {
            try skipBlank()
            if take("]") { return .array(elements) }
            elements.append(try node(depth: depth))
            try skipBlank()
            if next != "]", !take(",") { throw unexpected("',' or ']'") }
        }
    }

    private mutating func object(depth: Int) throws(JSON5Error) -> JSON5Value {
        advance()
        var members: [JSON5Member] = []
        var lines: [String: Int] = [:]
        while true {
            try skipBlank()
            if take("}") { return .object(members) }
            let start = place
            let key = try self.key()
            if let line = lines.updateValue(start.line, forKey: key) {
                throw error("key \"\(key)\" occurs twice, first in line \(line)", at: start)
            }
            try skipBlank()
            guard take(":") else { throw unexpected("':'") }
            try skipBlank()
            let node = try self.node(depth: depth)
            members.append(JSON5Member(key: key, keyLine: start.line, keyColumn: start.column, node: node))
            try skipBlank()
            if next != "}", !take(",") { throw unexpected("',' or '}'") }
        }
    }

    private mutating func key() throws(JSON5Error) -> String {
        if next == "\"" || next == "'" { return try string() }
        let start = place
        let name = try identifier()
        if name.isEmpty { throw unexpected("a key") }
        guard let first = name.unicodeScalars.first, Self.beginsIdentifier(first) else {
            throw error("expected a key", at: start)
        }
        return name
    }

    private mutating func word() throws(JSON5Error) -> JSON5Value {
        let start = place
        switch try identifier() {
        case "true": return .bool(true)
        case "false": return .bool(false)
        case "null": return .null
        default: throw error("expected a value", at: start)
        }
    }

    /// The run of identifier characters here, escapes resolved; it may be empty.
    mutating func identifier() throws(JSON5Error) -> String {
        var name = String.UnicodeScalarView()
        while let scalar = next {
            if scalar == "\\" {
                let start = place
                advance()
                guard take("u") else { throw error("expected a Unicode escape", at: start) }
                let escaped = try unicodeEscape(from: start)
                guard Self.continuesIdentifier(escaped) else { throw error("no character of a key", at: start) }
                name.append(escaped)
            } else if Self.continuesIdentifier(scalar) {
                name.append(scalar)
                advance()
            } else {
                break
            }
        }
        return String(name)
    }

    /// IdentifierStart of ECMAScript 5.1, section 7.6.
    private static func beginsIdentifier(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "a"..."z", "A"..."Z", "$", "_": return true
        default:
            guard !scalar.isASCII else { return false }
            switch scalar.properties.generalCategory {
            case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .letterNumber:
                return true
            default: return false
            }
        }
    }

    /// IdentifierPart of ECMAScript 5.1, section 7.6.
    static func continuesIdentifier(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "0"..."9", "\u{200C}", "\u{200D}": return true
        case _ where beginsIdentifier(scalar): return true
        default:
            guard !scalar.isASCII else { return false }
            switch scalar.properties.generalCategory {
            case .nonspacingMark, .spacingMark, .decimalNumber, .connectorPunctuation: return true
            default: return false
            }
        }
    }
}
