// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

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
        /// The number of records after it; nil where it tells none.
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
    /// The number of records after the newest refresh that tells it; nil without one.
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
    ///   - attempts: the attempts of one collection. The newest one before the span tells the records at its start.
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
