// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsProtocol

/// Counts who was shown what of the collections that are journaled, and decides which entries the journal gets, and when.
///
/// Pure: the time is given. A span of counting begins with the first look after the last entries, and lasts
/// ``every``; then there is one entry for each viewer. Beyond ``maxViewers`` all others share one entry with sums.
///
/// ```swift
/// var ledger = LookLedger(every: 10_000_000_000, maxIDs: 100)
/// ledger.add(Look(.detail, records: 1, ids: ["7"]), by: viewer, at: now)
/// for entry in ledger.takeDue(at: now) { write(entry) }
/// ```
struct LookLedger {
    /// One who looks: the subject of an entry.
    struct Viewer: Hashable, Sendable {
        let collection: String
        /// The number of the user.
        let user: UInt32
        /// The number of the rule that limits the user, from 1; 0: none does.
        let rule: Int
        let purpose: Purpose?
        /// The process that connected.
        let process: Int32
    }

    /// What one request, or one part of its answer, has shown.
    struct Look: Sendable {
        let method: Method
        /// The number of records that were shown, repeated ones too.
        var records = 0
        /// The ids of these records, in their order.
        var ids: [String] = []
        /// The number of ids that were asked for and are not there.
        var misses = 0
        /// The number of refusals by rules.
        var refused = 0

        init(_ method: Method, records: Int = 0, ids: [String] = [], misses: Int = 0, refused: Int = 0) {
            self.method = method
            self.records = records
            self.ids = ids
            self.misses = misses
            self.refused = refused
        }
    }

    /// An entry of the journal.
    struct Entry: Equatable, Sendable {
        /// Nil: the sums of all viewers for whom there was no room.
        let viewer: Viewer?
        /// The number of looks by each method.
        fileprivate(set) var methods: [Method: Int] = [:]
        fileprivate(set) var records = 0
        /// The first different ids.
        fileprivate(set) var ids: [String] = []
        /// The number of shown ids that are not among ``ids``.
        fileprivate(set) var moreIDs = 0
        fileprivate(set) var misses = 0
        fileprivate(set) var refused = 0
        /// The number of entries before that could not be written.
        fileprivate(set) var lost = 0

        fileprivate init(_ viewer: Viewer?) { self.viewer = viewer }
    }

    /// The counts of one entry, with what finds an id among those that it has.
    private struct Counts {
        var entry: Entry
        private var known: Set<String> = []
        /// The bytes of the ids as a JSON array.
        private var idBytes = 2

        init(_ viewer: Viewer?) { entry = Entry(viewer) }

        mutating func add(_ look: Look, maxIDs: Int) {
            entry.methods[look.method, default: 0] += 1
            entry.records += look.records
            entry.misses += look.misses
            entry.refused += look.refused
            for id in look.ids where !known.contains(id) {
                // Quotes and a comma. An id has no control characters; a quote or backslash takes a byte more.
                let bytes = id.utf8.reduce(3) { $0 + ($1 == 0x22 || $1 == 0x5C ? 2 : 1) }
                guard known.count < maxIDs, idBytes + bytes <= LookLedger.maxIDBytes else {
                    entry.moreIDs += 1
                    continue
                }
                known.insert(id)
                idBytes += bytes
                entry.ids.append(id)
            }
        }
    }

    /// The number of entries of one span that have a viewer.
    static let maxViewers = 256
    /// The bytes of the ids of an entry, as a JSON array.
    static let maxIDBytes = 4_000

    /// The length of a span, in nanoseconds. A change holds from the next span on.
    var every: UInt64
    /// The number of ids of an entry.
    var maxIDs: Int

    private var counts: [Counts] = []
    private var indices: [Viewer: Int] = [:]
    /// The sums of those for whom there was no room.
    private var rest: Counts?
    private var lost = 0
    /// The end of the span, in nanoseconds of the monotonic clock; nil: nothing was shown since the last entries.
    private(set) var due: UInt64?

    init(every: UInt64, maxIDs: Int) {
        self.every = every
        self.maxIDs = maxIDs
    }

    /// Counts what was shown.
    ///
    /// - Returns: whether a span has begun, so that its end is to be waited for.
    @discardableResult
    mutating func add(_ look: Look, by viewer: Viewer, at now: UInt64) -> Bool {
        let isFirst = due == nil
        if isFirst { due = now &+ every }
        if let index = indices[viewer] {
            counts[index].add(look, maxIDs: maxIDs)
        } else if counts.count < Self.maxViewers {
            indices[viewer] = counts.count
            counts.append(Counts(viewer))
            counts[counts.count - 1].add(look, maxIDs: maxIDs)
        } else {
            // Ids of several collections mean nothing together.
            rest = rest ?? Counts(nil)
            rest?.add(look, maxIDs: 0)
        }
        return isFirst
    }

    /// The entries of the span, if it has ended.
    mutating func takeDue(at now: UInt64) -> [Entry] {
        guard let due, now >= due else { return [] }
        return takeAll()
    }

    /// All entries, for the end of the daemon.
    mutating func takeAll() -> [Entry] {
        var entries = counts.map(\.entry)
        if let rest { entries.append(rest.entry) }
        if !entries.isEmpty {
            entries[0].lost = lost
            lost = 0
        }
        counts.removeAll(keepingCapacity: true)
        indices.removeAll(keepingCapacity: true)
        rest = nil
        due = nil
        return entries
    }

    /// Records that an entry could not be written; the next one tells it, with those that it told itself.
    mutating func recordLoss(of entry: Entry) { lost += 1 + entry.lost }
}
