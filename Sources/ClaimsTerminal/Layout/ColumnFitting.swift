// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// Divides a line's cells among columns. Pure.
public enum ColumnFitting {
    /// What a column asks for, in cells.
    public struct Demand: Equatable, Sendable {
        /// Enough for its widest value and its heading.
        public let natural: Int
        /// Less makes it useless; as much as `natural` where nothing may be cut, such as an id.
        public let minimum: Int
        /// Below this a table is too cramped to read.
        public let comfortable: Int

        public init(natural: Int, minimum: Int, comfortable: Int) {
            self.natural = natural
            self.minimum = minimum
            self.comfortable = comfortable
        }
    }

    /// The cells between two columns.
    public static let gap = 2

    /// The width of each column; `nil` where they cannot stand side by side and still be read.
    public static func widths(_ demands: [Demand], in width: Int) -> [Int]? {
        let room = width - gap * max(0, demands.count - 1)
        let natural = demands.map(\.natural)
        if natural.reduce(0, +) <= room { return natural }
        guard demands.reduce(0, { $0 + min($1.minimum, $1.natural) }) <= room else { return nil }
        // The highest level to which all columns can be cut, so that the widest give first.
        var low = 0
        var high = natural.max() ?? 0
        while low < high {
            let level = (low + high + 1) / 2
            if cut(demands, to: level).reduce(0, +) <= room { low = level } else { high = level - 1 }
        }
        var widths = cut(demands, to: low)
        var left = room - widths.reduce(0, +)
        for index in widths.indices where left > 0 && widths[index] < natural[index] && widths[index] >= low {
            widths[index] += 1
            left -= 1
        }
        for (width, demand) in zip(widths, demands) where width < min(demand.natural, demand.comfortable) { return nil }
        return widths
    }

    private static func cut(_ demands: [Demand], to level: Int) -> [Int] {
        demands.map { min($0.natural, max(level, $0.minimum)) }
    }
}
