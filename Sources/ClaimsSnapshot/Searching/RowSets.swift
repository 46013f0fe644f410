// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import ClaimsPlatform
public import ClaimsQuery
import Synchronization

/// The rows of snapshots that the filters of rules leave out, kept so that each is found once for all peers and threads.
///
/// The sets that were used last are kept, within a bound on their memory. A set is released with its snapshot. The sets
/// that a collection has needed lately are made for its new snapshot at once, so that the first peer after a commit
/// does not wait.
public final class RowSets: Sendable {
    fileprivate struct Key: Hashable {
        let snapshot: ObjectIdentifier
        let predicate: Predicate
    }

    fileprivate struct Entry {
        /// Identifiers are used again, and a set must not keep the file of a snapshot that is replaced.
        weak var snapshot: Snapshot?
        let rows: RowBitmap
        /// The number of the last use.
        var used: UInt64
    }

    /// A condition on the records of a collection, typed for its fields as they are.
    fileprivate struct Need: Hashable {
        let collection: String
        let shape: UInt64
        let predicate: Predicate

        init(_ snapshot: Snapshot, _ predicate: Predicate) {
            collection = snapshot.definition.name
            shape = snapshot.definition.queryShape.whole
            self.predicate = predicate
        }
    }

    fileprivate struct State {
        var entries: [Key: Entry] = [:]
        /// The conditions that peers have needed, and when, in nanoseconds of the monotonic clock.
        var needs: [Need: UInt64] = [:]
        var maxBytes: Int
        var bytes = 0
        var uses: UInt64 = 0
    }

    private let state: Mutex<State>

    /// - Parameter maxBytes: the maximal memory of all sets together.
    public init(maxBytes: Int) {
        state = Mutex(State(maxBytes: maxBytes))
    }

    /// Sets the maximal memory of all sets together, in bytes, from the next set on.
    public func setBound(_ maxBytes: Int) { state.withLock { $0.maxBytes = maxBytes } }

    /// The memory that the sets take, in bytes.
    public var bytes: Int { state.withLock { $0.bytes } }

    /// The rows of a snapshot that do not match a condition, which depends on nothing but its records.
    public func rows(of snapshot: Snapshot, without predicate: Predicate) -> RowBitmap {
        let now = SystemClock.monotonic
        state.withLock { $0.need(Need(snapshot, predicate), now: now) }
        return find(snapshot, predicate)
    }

    /// Makes the sets of new snapshots that their collections have needed within the last hour.
    public func prepare(_ snapshots: [Snapshot]) {
        guard !state.withLock({ $0.needs.isEmpty }) else { return }
        let now = SystemClock.monotonic
        for snapshot in snapshots {
            for predicate in state.withLock({ $0.needed(by: snapshot, now: now) }) { _ = find(snapshot, predicate) }
        }
    }

    private func find(_ snapshot: Snapshot, _ predicate: Predicate) -> RowBitmap {
        let key = Key(snapshot: ObjectIdentifier(snapshot), predicate: predicate)
        let known = state.withLock { state -> RowBitmap? in
            guard let entry = state.entries[key], entry.snapshot === snapshot else { return nil }
            state.uses += 1
            state.entries[key]?.used = state.uses
            return entry.rows
        }
        if let known { return known }
        let rows = snapshot.rows(without: predicate)
        state.withLock { $0.keep(rows, key, snapshot) }
        return rows
    }
}

extension RowSets.State {
    fileprivate mutating func need(_ need: RowSets.Need, now: UInt64) {
        needs[need] = now
        guard needs.count > Self.maxNeeds, let oldest = needs.min(by: { $0.value < $1.value }) else { return }
        needs[oldest.key] = nil
    }

    /// The conditions that the collection of a snapshot has needed of late, and whose sets are not there.
    fileprivate mutating func needed(by snapshot: Snapshot, now: UInt64) -> [Predicate] {
        let old = needs.filter { now &- $0.value > Self.needLasts.wholeNanoseconds }
        for need in old.keys { needs[need] = nil }
        let predicates = needs.keys.filter { $0 == RowSets.Need(snapshot, $0.predicate) }.map(\.predicate)
        return predicates.filter {
            entries[RowSets.Key(snapshot: ObjectIdentifier(snapshot), predicate: $0)]?.snapshot !== snapshot
        }
    }

    /// The time for which a condition is needed after a peer has used it.
    private static var needLasts: Duration { .seconds(3600) }
    /// The number of conditions that are remembered.
    private static var maxNeeds: Int { 256 }

    fileprivate mutating func keep(_ rows: RowBitmap, _ key: RowSets.Key, _ snapshot: Snapshot) {
        // One that is larger than the bound would cost all others their place.
        guard rows.bytes <= maxBytes else { return }
        uses += 1
        if let old = entries.updateValue(RowSets.Entry(snapshot: snapshot, rows: rows, used: uses), forKey: key) {
            bytes -= old.rows.bytes
        }
        bytes += rows.bytes
        if bytes > maxBytes || entries.count > Self.maxEntries { drop(where: { $0.snapshot == nil }) }
        while bytes > maxBytes || entries.count > Self.maxEntries,
            let oldest = entries.min(by: { $0.value.used < $1.value.used })
        {
            drop(where: { $0.used == oldest.value.used })
        }
    }

    private mutating func drop(where isDropped: (RowSets.Entry) -> Bool) {
        entries = entries.filter { !isDropped($0.value) }
        bytes = entries.values.reduce(0) { $0 + $1.rows.bytes }
    }

    /// The maximal number of sets; sets of small snapshots take almost no memory.
    private static var maxEntries: Int { 1 << 12 }
}

extension RowBitmap {
    /// The memory of the set, including the memory for finding it.
    fileprivate var bytes: Int { bits.count * 8 + 128 }
}

extension Snapshot {
    /// The rows that do not match a condition; all rows if that cannot be found out.
    fileprivate func rows(without predicate: Predicate) -> RowBitmap {
        let scratch = QueryScratch()
        do throws(QueryInterruption) {
            var builder = SetBuilder(self, scratch: scratch, steps: QuerySteps(.unlimited))
            var planner = QueryPlanner(self, scratch: scratch, steps: builder.steps)
            return RowBitmap(bits: try builder.bits(try planner.plan(.not(predicate))))
        } catch {
            var bits = [UInt64](repeating: 0, count: Bits.wordCount(count))
            Bits.invert(&bits, rows: count)
            return RowBitmap(bits: bits)
        }
    }
}
