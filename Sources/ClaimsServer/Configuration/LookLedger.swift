// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsJSON
import ClaimsProtocol
import Synchronization

/// A user who looks: the subject of an entry.
struct LookViewer: Sendable {
    let collection: String
    /// The number of the user.
    let user: UInt32
    /// The number of the rule that limits the user, from 1; 0: no rule limits the user; nil: no rule names the user.
    let rule: Int?
    let purpose: Purpose?
    let origin: PeerOrigin

    /// The key of an entry. Connections with equal keys share the entry.
    fileprivate struct Key: Hashable {
        let collection: String
        let user: UInt32
        let rule: Int?
        let purpose: Purpose?
        let facts: PeerOrigin.Facts
    }

    /// Nil while the process of the connection was not looked at.
    fileprivate var key: Key? { origin.facts.map { key(with: $0) } }

    fileprivate func key(with facts: PeerOrigin.Facts) -> Key {
        Key(collection: collection, user: user, rule: rule, purpose: purpose, facts: facts)
    }
}

/// The sums of the records that a viewer was shown in one span of counting.
struct LookCounts {
    private(set) var methods: [Method: Int] = [:]
    private(set) var records = 0
    /// The first different ids.
    private(set) var ids = ShownIDs()
    /// The number of shown records that are not among ``ids``.
    private(set) var moreIDs = 0
    private(set) var misses = 0
    private(set) var refused = 0
    /// The hashes of ``ids``.
    private var known = HashTable()
    /// The bytes of the ids as a JSON array.
    private var idBytes = 2
    private let hash = WyHash(seed: .random(in: .min ... .max))

    /// The bytes of the ids of an entry, as a JSON array.
    static let maxIDBytes = 4_000

    var isEmpty: Bool { methods.isEmpty && records == 0 && misses == 0 && refused == 0 }

    /// Adds the records that were shown.
    ///
    /// - Parameter maxIDs: the number of ids that are kept.
    mutating func add(_ look: Look, maxIDs: Int) {
        if look.requests > 0 { methods[look.method, default: 0] += look.requests }
        misses += look.misses
        refused += look.refused
        records += look.shown.count
        add(look.shown, maxIDs: maxIDs)
    }

    /// Adds the sums of the same viewer that were counted elsewhere.
    mutating func add(_ other: LookCounts, maxIDs: Int) {
        for (method, count) in other.methods { methods[method, default: 0] += count }
        misses += other.misses
        refused += other.refused
        records += other.records
        moreIDs += other.moreIDs
        add(other.ids, maxIDs: maxIDs)
    }

    private mutating func add(_ shown: ShownIDs, maxIDs: Int) {
        if maxIDs == 0 {
            moreIDs += shown.count
            return
        }
        shown.forEach { id in
            let number = hash(id)
            if known.contains(number) { return }
            guard known.count < maxIDs else {
                moreIDs += 1
                return
            }
            // An id has no control characters; a quote or backslash takes one more byte, and there are quotes around it
            // and a comma after it.
            var bytes = id.byteCount + 3
            for offset in 0..<id.byteCount {
                let byte = id.byte(at: offset)
                if byte == ASCII.quote || byte == ASCII.backslash { bytes += 1 }
            }
            guard id.byteCount > 0, idBytes + bytes <= Self.maxIDBytes else {
                moreIDs += 1
                return
            }
            known.insert(number)
            idBytes += bytes
            ids.append(id)
        }
    }
}

/// The hashes of some ids. Each repeated `detail` looks one up. A `Set` would hash the hash once more, which takes
/// longer than all other counting.
private struct HashTable {
    /// Zero: free. At least half of them are.
    private var slots: [UInt64] = []
    private(set) var count = 0

    func contains(_ hash: UInt64) -> Bool { !slots.isEmpty && slots[slot(of: hash)] != 0 }

    mutating func insert(_ hash: UInt64) {
        if 2 * (count + 1) > slots.count {
            let earlier = slots
            slots = [UInt64](repeating: 0, count: max(64, 2 * earlier.count))
            for hash in earlier where hash != 0 { slots[slot(of: hash)] = hash }
        }
        let slot = slot(of: hash)
        if slots[slot] == 0 { count += 1 }
        slots[slot] = Self.stored(hash)
    }

