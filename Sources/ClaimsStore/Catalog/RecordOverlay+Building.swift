// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsJSON
public import ClaimsModel
import ClaimsPlatform
public import ClaimsSnapshot

extension RecordOverlay {
    /// Builds the overlay of some entries; of several with one id the last counts.
    ///
    /// An entry that the definition cannot decode is not lost: it is in ``unserved``. Where it has unsettled operations,
    /// the record of the snapshot below is served with them; otherwise none is.
    ///
    /// - Parameters:
    ///   - base: the snapshot that the entries lie over; nil where there is none.
    ///   - joined: the values of the definition's second request.
    /// - Returns: nil for no entries.
    /// - Throws: the error of getting the memory.
    public static func build(
        _ entries: [OverlayEntry], over base: Snapshot?, definition: Definition, joined: JoinTable?
    ) throws(StoreError) -> RecordOverlay? {
        if entries.isEmpty { return nil }
        do throws(SnapshotError) {
            var builder = try OverlayBuilder(definition, joined: joined, base: base)
            for entry in latest(entries) { try builder.add(entry) }
            return try builder.finish()
        } catch {
            throw StoreError(error)
        }
    }

    /// Returns the overlay with some entries set and some removed; nil where none is left.
    ///
    /// - Throws: the error of getting the memory.
    public func applying(
        _ changed: [OverlayEntry], removing ids: [[UInt8]] = [], over base: Snapshot?, definition: Definition,
        joined: JoinTable?
    ) throws(StoreError) -> RecordOverlay? {
        let replaced = Set(ids).union(changed.map(\.id))
        let kept = entries.filter { !replaced.contains($0.id) }
        return try Self.build(kept + changed, over: base, definition: definition, joined: joined)
    }

    private static func latest(_ entries: [OverlayEntry]) -> [OverlayEntry] {
        var indices: [[UInt8]: Int] = [:]
        for (index, entry) in entries.enumerated() { indices[entry.id] = index }
        if indices.count == entries.count { return entries }
        return indices.values.sorted().map { entries[$0] }
    }
}

/// Decodes entries into the snapshot of an overlay.
private struct OverlayBuilder: ~Copyable {
    private var decoder: RecordDecoder
    private var writer: SnapshotWriter
    private let base: Snapshot?
    private var tape = JSONTape()
    private var record = DecodedRecord()
    private var served: [[UInt8]: (facts: OverlayFacts, isHidden: Bool)] = [:]
    private var gone: [[UInt8]: OverlayEntry] = [:]
    private var unserved: [UnservedEntry] = []
    private var counts: [PendingState: Int] = [:]
    private var version: UInt64 = 0

    init(_ definition: Definition, joined: JoinTable?, base: Snapshot?) throws(SnapshotError) {
        self.base = base
        decoder = RecordDecoder(definition: definition, joined: joined)
        // The generation is none that a snapshot below can have.
        let identity = SnapshotIdentity(
            epoch: 0, generation: .max, fileID: RandomBytes.integer() | 1, definitionHash: definition.shapeHash)
        writer = try SnapshotWriter(inMemory: definition, identity: identity)
    }

    mutating func add(_ entry: OverlayEntry) throws(SnapshotError) {
        note(entry)
        var facts = OverlayFacts(pending: entry.pending, written: entry.written)
        if let upstream = entry.upstream {
            guard let (reason, pointer) = decode(upstream, of: entry) else { return try append(entry, facts) }
            facts.written = nil
            facts.isReplacement = true
            var isReplaced = false
            if entry.pending != nil { isReplaced = try appendBelow(entry, facts) }
            if !isReplaced { gone[entry.id] = entry }
            unserved.append(UnservedEntry(entry: entry, pointer: pointer, reason: reason, isReplaced: isReplaced))
        } else {
            facts.isBorrowed = true
            if entry.isHidden, try appendBelow(entry, facts) { return }
            gone[entry.id] = entry
        }
    }

    /// Decodes an object into `record`; gives the reason and the pointer to the mistake where it is refused.
    private mutating func decode(_ upstream: [UInt8], of entry: OverlayEntry) -> (String, String)? {
        guard (try? tape.parse(upstream.rawSpan, from: 0, depth: JSONElements.bodyDepth)) != nil else {
            return ("not JSON any more", "")
        }
        if case .quarantined(let reason, let pointer) = decoder.decode(tape, upstream.rawSpan, into: &record) {
            return (reason, pointer)
        }
        return record.id == entry.id ? nil : ("the id is another one", "")
    }

    /// Appends the record that the snapshot below has; false where it has none.
    private mutating func appendBelow(_ entry: OverlayEntry, _ facts: OverlayFacts) throws(SnapshotError) -> Bool {
        guard let base, let row = base.row(forID: entry.id.rawSpan),
            decode(base.upstream(row).array, of: entry) == nil
        else { return false }
        var below = entry
        below.firstSeen = base.firstSeen(row)
        below.changedAt = base.changedAt(row)
        try append(below, facts)
        return true
    }

    private mutating func append(_ entry: OverlayEntry, _ facts: OverlayFacts) throws(SnapshotError) {
        _ = try writer.append(
            record, firstSeen: entry.firstSeen, changedAt: entry.changedAt, stateKey: entry.stateKey)
        served[entry.id] = (facts, entry.isHidden)
    }

    /// Counts an entry, and adds it to the version, which does not depend on the order of entries.
    private mutating func note(_ entry: OverlayEntry) {
        for (state, count) in entry.pending?.counts ?? [:] { counts[state, default: 0] += count }
        var hash: UInt64 = entry.isHidden ? 1 : 0
        for part in [entry.id, entry.upstream ?? [], entry.pending?.json ?? []] {
            hash = (hash ^ Checksum.of(part.rawSpan)) &* 0x9E37_79B1_85EB_CA87
            hash ^= hash >> 29
        }
        version &+= hash
    }

    consuming func finish() throws(SnapshotError) -> RecordOverlay {
        var rows = OverlayRows(snapshot: served.isEmpty ? nil : try writer.finishInMemory())
        var facts: [OverlayFacts] = []
        if let snapshot = rows.snapshot {
            facts.reserveCapacity(snapshot.count)
            for row in 0..<snapshot.count {
                guard let known = served[snapshot.idBytes(row)] else { continue }
                facts.append(known.facts)
                if known.isHidden { rows.unlisted.set(row, of: snapshot.count, to: true) }
                if let state = known.facts.pending?.state { rows.pending[state].set(row, of: snapshot.count, to: true) }
            }
        }
        rows.covered = RecordOverlay.covered(by: rows.snapshot, and: gone, in: base)
        return RecordOverlay(
            rows: rows, facts: facts, gone: gone, unserved: unserved, counts: counts, version: version | 1)
    }
}
