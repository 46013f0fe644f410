// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import ClaimsPlatform

/// The times in which the records of a collection are told. Outside of them they are withheld.
///
/// Two comparisons answer for a moment, so that each answer can ask. Times are in milliseconds since 1970.
struct TellingTime: Sendable, Equatable {
    /// The first time.
    private var start = Int64.min
    /// The time after the last one.
    private var end = Int64.max

    /// How far the clock may be behind the time of the data.
    static let maxAhead = Duration.seconds(600)

    init(_ definition: Definition, _ condition: CollectionCondition, hasSnapshot: Bool) {
        // Where this host is the truth, and of what came with the program, there is no age.
        guard let span = definition.source.withhold, !definition.isLocal, hasSnapshot, !condition.row.isBundle else {
            return
        }
        guard let asOf = condition.source.asOf else {
            // Nobody knows how old the data is.
            end = start
            return
        }
        let (first, isBeforeAll) = asOf.subtractingReportingOverflow(Self.maxAhead.wholeMilliseconds)
        let (last, isAfterAll) = asOf.addingReportingOverflow(span.wholeMilliseconds)
        if !isBeforeAll { start = first }
        if !isAfterAll { end = last }
    }

    @inline(__always)
    func contains(_ time: Int64) -> Bool { time >= start && time < end }

    /// The times after `time` at which something changes.
    func bounds(after time: Int64) -> [Int64] { [start, end].filter { $0 > time && $0 != .max } }
}