    /// The slot that has a hash, or is free for it.
    private func slot(of hash: UInt64) -> Int {
        let (mask, hash) = (slots.count - 1, Self.stored(hash))
        var slot = Int(truncatingIfNeeded: hash) & mask
        while slots[slot] != 0, slots[slot] != hash { slot = (slot + 1) & mask }
        return slot
    }

    private static func stored(_ hash: UInt64) -> UInt64 { hash == 0 ? 1 : hash }
}

/// The account of one viewer: the records that were shown to it since the last report to the journal. A connection
/// keeps it, so that no request has to find it.
///
/// Safe on any thread. The lock is its own, because loops count in other accounts at the same time.
final class LookAccount: Sendable {
    private struct State {
        var counts = LookCounts()
        /// Whether the ledger knows of the counts.
        var isListed = false
        var maxIDs = 0
    }

    let viewer: LookViewer
    private let state = Mutex(State())

    fileprivate init(_ viewer: LookViewer) { self.viewer = viewer }

    /// Counts the records that were shown.
    ///
    /// - Returns: false if the ledger does not know the account; then nothing is counted.
    fileprivate func add(_ look: Look) -> Bool {
        state.withLock { state in
            guard state.isListed else { return false }
            state.counts.add(look, maxIDs: state.maxIDs)
            return true
        }
    }

    /// Counts the records that were shown, in an account that the ledger knows.
    fileprivate func list(adding look: Look, maxIDs: Int) {
        state.withLock { state in
            state.isListed = true
            state.maxIDs = maxIDs
            state.counts.add(look, maxIDs: maxIDs)
        }
    }

    fileprivate func add(_ counts: LookCounts, maxIDs: Int) {
        state.withLock { state in
            state.isListed = true
            state.maxIDs = maxIDs
            state.counts.add(counts, maxIDs: maxIDs)
        }
    }

    /// Returns the counts and begins anew, unknown to the ledger.
    fileprivate func removeCounts() -> LookCounts {
        state.withLock { state in
            defer { state = State() }
            return state.counts
        }
    }
}

/// Counts the records of journaled collections that were shown to each viewer, and makes the entries of a span.
///
/// There is one entry for each viewer. Beyond ``maxViewers`` all others share one entry with sums. Looks of a
/// connection whose process was not examined yet are counted separately until ``settle(_:)``.
///
/// ```swift
/// let ledger = LookLedger()
/// let account = ledger.add(Look(.detail, at: id), to: ledger.account(of: viewer))
/// for entry in ledger.endSpan() { write(entry) }
/// ```
/// Safe on any thread. Invariant: a thread that holds the lock of an account never waits for the lock of the ledger.
final class LookLedger: Sendable {
    private struct State {
        var maxIDs = 100
        var listed: [LookViewer.Key: LookAccount] = [:]
        /// The accounts of connections whose process was not looked at yet.
        var waiting: [ObjectIdentifier: [LookAccount]] = [:]
        var lost = 0
    }

    /// The maximal number of viewers of a span with an entry of their own, and of connections that are counted
    /// separately.
    static let maxViewers = 256

    private let state = Mutex(State())
    /// The account of all for whom there is no room.
    private let rest = LookAccount(
        LookViewer(collection: "", user: 0, rule: nil, purpose: nil, origin: PeerOrigin(process: 0, connectedAt: 0)))

    /// Sets the number of ids of an entry, from the next span on.
    func set(maxIDs: Int) { state.withLock { $0.maxIDs = maxIDs } }

    /// The account of a viewer.
    func account(of viewer: LookViewer) -> LookAccount {
        state.withLock { state in
            guard let key = viewer.key else {
                let others = state.waiting[ObjectIdentifier(viewer.origin)] ?? []
                let facts = PeerOrigin.Facts()
                return others.first { $0.viewer.key(with: facts) == viewer.key(with: facts) } ?? LookAccount(viewer)
            }
            return state.listed[key] ?? LookAccount(viewer)
        }
    }

