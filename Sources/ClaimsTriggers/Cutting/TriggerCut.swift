// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsClient
import ClaimsJSON
import ClaimsModel
import ClaimsPlatform
import ClaimsProtocol
import ClaimsTerminal

/// The reason why there is no cut.
enum CutFailure: Error {
    /// The daemon is away, silent or busy: the same may be answered later.
    case away(CommandError)
    /// The daemon refuses the request of the file.
    case refused(CommandError)
    /// There are more members than ``Reported/maxMembers``.
    case tooMany
    /// The difference could not be kept.
    case store(SystemError)

    /// The meaning of an error for a cut: whether a later try may succeed.
    init(_ error: CommandError) {
        switch error {
        case .client(.refused(let refusal)):
            let passing: [ErrorKind] = [.busy, .timeout, .internal, .storageFull, .cancelled]
            self = passing.contains { $0.rawValue == refusal.kind } ? .away(error) : .refused(error)
        case .client(.malformed): self = .refused(error)
        case .client: self = .away(error)
        case .usage, .output, .failed, .invalid: self = .refused(error)
        }
    }
}

/// The difference between the reported state and the current one: it reads pages of `changes`, and makes the entries of
/// a batch, and the state that counts as reported once the batch is reported.
///
/// Each id counts once, even if the pages have it several times: in the set or not, against the reported members. The
/// caller keeps the texts of entries, so that a large difference needs no memory.
///
/// ```swift
/// var cut = TriggerCut(definition, collection: name, fields: fields, reported: reported, key: .random)
/// try cut.read(page) { text throws(SystemError) in try spool.append(text) }
/// let plan = cut.finish()
/// ```
struct TriggerCut {
    /// The place of a text that the caller keeps.
    struct Kept: Sendable, Equatable {
        let offset: Int
        let length: Int
    }

    /// The outcome for one id, compared with the reported state.
    private enum Outcome: UInt64 {
        case same, added, updated, removed
    }

    /// The words of ``delta`` behind the hashes.
    private enum Word: Int {
        case outcome, offset, length
    }

    private static let isPresent: UInt64 = 1 << 8
    private static let isForgotten: UInt64 = 1 << 9
    private static let isKept: UInt64 = 1 << 10

    private let events: Set<TriggerDefinition.Event>
    /// Whether records are reported at all: not at a first run that counts them as reported.
    private let reportsRecords: Bool
    private let isFirst: Bool
    private let reported: Reported?
    /// The collection, the fields and the key of the next reported state.
    let head: Reported.Head
    private let fields: [ComparedField]
    private var hash: ValueHash
    /// Whether all hashes are made anew, because other fields are compared.
    private let isRebuilding: Bool
    /// The column in ``reported`` of each field; nil for a field that was not compared.
    private let columns: [Int?]

    /// The ids that the pages have reported, with their hashes and the words of ``Word``.
    private var delta: MemberTable
    /// By its new id, the id that a record had.
    private var renames: [[UInt8]: [UInt8]] = [:]
    /// The members that a fresh set has reported, by their index in ``reported``.
    private var seen: [Bool] = []
    /// The number of records in the set, as far as it is known.
    private var count: Int
    /// The reason of the fresh set; nil without one.
    private(set) var freshReason: String?
    /// Whether an id was forgotten, or may have been.
    private(set) var hasForgotten = false

    /// - Parameters:
    ///   - collection: the name of the collection, because the definition has its singular.
    ///   - fields: the fields that are compared now.
    ///   - reported: the reported state; nil at a first run.
    ///   - key: the key of hashes if `reported` has none.
    init(
        _ definition: TriggerDefinition, collection: String, fields: [ComparedField], reported: Reported?,
        key: @autoclosure () -> Reported.Key
    ) {
        // Another collection begins as a first run, and so does one of which no set was compared.
        let isKnown = reported?.head.collection == collection && reported?.moment.clock != nil
        let known = isKnown ? reported : nil
        self.reported = known
        isFirst = known == nil
        events = definition.events
        reportsRecords = known != nil || definition.first == .all
        let names = fields.map(\.text)
        head = Reported.Head(
            collection: collection, fields: names, key: known?.head.key ?? key())
        isRebuilding = known?.head != head
        columns = names.map { name in known?.head.fields.firstIndex(of: name) }
        self.fields = fields
        hash = ValueHash(key: (head.key.first, head.key.last))
        delta = MemberTable(columns: fields.count + 3)
        count = known?.members.count ?? 0
        if known == nil { beginSet() }
    }

    /// The clock after which changes are asked for; nil for the whole set.
    ///
    /// A set of other fields is asked for as a whole, because each member needs a hash of each.
    var since: String? { isRebuilding ? nil : reported?.moment.clock }

