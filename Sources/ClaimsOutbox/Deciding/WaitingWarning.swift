// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// Decides when people are told that operations have been waiting for long: once, and again each time the same span has
/// passed. Pure.
struct WaitingWarning: Sendable, Equatable {
    /// The operations that have been waiting for longer than the span.
    struct Finding: Sendable, Equatable {
        var count: Int
        /// The time when the oldest was submitted.
        var oldest: Int64
    }

    /// In milliseconds.
    var span: Int64
    private var toldAt: Int64?

    init(span: Int64) { self.span = span }

    mutating func look(at lanes: Lanes, now: Int64) -> Finding? {
        let (count, oldest) = lanes.queued(before: now - span)
        guard let oldest else {
            toldAt = nil
            return nil
        }
        if let toldAt, now - toldAt < span, now >= toldAt { return nil }
        toldAt = now
        return Finding(count: count, oldest: oldest)
    }
}
