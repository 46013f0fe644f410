// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsClient
import ClaimsJSON
import ClaimsModel
import ClaimsProtocol
import ClaimsTerminal

/// Names and values side by side. Long values are wrapped beside their names, and nothing is cut.
struct FactLines {
    private var facts: [(name: String, values: [StyledLine])] = []

    /// The blanks between names and values.
    private static let gap = 2

    /// Appends a name with its value; both are escaped.
    mutating func append(_ name: String, _ value: String, _ style: Style = .plain) {
        facts.append(
            (name, value.split(separator: "\n", omittingEmptySubsequences: false).map { StyledLine(String($0), style) })
        )
    }

    var isEmpty: Bool { facts.isEmpty }

    /// The lines, each of at most `width` cells.
    func lines(width: Int) -> [StyledLine] {
        let widest = facts.reduce(0) { max($0, DisplayWidth.cells(of: $1.name)) }
        let nameCells = min(widest, max(8, width * 2 / 5))
        let indent = nameCells + Self.gap
        var lines: [StyledLine] = []
        for (name, values) in facts {
            // A word that does not fit beside the names, such as an id, stands below: broken, it could not be copied.
            let widestWord = values.reduce(0) { max($0, Fitting.widestWord($1.text)) }
            let isBelow = widestWord > width - indent && widestWord <= width - Self.gap
            let valueIndent = isBelow ? Self.gap : indent
            let pieces = values.flatMap { value in
                Fitting.wrapWhole(value.text, to: width - valueIndent).map {
                    ($0, value.segments.first?.style ?? .plain)
                }
            }
            // A name that is too long has a line of its own.
            let isAlone = isBelow || DisplayWidth.cells(of: name) > nameCells
            if isAlone { lines += Fitting.wrapWhole(name, to: width).map { StyledLine($0) } }
            for (index, piece) in pieces.enumerated() {
                var line = StyledLine()
                if index == 0, !isAlone { line.append(name) }
                line.pad(to: valueIndent)
                line.append(piece.0, piece.1)
                lines.append(line)
            }
        }
        return lines
    }
}

/// A version of a record in words: `status: OK → Faulty`.
struct HistoryText {
    let maker: CellMaker

    private var messages: Messages { maker.time.messages }

    /// The maximum width of a value of a version, in cells.
    private static let maxCells = 40

    /// The operation: added, updated, removed and so on.
    func text(_ version: AnswerValue) -> String {
        typealias Version = HistoryResult.Version
        let op = version[Version.op] ?? ""
        let changes = (version[Version.changes]?.members ?? []).map { name, pair in
            let values = pair.elements
            let before = cut(value(values.first, name))
            return "\(heading(name)): \(before) → \(cut(value(values.count > 1 ? values[1] : nil, name)))"
        }
        if !changes.isEmpty { return changes.joined(separator: ", ") }
        let change = messages.change(op)
        return version[Version.values] == false ? "\(change): \(messages.valuesNotKept)" : change
    }

    private func cut(_ value: String) -> String { Fitting.truncate(value, to: Self.maxCells) }

    /// The heading of a field.
    func heading(_ name: String) -> String {
        Escaping.line(maker.collection.field(name)?.heading ?? name)
    }

    /// A value of a field with its label or in the person's time, whole and escaped.
    func value(_ value: AnswerValue?, _ name: String) -> String {
        guard let value, value.kind != .null else { return "–" }
        let text: String
        switch maker.collection.field(name)?.type {
        case .enum?:
            let field = maker.collection.column(name)
            text = maker.collection.code(value.text, of: field)?.label ?? value.text
        case .instant?:
            text = value.string.flatMap { Instant.parse($0) }.map { maker.time.dateAndClock($0.ms) } ?? value.text
        default: text = value.text
        }
        return Escaping.line(text)
    }
}
