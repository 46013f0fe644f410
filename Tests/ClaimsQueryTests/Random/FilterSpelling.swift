// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsQuery
import ClaimsTestSupport

/// Writes a filter as people might: any operator's other name, quotes where none are needed, `and` left out, more
/// parentheses and white space than it takes.
struct FilterSpelling {
    var random: SeededGenerator

    mutating func text(of node: FilterNode) -> String {
        switch node {
        case .and(let operands):
            var text = ""
            for (index, operand) in operands.enumerated() {
                if index > 0 { text += random.oneIn(2) ? "\(space())and\(space())" : space() }
                if case .or = operand { text += "(\(self.text(of: operand)))" } else { text += wrapped(operand) }
            }
            return text
        case .or(let operands):
            return operands.map { wrapped($0) }.joined(separator: "\(space())or\(space())")
        case .not(let operand):
            switch operand {
            case .and, .or: return "not\(random.oneIn(2) ? "" : space())(\(text(of: operand)))"
            case .not, .term: return "not\(space())\(wrapped(operand))"
            }
        case .term(let term): return text(of: term)
        }
    }

    private mutating func wrapped(_ node: FilterNode) -> String {
        random.oneIn(5) ? "(\(maybeSpace())\(text(of: node))\(maybeSpace()))" : text(of: node)
    }

    private mutating func text(of term: FilterTerm) -> String {
        switch term.condition {
        case .compare(let field, let comparator, let values):
            let name = random.oneIn(2) ? comparator.symbol : ".\(comparator.rawValue)="
            return field.text + name + values.map { value($0.text) }.joined(separator: ",")
        case .range(let field, let low, let high):
            let name = random.oneIn(2) ? "=" : ".eq="
            return field.text + name + (low.map { value($0.text) } ?? "") + ".." + (high.map { value($0.text) } ?? "")
        case .any(let field): return field.text + ".any"
        case .none(let field): return field.text + ".none"
        case .text(let words): return isPlain(words.text) && random.oneIn(2) ? words.text : quoted(words.text)
        }
    }

    private mutating func value(_ text: String) -> String {
        isPlain(text) && random.oneIn(2) ? text : quoted(text)
    }

    /// Whether no reader could take it for anything else.
    private func isPlain(_ text: String) -> Bool {
        text.unicodeScalars.allSatisfy { $0.properties.isAlphabetic || $0.properties.numericType != nil || $0 == "-" }
            && !["and", "or", "not", ""].contains(text)
    }

    private mutating func quoted(_ text: String) -> String {
        let quote: Unicode.Scalar = random.oneIn(2) ? "'" : "\""
        var scalars = String.UnicodeScalarView([quote])
        for scalar in text.unicodeScalars {
            if scalar == quote || scalar == "\\" { scalars.append("\\") }
            scalars.append(scalar)
        }
        return String(scalars) + String(quote)
    }

    private mutating func space() -> String { random.pick([" ", "  ", "\t", "\n", "\u{3000}", " \u{A0}"]) }
    private mutating func maybeSpace() -> String { random.oneIn(2) ? "" : space() }
}
