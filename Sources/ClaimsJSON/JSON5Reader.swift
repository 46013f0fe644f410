// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// The characters of a JSON5 file, and how far they have been read.
struct JSON5Reader {
    struct Place {
        let line: Int
        let column: Int
    }

    let file: String
    private let scalars: [Unicode.Scalar]
    private var position = 0
    private var line = 1
    private var column = 1

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
    var place: Place { Place(line: line, column: column) }

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
    mutating func take(_ scalar: Unicode.Scalar) -> Bool {
        guard next == scalar else { return false }
        advance()
        return true
    }

    func error(_ message: String) -> JSON5Error { error(message, at: place) }

    func error(_ message: String, at place: Place) -> JSON5Error {
        JSON5Error(file: file, line: place.line, column: place.column, message: message)
    }

    /// The error where `expected` does not come; it says so if the file has ended.
    func unexpected(_ expected: String) -> JSON5Error {
        error(isAtEnd ? "expected \(expected), but the file ends here" : "expected \(expected)")
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
        let start = place
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