    /// Reads one page of `changes`.
    ///
    /// - Parameter keep: keeps a text, and returns its place.
    mutating func read(
        _ page: AnswerValue, keep: ([UInt8]) throws(SystemError) -> Kept
    ) throws(CutFailure) {
        if page[ChangesResult.freshInstance] == true {
            beginSet()
            freshReason = page[ChangesResult.reasons]?.members.first?.value.string ?? "start"
        }
        for entry in page[ChangesResult.changes] { try read(entry, keep) }
    }

    /// Begins a set anew: all that the pages have reported is void.
    private mutating func beginSet() {
        delta = MemberTable(columns: delta.columns)
        renames = [:]
        seen = [Bool](repeating: false, count: reported?.members.count ?? 0)
        count = 0
        hasForgotten = !isFirst
        freshReason = "start"
    }

    private var isFresh: Bool { freshReason != nil }

    private mutating func read(
        _ entry: AnswerValue, _ keep: ([UInt8]) throws(SystemError) -> Kept
    ) throws(CutFailure) {
        guard let id: String = entry[FeedEntry.id], let op: String = entry[FeedEntry.op] else { return }
        let key = Array(id.utf8)
        guard key.count <= MemberTable.maxLength else { return }
        let record: AnswerValue? = op == "removed" ? nil : entry[FeedEntry.record]
        let member = reported?.members.index(of: key)
        let wasSeen = member.map { isFresh ? seen[$0] : true } ?? false
        if let member, isFresh { seen[member] = true }
        let hashes = record.map { record in fields.map { hash.of($0, in: record) } }
        let earlier = delta.index(of: key)
        let outcome = outcome(hashes, member: member)
        try recount(record != nil, earlier: earlier, wasMember: wasSeen)
        if entry[FeedEntry.cause] == "forget" { hasForgotten = true }
        if let to = entry[FeedEntry.to], record == nil { renames[Array(to.utf8)] = key }
        // An unchanged record of a fresh set needs no memory, unless it comes twice.
        if isFresh, outcome == .same, !isRebuilding, earlier == nil { return }
        let index = delta.insert(key)
        var word = outcome.rawValue | (record == nil ? 0 : Self.isPresent)
        if let hashes { for (column, value) in hashes.enumerated() { delta[index, column] = value } }
        if isTellable(outcome, isRenamed: entry[FeedEntry.to] != nil) {
            let isUnchanged = !isFresh && earlier == nil && op == name(of: outcome)
            let text =
                isUnchanged
                ? Array(entry.document.bytes[entry.range])
                : line(outcome, of: entry, record, hashes: hashes, member: member)
            let kept: Kept
            do throws(SystemError) { kept = try keep(text) } catch { throw .store(error) }
            set(.offset, UInt64(kept.offset), at: index)
            set(.length, UInt64(kept.length), at: index)
            word |= Self.isKept
        }
        set(.outcome, word, at: index)
    }

    private mutating func set(_ word: Word, _ value: UInt64, at index: Int) {
        delta[index, fields.count + word.rawValue] = value
    }

    private func get(_ word: Word, at index: Int) -> UInt64 { delta[index, fields.count + word.rawValue] }

    private func outcome(_ hashes: [UInt64]?, member: Int?) -> Outcome {
        guard let hashes else { return member == nil ? .same : .removed }
        guard let member else { return .added }
        return differing(hashes, member: member).isEmpty ? .same : .updated
    }

    /// The compared fields whose hashes differ from the hashes of a reported member. A field that is compared for the
    /// first time does not count.
    private func differing(_ hashes: [UInt64], member: Int) -> [Int] {
        guard let reported else { return [] }
        return columns.indices.filter { field in
            columns[field].map { reported.members[member, $0] != hashes[field] } ?? false
        }
    }

    /// - Parameter wasMember: whether the record was in the set, if no entry of this cut shows it.
    private mutating func recount(_ isPresent: Bool, earlier: Int?, wasMember: Bool) throws(CutFailure) {
        let was = if let earlier { get(.outcome, at: earlier) & Self.isPresent != 0 } else { wasMember }
        count += (isPresent ? 1 : 0) - (was ? 1 : 0)
        guard count <= Reported.maxMembers, delta.count <= 2 * Reported.maxMembers else { throw .tooMany }
    }

    /// Whether the text of an entry may be needed: for a batch, or for the entry of the record that it is renamed to or
    /// from.
    private func isTellable(_ outcome: Outcome, isRenamed: Bool) -> Bool {
        guard reportsRecords else { return false }
        switch outcome {
        case .same: return false
        case .added: return events.contains(.added) || events.contains(.updated)
        case .updated: return events.contains(.updated)
        case .removed: return events.contains(.removed) || isRenamed && events.contains(.updated)
        }
    }

    private func name(of outcome: Outcome) -> String {
        switch outcome {
        case .same: ""
        case .added: "added"
        case .updated: "updated"
        case .removed: "removed"
        }
    }

