// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

public import ClaimsClient
import ClaimsModel
import ClaimsProtocol

/// The refreshes of a collection over a span of time, in slots of equal length: how many records there were, and how
/// long each refresh took.
///
/// ```swift
/// let plot = RefreshPlot(attempts, from: now - day, to: now, slots: RefreshPlot.maxSlots)
/// print(plot.records(.blocks), plot.lastRecords ?? 0)
/// ```
public struct RefreshPlot: Sendable {
    /// An attempt to refresh, as the daemon keeps it.
    public struct Attempt: Sendable {
        /// The time it began, in milliseconds since 1970.
        let at: Int64
        /// The time it took, in milliseconds.
        let duration: Int64
        /// Whether it failed or was held.
        let isFailure: Bool
        /// The number of records after it; nil if it is not known.
        let records: Int64?

        public init(at: Int64, duration: Int64, isFailure: Bool, records: Int64?) {
            self.at = at
            self.duration = max(0, duration)
            self.isFailure = isFailure
            self.records = records
        }
    }

    /// The longest refresh of a slot; nil without one.
    private struct Slot {
        var duration: Int64?
        var hasFailure = false
        var records: Int64?
    }

    /// The maximum number of slots, which is the maximum width of a plot in cells.
    public static let maxSlots = 60

    private var slots: [Slot]
    /// The number of records after the newest refresh that has it; nil without one.
    public private(set) var lastRecords: Int64?
    /// The time that the newest refresh of the span took, in milliseconds; nil without one.
    public private(set) var lastDuration: Int64?
    /// The largest number of records in the span; nil without one.
    public let maxRecords: Int64?
    /// The longest time that a refresh of the span took, in milliseconds; nil without one.
    public let maxDuration: Int64?

    /// Makes a plot of the attempts, which may come in any order.
    ///
    /// - Parameters:
    ///   - attempts: the attempts of one collection. The newest one before the span has the records at its start.
    ///   - start: the start of the span, in milliseconds since 1970.
    ///   - end: the end of the span, which is after its start.
    ///   - count: the number of slots, from 1 to ``maxSlots``.
    public init(_ attempts: [Attempt], from start: Int64, to end: Int64, slots count: Int) {
        let count = min(max(1, count), Self.maxSlots)
        var slots = [Slot](repeating: Slot(), count: count)
        let length = max(1, end - start)
        for attempt in attempts.sorted(by: { $0.at < $1.at }) where attempt.at <= end {
            if let records = attempt.records { lastRecords = records }
            guard attempt.at >= start else { continue }
            let index = min(count - 1, Int(Double(attempt.at - start) / Double(length) * Double(count)))
            slots[index].duration = max(slots[index].duration ?? 0, attempt.duration)
            if attempt.isFailure { slots[index].hasFailure = true }
            if let records = attempt.records { slots[index].records = records }
            lastDuration = attempt.duration
        }
        var carried = attempts.filter { $0.at < start && $0.records != nil }.max { $0.at < $1.at }?.records
        for index in slots.indices {
            if let records = slots[index].records { carried = records } else { slots[index].records = carried }
        }
        self.slots = slots
        maxRecords = slots.compactMap(\.records).max()
        maxDuration = slots.compactMap(\.duration).max()
    }

    /// Whether nothing happened in the span.
    public var isEmpty: Bool { maxDuration == nil }

    /// The records, a cell a slot: the last number of each, carried on where nothing was refreshed, over 0.
    public func records(_ style: PlotStyle) -> String {
        slots.map { style.mark($0.records ?? 0, of: maxRecords ?? 0) }.joined()
    }

    /// The durations, a cell a slot: the longest of each, a blank without a refresh, and a cross where one failed or
    /// was held.
    public func durations(_ style: PlotStyle) -> String {
        slots.map { slot in
            if slot.hasFailure { return style.failure }
            guard let duration = slot.duration else { return " " }
            // A refresh is seen, however quick it was.
            return style.mark(max(1, duration), of: max(1, maxDuration ?? 0))
        }.joined()
    }
}

extension RefreshPlot.Attempt {
    /// Reads an element of the answer of `refreshes`; nil for one without a time.
    public init?(_ value: AnswerValue) {
        typealias Attempt = RefreshesResult.Attempt
        guard let at = value[Attempt.at]?.string.flatMap({ Instant.parse($0)?.ms }) else { return nil }
        let outcome = value[Attempt.outcome]
        self.init(
            at: at, duration: value[Attempt.duration] ?? 0, isFailure: outcome == "failed" || outcome == "held",
            records: outcome == "held" ? nil : value[Attempt.records]?.integer)
    }
}

extension RefreshPlot {
    /// The two rows of the plot: the name of each, its slots, and the newest and largest value as text.
    public func rows(
        _ style: PlotStyle, _ messages: Messages
    ) -> [(name: String, slots: String, values: String)] {
        var rows: [(name: String, slots: String, values: String)] = []
        if let lastRecords, let maxRecords {
            let values = messages.lastAndMax(messages.number(lastRecords), messages.number(maxRecords))
            rows.append((messages.plottedRecords, records(style), values))
        }
        if let lastDuration, let maxDuration {
            let values = messages.lastAndMax(messages.shortSpan(lastDuration), messages.shortSpan(maxDuration))
            rows.append((messages.plottedDuration, durations(style), values))
        }
        return rows
    }
}

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
