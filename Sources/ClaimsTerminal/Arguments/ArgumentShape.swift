// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// The shape of an argument by the filter grammar alone, without knowledge of any field.
///
/// Quotes count where the grammar lets them begin: at the start of a word or of a value. So `d'Ivoire` has none.
struct ArgumentShape: Equatable {
    /// An operator outside quotes; the offset after the first one, in bytes.
    private(set) var operatorEnd: Int?
    private(set) var hasParenthesis = false
    private(set) var areParenthesesBalanced = true
    /// A lone `and` or `or` outside quotes.
    private(set) var hasJoiningWord = false
    /// A word that ends in `.any` or `.none`.
    private(set) var testsPresence = false
    /// White space outside quotes and parentheses: more than one term.
    private(set) var hasSeveralTerms = false
    /// The whole argument is one quoted string.
    private(set) var isQuoted = false

    /// It is a filter, not something to look for.
    var isFilter: Bool { operatorEnd != nil || hasParenthesis || testsPresence || isQuoted }

    init(_ text: [UInt8]) {
        var depth = 0
        var index = 0
        var mayQuote = true
        var wordStart: Int?
        while index < text.count {
            let byte = text[index]
            if mayQuote, let end = Self.quotedEnd(text, from: index) {
                if index == 0, end == text.count { isQuoted = true }
                index = end
                mayQuote = false
                continue
            }
            switch byte {
            case UInt8(ascii: " "), 0x09...0x0D:
                endWord(text, &wordStart, before: index)
                if depth == 0 { hasSeveralTerms = true }
                mayQuote = true
            case UInt8(ascii: "("):
                endWord(text, &wordStart, before: index)
                hasParenthesis = true
                depth += 1
                mayQuote = true
            case UInt8(ascii: ")"):
                endWord(text, &wordStart, before: index)
                hasParenthesis = true
                depth -= 1
                if depth < 0 { areParenthesesBalanced = false }
                mayQuote = true
            case UInt8(ascii: "="), UInt8(ascii: "~"), UInt8(ascii: "<"), UInt8(ascii: ">"):
                if operatorEnd == nil { operatorEnd = Self.operatorEnd(text, from: index) }
                wordStart = nil
                mayQuote = true
            case UInt8(ascii: ","):
                mayQuote = true
            case UInt8(ascii: ".") where index + 1 < text.count && text[index + 1] == UInt8(ascii: "."):
                index += 1
                mayQuote = true
            default:
                if mayQuote, wordStart == nil, index == 0 || Self.isBoundary(text[index - 1]) { wordStart = index }
                mayQuote = false
            }
            index += 1
        }
        endWord(text, &wordStart, before: text.count)
        if depth != 0 { areParenthesesBalanced = false }
    }

    private mutating func endWord(_ text: [UInt8], _ start: inout Int?, before end: Int) {
        defer { start = nil }
        guard let start else { return }
        let word = String(decoding: text[start..<end], as: UTF8.self)
        if word == "and" || word == "or" { hasJoiningWord = true }
        for suffix in [".any", ".none"] where word.hasSuffix(suffix) && word.utf8.count > suffix.utf8.count {
            if word.utf8.allSatisfy(Self.isNameByte) { testsPresence = true }
        }
    }

    private static func isBoundary(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: " ") || (0x09...0x0D).contains(byte) || byte == UInt8(ascii: "(")
            || byte == UInt8(ascii: ")")
    }

    /// A letter, a digit, `_` or `.`: what a field's name with its suffix is made of.
    static func isNameByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "."):
            true
        default: false
        }
    }

    /// The end of the quoted string that begins at `start`; nil if none does, or it has no end.
    static func quotedEnd(_ text: [UInt8], from start: Int) -> Int? {
        let quote = text[start]
        guard quote == UInt8(ascii: "'") || quote == UInt8(ascii: "\"") else { return nil }
        var index = start + 1
        while index < text.count {
            if text[index] == UInt8(ascii: "\\") {
                index += 2
                continue
            }
            if text[index] == quote { return index + 1 }
            index += 1
        }
        return nil
    }

    /// `>` and `<` may be followed by `=`, which belongs to them.
    private static func operatorEnd(_ text: [UInt8], from index: Int) -> Int {
        let isComparison = text[index] == UInt8(ascii: "<") || text[index] == UInt8(ascii: ">")
        let hasEquals = index + 1 < text.count && text[index + 1] == UInt8(ascii: "=")
        return isComparison && hasEquals ? index + 2 : index + 1
    }
}

/// A text as one word of a shell's command line.
enum ShellWord {
    /// The text, in single quotes where a shell would take any of it for something else.
    static func quoted(_ text: String) -> String {
        let isPlain = text.utf8.allSatisfy { byte in
            ArgumentShape.isNameByte(byte) || Array("-/:=,@%+".utf8).contains(byte)
        }
        if isPlain, !text.isEmpty { return text }
        var quoted = "'"
        for character in text.unicodeScalars {
            if character == "'" { quoted += "'\\''" } else { quoted.unicodeScalars.append(character) }
        }
        return quoted + "'"
    }
}
