// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// A table in Markdown with aligned columns, readable as plain text too.
struct MarkdownTable {
    private var rows: [[String]]
    /// The columns that are aligned right: numbers.
    private let right: Set<Int>

    init(_ header: [String], right: Set<Int> = []) {
        rows = [header]
        self.right = right
    }

    var isEmpty: Bool { rows.count == 1 }

    mutating func append(_ row: [String]) {
        rows.append(row)
    }

    var text: String {
        let widths = rows[0].indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
        var lines = rows.map { row in
            let cells = row.enumerated().map { column, cell in
                let space = String(repeating: " ", count: widths[column] - cell.count)
                return right.contains(column) ? space + cell : cell + space
            }
            return "| \(cells.joined(separator: " | ")) |"
        }
        let rule = widths.enumerated().map { column, width in
            String(repeating: "-", count: width + 1) + (right.contains(column) ? ":" : "-")
        }
        lines.insert("|\(rule.joined(separator: "|"))|", at: 1)
        return lines.joined(separator: "\n") + "\n"
    }
}
