// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsJSON
public import ClaimsModel
import ClaimsSnapshot

/// One record that lies over the committed ones, in the form in which it is served.
public struct OverlayEntry: Sendable, Equatable {
    public var id: [UInt8]
    /// The record in the form of the upstream's objects; nil if the record is gone.
    public var upstream: [UInt8]?
    /// Whether lists leave the record out, because its deletion is under way. It is still answered by its id.
    public var isHidden = false
    /// When the record was first seen, in milliseconds since 1970.
    public var firstSeen: Int64
    /// When it last changed, in milliseconds since 1970.
    public var changedAt: Int64
    /// The record's key in the state database.
    public var stateKey: Int64
    /// The unsettled operations of the record; nil if there are none.
    public var pending: PendingRecord?
    /// The last write of the record; nil if its values are the upstream's.
    public var written: RecordWrite?

    public init(
        id: [UInt8], upstream: [UInt8]?, firstSeen: Int64, changedAt: Int64, stateKey: Int64 = 0,
        pending: PendingRecord? = nil, written: RecordWrite? = nil
    ) {
        self.id = id
        self.upstream = upstream
        self.firstSeen = firstSeen
        self.changedAt = changedAt
        self.stateKey = stateKey
        self.pending = pending
        self.written = written
    }

    /// A number that differs between entries that are served differently.
    var hash: UInt64 {
        var hash: UInt64 = isHidden ? 1 : 0
        for part in [id, upstream ?? [], pending?.json ?? []] {
            hash = (hash ^ Checksum.of(part.rawSpan)) &* 0x9E37_79B1_85EB_CA87
            hash ^= hash >> 29
        }
        return hash
    }
}

/// A record of the overlay that the definition in force cannot decode. It is kept, and decoded again by the next one.
struct UnservedEntry: Sendable, Equatable {
    var entry: OverlayEntry
    /// The JSON Pointer from the object to the wrong value.
    var pointer: String
    /// For people; without text of the record.
    var reason: String
    /// Whether the committed record below is served in its place.
    var isReplaced: Bool
}

/// The facts about an entry that the snapshot with its record does not hold.
struct OverlayFacts: Sendable {
    var pending: PendingRecord?
    var written: RecordWrite?
    var isHidden = false
    /// The original entry, if the committed record below is served instead.
    var given: OverlayEntry?
}

/// An entry and the record that is served for it.
struct ServedEntry: Sendable {
    var entry: OverlayEntry
    var facts: OverlayFacts
    /// The record that is served; nil if there is none.
    var record: RecentRecords.Entry?
    /// Set if the definition cannot decode the entry.
    var unserved: UnservedEntry?

    /// The size of the object of the record that is served, in bytes.
    var objectSize: Int { record?.record.upstream.count ?? 0 }
}

/// Decodes entries by one definition, over committed records.
///
/// An entry that the definition cannot decode is not lost. If it has unsettled operations, the committed record below
/// is served with them; otherwise no record is served.
struct OverlayDecoder {
    private var decoder: RecordDecoder
    private let base: CommittedRecords?
    private var tape = JSONTape()
    private var record = DecodedRecord()

    /// - Parameter joined: the values of the definition's second request.
    init(_ definition: Definition, joined: JoinTable?, over base: CommittedRecords?) {
        decoder = RecordDecoder(definition: definition, joined: joined)
        self.base = base
    }

    mutating func decode(_ entry: OverlayEntry) -> ServedEntry {
        let facts = OverlayFacts(pending: entry.pending, written: entry.written, isHidden: entry.isHidden)
        var served = ServedEntry(entry: entry, facts: facts)
        guard let upstream = entry.upstream else {
            served.facts.given = entry
            if entry.isHidden { served.record = below(entry) }
            return served
        }
        guard let (reason, pointer) = decode(upstream, of: entry) else {
            served.record = RecentRecords.Entry(
                record, firstSeen: entry.firstSeen, changedAt: entry.changedAt, stateKey: entry.stateKey)
            return served
        }
        served.facts.written = nil
        served.facts.given = entry
        if entry.pending != nil { served.record = below(entry) }
        served.unserved = UnservedEntry(
            entry: entry, pointer: pointer, reason: reason, isReplaced: served.record != nil)
        return served
    }

    /// Decodes an object into `record`; returns the reason and the pointer to the mistake if it is refused.
    private mutating func decode(_ upstream: [UInt8], of entry: OverlayEntry) -> (String, String)? {
        guard (try? tape.parse(upstream.rawSpan, from: 0, depth: JSONElements.bodyDepth)) != nil else {
            return ("not JSON any more", "")
        }
        if case .quarantined(let reason, let pointer) = decoder.decode(tape, upstream.rawSpan, into: &record) {
            return (reason, pointer)
        }
        return record.id == entry.id ? nil : ("the id is another one", "")
    }

    /// The committed record below; nil if there is none.
    private mutating func below(_ entry: OverlayEntry) -> RecentRecords.Entry? {
        guard let committed = base?.record(forID: entry.id.rawSpan), decode(committed.upstream, of: entry) == nil
        else { return nil }
        return RecentRecords.Entry(
            record, firstSeen: committed.firstSeen, changedAt: committed.changedAt, stateKey: entry.stateKey)
    }
}
