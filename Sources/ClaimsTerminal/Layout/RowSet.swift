// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// Rows that are not records, such as those of `status`: as data and as people read them.
public struct RowSet {
    public let names: [String]
    private let columns: [Column]
    public private(set) var data: [[String]] = []
    private var cells: [[Cell]] = []

    /// - Parameter columns: The name of each column as data, and how it is shown.
    public init(_ columns: [(name: String, column: Column)]) {
        names = columns.map(\.name)
        self.columns = columns.map(\.column)
    }

    /// Appends a row: each value as data and as it is shown.
    public mutating func append(_ row: [(data: String, cell: Cell)]) {
        data.append(row.map(\.data))
        cells.append(row.map(\.cell))
    }

    public var isEmpty: Bool { data.isEmpty }

    public func text(width: Int?, isColored: Bool) -> String {
        var table = TextTable(columns)
        for row in cells { table.append(row) }
        return table.text(width: width, isColored: isColored)
    }
}
