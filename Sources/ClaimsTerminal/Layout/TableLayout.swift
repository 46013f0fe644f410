// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsModel

/// A layout of rows side by side, in columns of fixed widths.
public struct TableLayout: Sendable {
    /// The columns, hidden ones included.
    public let columns: [LayoutColumn]
    /// The width of each column in cells; 0 for a hidden one.
    public let widths: [Int]
    /// The indices of columns that are not shown, because the line is too narrow and no row has a value.
    public let hidden: Set<Int>

    /// Fits the columns into lines of `width` cells by the widest value of each, in cells.
    ///
    /// - Parameter width: the width of a line in cells; `nil` gives every column the width that it needs.
    /// - Returns: `nil` if the columns would be too narrow to read.
    public init?(columns: [LayoutColumn], widest: [Int], width: Int?) {
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

    private init(columns: [LayoutColumn], widths: [Int], shown: [Int]) {
        self.columns = columns
        hidden = Set(columns.indices).subtracting(shown)
        var all = [Int](repeating: 0, count: columns.count)
        for (index, width) in zip(shown, widths) { all[index] = width }
        self.widths = all
    }

    /// Whether a line of `width` cells, or one without a limit, has cells that no column takes.
    func hasRoom(in width: Int?) -> Bool {
        guard let width else { return true }
        let shown = columns.count - hidden.count
        return widths.reduce(0, +) + ColumnFitting.gap * max(0, shown - 1) < width
    }

    /// The lines of the headings, at most two; none if every heading is empty.
    public var headings: [StyledLine] {
        if columns.allSatisfy(\.heading.isEmpty) { return [] }
        let wrapped = columns.indices.map { index in
            hidden.contains(index) ? [] : Fitting.wrapCut(columns[index].heading, to: widths[index], lines: 2)
        }
        let height = wrapped.map(\.count).max() ?? 0
        return (0..<height).map { line in
            // They stand on the line above the values.
            let texts = wrapped.map { lines in
                let missing = height - lines.count
                return line >= missing ? lines[line - missing] : ""
            }
            return self.line(texts, styles: columns.map { _ in .dim })
        }
    }

    /// The lines of a row: as many as its longest value takes, within the limit of each column.
    public func lines(_ row: [Cell]) -> [StyledLine] {
        let hasBadge = row.contains(where: \.isBadge)
        let wrapped = row.indices.map { index -> [String] in
            if hidden.contains(index) { return [] }
            // Beside a badge a text takes a line less.
            let limit = max(1, hasBadge ? columns[index].lines - 1 : columns[index].lines)
            if limit == 1 { return [Fitting.truncate(row[index].text, to: widths[index])] }
            return Fitting.wrapCut(row[index].text, to: widths[index], lines: limit)
        }
        let height = max(1, wrapped.map(\.count).max() ?? 1)
        let styles = row.map(\.style)
        return (0..<height).map { line in
            self.line(wrapped.map { line < $0.count ? $0[line] : "" }, styles: styles)
        }
    }

    private func line(_ texts: [String], styles: [Style]) -> StyledLine {
        var line = StyledLine()
        var start = 0
        for index in texts.indices where !hidden.contains(index) {
            let missing = max(0, widths[index] - DisplayWidth.cells(of: texts[index]))
            line.pad(to: start + (columns[index].isRight ? missing : 0))
            line.append(texts[index], styles[index])
            start += widths[index] + ColumnFitting.gap
        }
        return line
    }
}

/// The division of a line's cells among columns, by what each asks for.
public enum ColumnFitting {
    /// The widths that a column asks for, in cells.
    public struct Demand: Equatable, Sendable {
        /// The width of the column's widest value, and at least of its heading.
        public let natural: Int
        /// The width below which the table is too narrow to read; at most ``natural``, and equal to it for values
        /// that may not be cut, such as ids.
        public let minimum: Int

        /// Makes a demand of widths in cells.
        public init(natural: Int, minimum: Int) {
            self.natural = natural
            self.minimum = min(natural, minimum)
        }
    }

    /// The number of cells between two columns.
    public static let gap = 2

    /// The width of each column in cells, which sum up to at most `width` with the gaps; `nil` if a column gets less
    /// than its minimum.
    ///
    /// The widest columns are cut first.
    public static func widths(_ demands: [Demand], in width: Int) -> [Int]? {
        let room = width - gap * max(0, demands.count - 1)
        let natural = demands.map(\.natural)
        if natural.reduce(0, +) <= room { return natural }
        guard demands.reduce(0, { $0 + $1.minimum }) <= room else { return nil }
        // The highest level to which all columns can be cut, so that the widest give first.
        let levels = 1..<(natural.max() ?? 0) + 1
        let level = levels.partitionPoint { cut(demands, to: $0).reduce(0, +) <= room } - 1
        var widths = cut(demands, to: level)
        var left = room - widths.reduce(0, +)
        for index in widths.indices where left > 0 && widths[index] < natural[index] && widths[index] >= level {
            widths[index] += 1
            left -= 1
        }
        return widths
    }

    private static func cut(_ demands: [Demand], to level: Int) -> [Int] {
        demands.map { min($0.natural, max(level, $0.minimum)) }
    }
}
