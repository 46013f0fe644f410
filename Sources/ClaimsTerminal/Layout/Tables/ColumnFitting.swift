// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes

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
