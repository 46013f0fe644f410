// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel

/// Columns with their widths: lays out rows side by side.
public struct TableLayout: Sendable {
    public let columns: [Column]
    public let widths: [Int]
    /// Columns that are not shown, because no row of the first page has a value and room is short.
    public let hidden: Set<Int>

    /// Fits the columns to `width` by the rows given; `nil` where they would be too narrow to read. A `width` of `nil`
    /// lets every column have what it needs.
    public init?(columns: [Column], rows: [[Cell]], width: Int?) {
        let widest = columns.indices.map { index in
            rows.reduce(0) { max($0, DisplayWidth.cells(of: $1[index].text)) }
        }
        func demands(isHeadingFolded: Bool, _ shown: [Int]) -> [ColumnFitting.Demand] {
            shown.map { columns[$0].demand(widest: widest[$0], isHeadingFolded: isHeadingFolded) }
        }
        let all = Array(columns.indices)
        let needed = all.filter { widest[$0] > 0 }
        let attempts = [(false, all), (true, all), (true, needed)]
        for (isFolded, shown) in attempts where !shown.isEmpty {
            let demands = demands(isHeadingFolded: isFolded, shown)
            let natural = demands.reduce(0) { $0 + $1.natural } + ColumnFitting.gap * (shown.count - 1)
            let isLast = isFolded && shown.count == needed.count
            guard let width, natural > width else {
                self.init(columns: columns, widths: demands.map(\.natural), shown: shown)
                return
            }
            if isLast, let widths = ColumnFitting.widths(demands, in: width) {
                self.init(columns: columns, widths: widths, shown: shown)
                return
            }
        }
        return nil
    }

    private init(columns: [Column], widths: [Int], shown: [Int]) {
        self.columns = columns
        hidden = Set(columns.indices).subtracting(shown)
        var all = [Int](repeating: 0, count: columns.count)
        for (index, width) in zip(shown, widths) { all[index] = width }
        self.widths = all
    }

    /// The headings, on as many lines as the longest needs, at most two.
    public func headings(isColored: Bool) -> [String] {
        if columns.allSatisfy(\.heading.isEmpty) { return [] }
        let wrapped = columns.indices.map { index in
            hidden.contains(index) ? [] : Fitting.wrap(columns[index].heading, to: widths[index], lines: 2)
        }
        let height = wrapped.map(\.count).max() ?? 0
        return (0..<height).map { line in
            // They stand on the line above the values.
            let texts = wrapped.map { lines in
                let missing = height - lines.count
                return line >= missing ? lines[line - missing] : ""
            }
            return self.line(texts, styles: columns.map { _ in .dim }, isColored)
        }
    }

    /// A row, on as many lines as its longest value may take.
    public func lines(_ row: [Cell], isColored: Bool) -> [String] {
        let hasBadge = row.contains(where: \.isBadge)
        let wrapped = row.indices.map { index -> [String] in
            if hidden.contains(index) { return [] }
            // Beside a badge a text takes a line less.
            let limit = max(1, hasBadge ? columns[index].lines - 1 : columns[index].lines)
            if limit == 1 { return [Fitting.truncate(row[index].text, to: widths[index])] }
            return Fitting.wrap(row[index].text, to: widths[index], lines: limit)
        }
        let height = max(1, wrapped.map(\.count).max() ?? 1)
        let styles = row.map(\.style)
        return (0..<height).map { line in
            self.line(wrapped.map { line < $0.count ? $0[line] : "" }, styles: styles, isColored)
        }
    }

    private func line(_ texts: [String], styles: [Style], _ isColored: Bool) -> String {
        var line = ""
        var pending = 0
        for index in texts.indices where !hidden.contains(index) {
            let missing = max(0, widths[index] - DisplayWidth.cells(of: texts[index]))
            if columns[index].isRight { pending += missing }
            if !texts[index].isEmpty {
                line += String(repeating: " ", count: pending)
                line += styles[index].apply(to: texts[index], isColored: isColored)
                pending = 0
            } else if columns[index].isRight {
                pending -= missing
            }
            pending += ColumnFitting.gap + (columns[index].isRight && !texts[index].isEmpty ? 0 : missing)
        }
        return line
    }
}