    /// Counts the records that were shown.
    ///
    /// - Returns: the account to use from now on. It is another one if that one already counts for the same viewer, or
    ///   if there is no room.
    func add(_ look: Look, to account: LookAccount) -> LookAccount {
        if account.add(look) { return account }
        return state.withLock { state in
            let target: LookAccount
            if let key = account.viewer.key {
                target = listed(account, key, &state)
            } else {
                target = state.waiting.count < Self.maxViewers ? account : rest
                let origin = ObjectIdentifier(account.viewer.origin)
                if target === account { state.waiting[origin, default: []].append(account) }
            }
            target.list(adding: look, maxIDs: target === rest ? 0 : state.maxIDs)
            // The rest is no account to stay with: there is room again in the next span.
            return target === rest ? account : target
        }
    }

    /// The account that counts for a viewer: the existing one, or this one, which is then listed; the shared account if
    /// there is no room.
    private func listed(_ account: LookAccount, _ key: LookViewer.Key, _ state: inout State) -> LookAccount {
        if let other = state.listed[key] { return other }
        // Ids of several collections mean nothing together.
        guard state.listed.count < Self.maxViewers else { return rest }
        state.listed[key] = account
        return account
    }

    /// Moves the counts of connections whose process was examined to the accounts of their viewers.
    func settle(_ origin: PeerOrigin) {
        state.withLock { state in
            for account in state.waiting.removeValue(forKey: ObjectIdentifier(origin)) ?? [] {
                let counts = account.removeCounts()
                guard let key = account.viewer.key else { continue }
                let target = listed(account, key, &state)
                target.add(counts, maxIDs: target === rest ? 0 : state.maxIDs)
            }
        }
    }

    /// Ends the span: its entries, one for each viewer.
    func endSpan() -> [LookEntry] {
        state.withLock { state in
            var entries = state.listed.values.map { LookEntry($0.viewer, $0.removeCounts()) }
            for account in state.waiting.values.joined() {
                entries.append(LookEntry(account.viewer, account.removeCounts()))
            }
            entries.append(LookEntry(nil, rest.removeCounts()))
            state.listed.removeAll(keepingCapacity: true)
            state.waiting.removeAll(keepingCapacity: true)
            entries.removeAll(where: \.isEmpty)
            if !entries.isEmpty {
                entries[0].lost = state.lost
                state.lost = 0
            }
            return entries
        }
    }

    /// Records that an entry could not be written; the next entry reports the loss, together with losses that the lost
    /// entry reported.
    func recordLoss(of entry: LookEntry) { state.withLock { $0.lost += 1 + entry.lost } }
}

/// An entry of the journal: the records that were shown to one user in one span.
public struct LookEntry: Sendable {
    /// The one who looked; nil: the sums of all for whom there was no room.
    public struct Subject: Sendable, Hashable {
        public let collection: String
        /// The number of the user.
        public let user: UInt32
        /// The system's unit of the process that connected, if it is known.
        public let unit: String?
        /// The number of the user who logged in, if it is known.
        public let login: UInt32?
        /// The number of the rule that limits the user, from 1; 0: no rule limits the user; nil: no rule names the
        /// user.
        public let rule: Int?
        public let purpose: String?
    }

    public let subject: Subject?
    /// The number of requests by the names of their methods, ordered by name.
    public let methods: [(name: String, count: Int)]
    /// The number of records that were shown, repeated ones too.
    public let records: Int
    /// The first different ids, as a JSON array of at most 4,000 bytes.
    public let ids: String
    /// The number of shown records that are not among ``ids``.
    public let moreIDs: Int
    /// The number of ids that were asked for and were not there.
    public let misses: Int
    /// The number of refusals by rules.
    public let refused: Int
    /// The number of entries before that could not be written.
    public fileprivate(set) var lost = 0

    fileprivate init(_ viewer: LookViewer?, _ counts: LookCounts) {
        let facts = viewer?.origin.facts
        subject = viewer.map {
            Subject(
                collection: $0.collection, user: $0.user, unit: facts?.unit, login: facts?.login, rule: $0.rule,
                purpose: $0.purpose?.text)
        }
        methods = counts.methods.map { ($0.key.description.name, $0.value) }.sorted { $0.0 < $1.0 }
        var writer = JSONWriter()
        writer.beginArray()
        counts.ids.forEach { writer.string(utf8: $0) }
        writer.endArray()
        ids = String(decoding: writer.bytes, as: UTF8.self)
        (records, moreIDs, misses, refused) = (counts.records, counts.moreIDs, counts.misses, counts.refused)
    }

    fileprivate var isEmpty: Bool { methods.isEmpty && records == 0 && misses == 0 && refused == 0 }
}
