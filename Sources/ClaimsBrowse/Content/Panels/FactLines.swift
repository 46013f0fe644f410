// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
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
