// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// A table that is complete before it is shown, such as that of `status`.
public struct TextTable {
    private let columns: [Column]
    private var rows: [[Cell]] = []

    public init(_ columns: [Column]) {
        self.columns = columns
    }

    public mutating func append(_ row: [Cell]) {
        rows.append(row)
    }

    public func text(width: Int?, isColored: Bool) -> String {
        if rows.isEmpty { return "" }
        let layout = ListLayout(columns: columns, rows: rows, width: width)
        var lines = layout.headings(isColored: isColored)
        for row in rows { lines += layout.lines(row, isColored: isColored) }
        return lines.joined(separator: "\n") + "\n"
    }
}