    /// The line of what comparing has found.
    private func line(
        _ outcome: Outcome, of entry: AnswerValue, _ record: AnswerValue?, hashes: [UInt64]?, member: Int?
    ) -> [UInt8] {
        let changed = outcome == .updated ? differing(hashes ?? [], member: member ?? 0).map { fields[$0].text } : []
        return BatchText.entry(name(of: outcome), id: entry[FeedEntry.id] ?? "", changed: changed, record: record)
    }
}

// The outcome.

extension TriggerCut {
    /// A line of the batch, after the first ones.
    enum Line {
        /// A text that the caller keeps.
        case kept(Kept)
        /// A member that a fresh set does not have.
        case gone([UInt8])
        /// A record with another id: the texts of its two entries, as far as they are kept.
        case renamed(from: [UInt8], to: [UInt8], changed: [String], removed: Kept?, added: Kept)
    }

    /// The lines of a batch about records: added, updated, removed, each by id.
    struct Plan {
        var added: [Line] = []
        var updated: [Line] = []
        var removed: [Line] = []

        /// The number of lines.
        var count: Int { added.count + updated.count + removed.count }
    }

    /// The lines that are to be reported, after the last page.
    func finish() -> Plan {
        var plan = Plan()
        guard reportsRecords else { return plan }
        let renamed = settledRenames()
        let hidden = Set(renamed.flatMap { [$0.from, $0.to] })
        var byOutcome: [Outcome: [Int]] = [:]
        for index in 0..<delta.count where !hidden.contains(index) {
            byOutcome[outcome(at: index), default: []].append(index)
        }
        if events.contains(.added) {
            plan.added = delta.sorted(byOutcome[.added] ?? []).map { .kept(kept(at: $0)) }
        }
        if events.contains(.updated) {
            let updated = byOutcome[.updated] ?? []
            let targets = Dictionary(renamed.map { ($0.to, $0.from) }, uniquingKeysWith: { first, _ in first })
            plan.updated = delta.sorted(updated + targets.keys).map { index in
                targets[index].map { line(renamed: $0, to: index) } ?? .kept(kept(at: index))
            }
        }
        if events.contains(.removed) { plan.removed = removedLines(byOutcome[.removed] ?? []) }
        return plan
    }

    private func outcome(at index: Int) -> Outcome { Outcome(rawValue: get(.outcome, at: index) & 0xFF) ?? .same }

    private func kept(at index: Int) -> Kept {
        Kept(offset: Int(get(.offset, at: index)), length: Int(get(.length, at: index)))
    }

    /// The records that were reported under one id, and are now in the set under another id, which was not reported.
    private func settledRenames() -> [(from: Int, to: Int)] {
        renames.compactMap { to, from in
            guard let from = delta.index(of: from), outcome(at: from) == .removed, let to = delta.index(of: to),
                outcome(at: to) == .added
            else { return nil }
            return (from, to)
        }
    }

    private func line(renamed from: Int, to: Int) -> Line {
        let hashes = fields.indices.map { delta[to, $0] }
        let member = reported?.members.index(of: delta.id(at: from))
        let changed = member.map { differing(hashes, member: $0).map { fields[$0].text } } ?? []
        let isKept = get(.outcome, at: from) & Self.isKept != 0
        return .renamed(
            from: delta.id(at: from), to: delta.id(at: to), changed: changed, removed: isKept ? kept(at: from) : nil,
            added: kept(at: to))
    }

    private func removedLines(_ indexes: [Int]) -> [Line] {
        let entries = delta.sorted(indexes)
        let gone = goneMembers()
        guard let members = reported?.members, !gone.isEmpty else { return entries.map { .kept(kept(at: $0)) } }
        // Both are sorted by id.
        var lines: [Line] = []
        var next = 0
        for index in members.sorted(gone) {
            let id = members.id(at: index)
            while next < entries.count, delta.id(at: entries[next]).lexicographicallyPrecedes(id) {
                lines.append(.kept(kept(at: entries[next])))
                next += 1
            }
            lines.append(.gone(id))
        }
        return lines + entries[next...].map { .kept(kept(at: $0)) }
    }

    /// The members that were reported, and are not in the fresh set.
    private func goneMembers() -> [Int] {
        isFresh ? seen.indices.filter { !seen[$0] } : []
    }

    /// The changes of the reported state, without the last one, which settles them.
    func forEachChange<Failure: Error>(_ body: (Reported.Change) throws(Failure) -> Void) throws(Failure) {
        if isRebuilding { try body(.begin(head)) }
        for index in 0..<delta.count {
            let isPresent = get(.outcome, at: index) & Self.isPresent != 0
            if isPresent {
                if outcome(at: index) != .same || isRebuilding {
                    try body(.put(delta.id(at: index), fields.indices.map { delta[index, $0] }))
                }
            } else if outcome(at: index) == .removed, !isRebuilding {
                try body(.drop(delta.id(at: index)))
            }
        }
        if isRebuilding { return }
        guard let members = reported?.members else { return }
        for index in goneMembers() { try body(.drop(members.id(at: index))) }
    }

    /// The number of members once this cut is reported.
    var memberCount: Int { count }
}
