// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes

/// Writes filters as texts in their normal form: symbols for operators, `and` written out, quotes and parentheses
/// only where they are needed. Reading it gives an equal node.
enum FilterTextWriter {
    static func text(of node: FilterNode) -> String {
        switch node {
        case .term(let term): text(of: term)
        case .and(let operands):
            operands.map { if case .or = $0 { "(\(text(of: $0)))" } else { text(of: $0) } }.joined(separator: " and ")
        case .or(let operands): operands.map(text(of:)).joined(separator: " or ")
        case .not(let operand):
            switch operand {
            case .and, .or: "not (\(text(of: operand)))"
            case .not, .term: "not \(text(of: operand))"
            }
        }
    }

    static func text(of term: FilterTerm) -> String {
        switch term.condition {
        case .compare(let field, let comparator, let values):
            field.text + comparator.symbol + values.map { value($0.text) }.joined(separator: ",")
        case .range(let field, let low, let high):
            field.text + "=" + (low.map { end($0.text) } ?? "") + ".." + (high.map { end($0.text) } ?? "")
        case .any(let field): field.text + ".any"
        case .none(let field): field.text + ".none"
        case .text(let value): word(value.text)
        }
    }

    /// `text` between the quotes that need fewer escapes.
    static func quoted(_ text: String) -> String {
        let quote: Character =
            text.utf8.contains(UInt8(ascii: "\"")) && !text.utf8.contains(UInt8(ascii: "'")) ? "'" : "\""
        var quoted = String(quote)
        for scalar in text.unicodeScalars {
            if scalar == "\\" || Character(scalar) == quote { quoted.append("\\") }
            quoted.unicodeScalars.append(scalar)
        }
        quoted.append(quote)
        return quoted
    }

    private static func word(_ text: String) -> String {
        let mayBeTerm = text.utf8.contains { "=~<>".utf8.contains($0) }
        let mayBeTest =
            text.utf8.suffix(4).elementsEqual(".any".utf8) || text.utf8.suffix(5).elementsEqual(".none".utf8)
        return mayBeTerm || mayBeTest || FilterCharacters.isKeyword(text.utf8) || !isBare(text) ? quoted(text) : text
    }

    private static func value(_ text: String) -> String {
        // A value that begins like an operator could make another one of what stands before it.
        let isAmbiguous = text.utf8.first.map { "=~<>!^".utf8.contains($0) } ?? true
        return isAmbiguous || hasRange(text) || !isBare(text) ? quoted(text) : text
    }

    private static func end(_ text: String) -> String {
        let touchesDots = text.utf8.first == FilterCharacters.dot || text.utf8.last == FilterCharacters.dot
        return touchesDots ? quoted(text) : value(text)
    }

    private static func hasRange(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        return bytes.indices.contains { FilterCharacters.isRange(in: bytes, at: $0) }
    }

    private static func isBare(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        guard let first = bytes.first, !FilterCharacters.isQuote(first) else { return false }
        return FilterCharacters.bareEnd(in: bytes, from: 0) == bytes.count
    }
}
