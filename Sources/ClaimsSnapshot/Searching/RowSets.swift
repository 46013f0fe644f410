// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

public import ClaimsQuery
import Synchronization

/// The rows of snapshots that the filters of rules leave out, kept so that each is found once for all peers and threads.
///
/// The sets that were used last are kept, within a bound on their memory. A set goes with its snapshot.
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

    fileprivate struct State {
        var entries: [Key: Entry] = [:]
        var maxBytes: Int
        var bytes = 0
        var uses: UInt64 = 0
    }

    private let state: Mutex<State>

    /// - Parameter maxBytes: the memory that the sets may take together.
    public init(maxBytes: Int) {
        state = Mutex(State(maxBytes: maxBytes))
    }

    /// Sets the memory that the sets may take together, in bytes, from the next one on.
    public func setBound(_ maxBytes: Int) { state.withLock { $0.maxBytes = maxBytes } }

    /// The memory that the sets take, in bytes.
    public var bytes: Int { state.withLock { $0.bytes } }

    /// The rows of a snapshot that do not match a condition, which depends on nothing but its records.
    public func rows(of snapshot: Snapshot, without predicate: Predicate) -> RowBitmap {
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
    fileprivate mutating func keep(_ rows: RowBitmap, _ key: RowSets.Key, _ snapshot: Snapshot) {
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

    /// The number of sets that are kept; those of small snapshots take next to no memory.
    private static var maxEntries: Int { 1 << 12 }
}

extension RowBitmap {
    /// The memory that the set takes, with what finding it takes.
    fileprivate var bytes: Int { bits.count * 8 + 128 }
}

extension Snapshot {
    /// The rows that do not match a condition; all of them where that could not be found out.
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
