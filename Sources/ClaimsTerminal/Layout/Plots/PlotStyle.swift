// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// The characters of plots: blocks in eighths of a cell, or marks that every terminal has.
public struct PlotStyle: Sendable, Equatable {
    /// The marks of a slot, the lowest of eight first.
    let levels: [String]
    /// The ends of a bar in eighths of a cell, without the whole one.
    let ends: [String]
    /// The mark of a slot in which something failed.
    public let failure: String

    /// Blocks, for terminals that draw them.
    public static let blocks = PlotStyle(
        levels: ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"], ends: ["▏", "▎", "▍", "▌", "▋", "▊", "▉"], failure: "×")
    /// Marks from ASCII, which grow darker.
    public static let marks = PlotStyle(
        levels: [".", ":", "-", "=", "+", "*", "#", "@"], ends: [".", ":", "-", "=", "+", "*", "#"], failure: "x")

    private init(levels: [String], ends: [String], failure: String) {
        self.levels = levels
        self.ends = ends
        self.failure = failure
    }

    /// The style for a terminal, by its `TERM`: `linux` and `dumb` draw no blocks.
    public init(terminal: String?) {
        self = terminal == "linux" || terminal == "dumb" ? .marks : .blocks
    }

    /// The number of steps between nothing and a whole cell.
    private static let steps = 8

    /// A bar of at most `cells` cells: whole for `maximum`, empty for 0, and at least an eighth for anything above.
    public func bar(_ value: Int64, of maximum: Int64, cells: Int) -> String {
        guard value > 0, maximum > 0, cells > 0 else { return "" }
        let share = min(1, Double(value) / Double(maximum))
        let eighths = max(1, Int((share * Double(cells * Self.steps)).rounded()))
        let whole = String(repeating: levels[Self.steps - 1], count: eighths / Self.steps)
        return eighths % Self.steps == 0 ? whole : whole + ends[eighths % Self.steps - 1]
    }

    /// The mark of a slot: a blank for 0, the highest for `maximum`.
    func mark(_ value: Int64, of maximum: Int64) -> String {
        guard value > 0, maximum > 0 else { return " " }
        let share = min(1, Double(value) / Double(maximum))
        return levels[max(1, Int((share * Double(Self.steps)).rounded(.up))) - 1]
    }
}
