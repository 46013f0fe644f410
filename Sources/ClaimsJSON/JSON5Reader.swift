// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// The characters of a JSON5 file, and the position of the reader.
struct JSON5Reader {
    struct Location {
        let line: Int
        let column: Int
    }

    let file: String
    private let scalars: [Unicode.Scalar]
    private var position = 0
    private var line = 1
    private var column = 1
    /// The location of the last token of the latest value: a simple value itself, or the bracket that closes an object
    /// or array.
    private var lastToken = Location(line: 1, column: 1)

    init(_ bytes: [UInt8], file: String) throws(JSON5Error) {
        self.file = file
        var scalars: [Unicode.Scalar] = []
        scalars.reserveCapacity(bytes.count)
        var decoder = UTF8()
        var source = bytes.makeIterator()
        decoding: while true {
            switch decoder.decode(&source) {
            case .scalarValue(let scalar): scalars.append(scalar)
            case .emptyInput: break decoding
            case .error:
                self.scalars = scalars
                while position < scalars.count { advance() }
                throw error("invalid UTF-8")
            }
        }
        self.scalars = scalars
    }

    var isAtEnd: Bool { position >= scalars.count }
    var location: Location { Location(line: line, column: column) }

    /// The next character; nil at the end.
    var next: Unicode.Scalar? { position < scalars.count ? scalars[position] : nil }

    /// The character after the next.
    var second: Unicode.Scalar? { position + 1 < scalars.count ? scalars[position + 1] : nil }

    /// Steps over the next character.
    mutating func advance() {
        guard let scalar = next else { return }
        position += 1
        // A carriage return before a newline is part of the same line end.
        if Self.isLineEnd(scalar), !(scalar == "\r" && next == "\n") {
            line += 1
            column = 1
        } else {
            column += 1
        }
    }

    /// Steps over the next character if it is `scalar`.
    mutating func skip(_ scalar: Unicode.Scalar) -> Bool {
        guard next == scalar else { return false }
        advance()
        return true
    }

    func error(_ message: String) -> JSON5Error { error(message, at: location) }

    func error(_ message: String, at location: Location) -> JSON5Error {
        JSON5Error(file: file, line: location.line, column: location.column, message: message)
    }

    /// The error if `expected` does not come; it mentions the end of the file.
    func unexpected(_ expected: String) -> JSON5Error {
        error(isAtEnd ? "expected \(expected), but the file ends here" : "expected \(expected)")
    }

    /// The error about a value that is followed by no comma and no bracket: it lies with the value, often lines before.
    private func unseparated(_ expected: String) -> JSON5Error {
        isAtEnd ? unexpected(expected) : error("expected \(expected) after this value", at: lastToken)
    }

    /// Skips white space and comments.
    mutating func skipBlank() throws(JSON5Error) {
        while let scalar = next {
            if scalar == "/", second == "/" {
                while let scalar = next, !Self.isLineEnd(scalar) { advance() }
            } else if scalar == "/", second == "*" {
                try skipBlockComment()
            } else if Self.isWhiteSpace(scalar) {
                advance()
            } else {
                return
            }
        }
    }

    private mutating func skipBlockComment() throws(JSON5Error) {
        let start = location
        advance()
        advance()
        while !(next == "*" && second == "/") {
            if isAtEnd { throw error("comment without an end", at: start) }
            advance()
        }
        advance()
        advance()
    }

    static func isLineEnd(_ scalar: Unicode.Scalar) -> Bool {
        scalar == "\n" || scalar == "\r" || scalar == "\u{2028}" || scalar == "\u{2029}"
    }

    /// JSON5 section 8, line ends among it.
    static func isWhiteSpace(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "\t", "\n", "\u{B}", "\u{C}", "\r", " ", "\u{A0}", "\u{2028}", "\u{2029}", "\u{FEFF}": true
        default: !scalar.isASCII && scalar.properties.generalCategory == .spaceSeparator
        }
    }
}

extension JSON5Reader {
    /// The value that begins here. It recurses, at most `depth` levels.
    mutating func node(depth: Int) throws(JSON5Error) -> JSON5Node {
        let start = location
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
        switch value {
        case .array, .object: break
        case .null, .bool, .number, .string: lastToken = start
        }
        return JSON5Node(value: value, file: file, line: start.line, column: start.column)
    }

    private mutating func array(depth: Int) throws(JSON5Error) -> JSON5Value {
        advance()
        var elements: [JSON5Node] = []
        while true {
            try skipBlank()
            let end = location
            if skip("]") {
                lastToken = end
                return .array(elements)
            }
            elements.append(try node(depth: depth))
            try skipBlank()
            if next != "]", !skip(",") { throw unseparated("',' or ']'") }
        }
    }

    private mutating func object(depth: Int) throws(JSON5Error) -> JSON5Value {
        advance()
        var members: [JSON5Member] = []
        var lines: [String: Int] = [:]
        while true {
            try skipBlank()
            let start = location
            if skip("}") {
                lastToken = start
                return .object(members)
            }
            let key = try self.key()
            if let line = lines.updateValue(start.line, forKey: key) {
                throw error("key \"\(key)\" occurs twice, first in line \(line)", at: start)
            }
            try skipBlank()
            guard skip(":") else { throw unexpected("':'") }
            try skipBlank()
            let node = try self.node(depth: depth)
            members.append(JSON5Member(key: key, keyLine: start.line, keyColumn: start.column, node: node))
            try skipBlank()
            if next != "}", !skip(",") { throw unseparated("',' or '}'") }
        }
    }

    private mutating func key() throws(JSON5Error) -> String {
        if next == "\"" || next == "'" { return try string() }
        let start = location
        let name = try identifier()
        if name.isEmpty { throw unexpected("a key") }
        guard let first = name.unicodeScalars.first, Self.beginsIdentifier(first) else {
            throw error("expected a key", at: start)
        }
        return name
    }

    private mutating func word() throws(JSON5Error) -> JSON5Value {
        let start = location
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
                let start = location
                advance()
                guard skip("u") else { throw error("expected a Unicode escape", at: start) }
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
