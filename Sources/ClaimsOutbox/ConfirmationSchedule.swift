// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

public import ClaimsModel

/// Decides when collections are refreshed so that accepted writes are seen soon. Pure.
struct ConfirmationSchedule: Sendable, Equatable {
    /// The time from an acceptance to the first refresh, in milliseconds.
    static let firstDelay: Int64 = 2000

    private struct Entry: Equatable {
        var due: Int64
        var delay: Int64
    }

    private var entries: [String: Entry] = [:]

    /// The time of the next refresh; nil if none is needed.
    var next: Int64? { entries.values.map(\.due).min() }

    /// Records that the upstream has accepted a write.
    mutating func accept(_ collection: String, now: Int64) {
        let due = now + Self.firstDelay
        let earlier = entries[collection].map { min($0.due, due) }
        entries[collection] = Entry(due: earlier ?? due, delay: Self.firstDelay)
    }

    /// The collections to refresh now. The next time of each comes after twice as long, until that is its own interval.
    ///
    /// - Parameters:
    ///   - interval: the interval of a collection, in milliseconds; nil if no accepted write waits there any more.
    mutating func consumeDue(now: Int64, interval: (String) -> Int64?) -> [String] {
        var due: [String] = []
        for (name, entry) in entries where entry.due <= now {
            guard let interval = interval(name) else {
                entries[name] = nil
                continue
            }
            due.append(name)
            let delay = entry.delay * 2
            entries[name] = delay < interval ? Entry(due: now + delay, delay: delay) : nil
        }
        return due.sorted()
    }
}

/// Decides when people are warned that operations have been waiting for long: once, and again each time the same span
/// has passed. Pure.
struct WaitingWarning: Sendable, Equatable {
    /// The operations that have been waiting for longer than the span.
    struct Finding: Sendable, Equatable {
        var count: Int
        /// The time when the oldest was submitted.
        var oldest: Int64
    }

    /// The span in milliseconds.
    var span: Int64
    private var warnedAt: Int64?

    init(span: Int64) { self.span = span }

    mutating func finding(in lanes: Lanes, now: Int64) -> Finding? {
        let (count, oldest) = lanes.queued(before: now - span)
        guard let oldest else {
            warnedAt = nil
            return nil
        }
        if let warnedAt, now - warnedAt < span, now >= warnedAt { return nil }
        warnedAt = now
        return Finding(count: count, oldest: oldest)
    }
}

/// Notices that the wall clock went back, so that the age of a key is not known any more. Pure.
public struct ClockSteps: Sendable, Equatable {
    /// The maximal time by which the wall clock may fall behind the clock since boot, in milliseconds: clocks are
    /// slewed.
    static let maxLag: Int64 = 1000

    /// The latest pair of times, both in milliseconds.
    private var wall: Int64?
    private var sinceBoot: Int64 = 0

    public init() {}

    /// Whether the wall clock has gone back since the last call.
    public mutating func observe(wall now: Int64, sinceBoot: Int64) -> Bool {
        defer { (wall, self.sinceBoot) = (now, sinceBoot) }
        guard let wall else { return false }
        return now < wall + (sinceBoot - self.sinceBoot) - Self.maxLag
    }
}

extension Operation {
    /// The operation once the age of its key is not known any more.
    public var distrustingClock: Operation {
        var operation = self
        operation.delivery.keyUse?.isClockSteady = false
        return operation
    }
}
