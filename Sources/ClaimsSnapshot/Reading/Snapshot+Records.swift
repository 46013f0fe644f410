// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsPlatform

extension Snapshot {
    /// The row of the record with this id; nil where there is none.
    public func row(forID id: RawSpan) -> Int? {
        guard let found = ids.find(id, bytes), found.row < count else { return nil }
        return found.row
    }

    /// The location of the record with this id; nil where there is none.
    public func location(ofID id: RawSpan) -> RecordLocation? {
        guard let found = ids.find(id, bytes), found.row < count else { return nil }
        return RecordLocation(row: found.row, offset: found.offset)
    }

    /// The location of the record in a row; nil where there is none.
    public func location(_ row: Int) -> RecordLocation? {
        recordOffset(row).map { RecordLocation(row: row, offset: $0) }
    }

    /// Hashes an id and prefetches its slot in the id table, as the first of three steps of a lookup.
    @inline(__always)
    public func prepare(forID id: RawSpan) -> PreparedID { PreparedID(code: ids.prepare(id, bytes)) }

    /// Prefetches the record, as the second step of a lookup.
    @inline(__always)
    public func prefetch(_ prepared: inout PreparedID) {
        ids.prefetch(prepared.code, bytes)
        prepared.isFetched = true
    }

    /// The location of the record with the id that was prepared, as the last step of a lookup; nil where there is none.
    public func location(ofID id: RawSpan, _ prepared: PreparedID) -> RecordLocation? {
        guard let found = ids.find(id, code: prepared.code, isFetched: prepared.isFetched, bytes), found.row < count
        else { return nil }
        return RecordLocation(row: found.row, offset: found.offset)
    }

    /// The record at a location of this snapshot.
    @_lifetime(borrow self)
    public func record(at location: RecordLocation) -> SnapshotRecord {
        let record = SnapshotRecord(bytes, at: location.offset)
        // The bytes are those of the mapping, which lives as long as this object.
        return unsafe _overrideLifetime(record, borrowing: self)
    }

    /// The record's id; empty for a row that is none.
    @_lifetime(borrow self)
    public func id(_ row: Int) -> RawSpan {
        let span = RecordBlock.id(bytes, at: offsets.view(bytes)[row])
        return unsafe _overrideLifetime(span, borrowing: self)
    }

    /// The record as one line of JSON: the fields that are present, in the definition's order.
    @_lifetime(borrow self)
    public func document(_ row: Int) -> RawSpan {
        let span = RecordBlock.document(bytes, at: offsets.view(bytes)[row])
        return unsafe _overrideLifetime(span, borrowing: self)
    }

    /// The upstream's object as received, less white space outside strings.
    @_lifetime(borrow self)
    public func upstream(_ row: Int) -> RawSpan {
        let span = RecordBlock.upstream(bytes, at: offsets.view(bytes)[row])
        return unsafe _overrideLifetime(span, borrowing: self)
    }

    /// Prefetches the offset of the record in `row`, as the first of two steps to prefetch its document.
    @inline(__always)
    public func prefetchOffset(_ row: Int) { offsets.view(bytes).prefetch(row) }

    /// Prefetches the record's document, or the beginning of a long one, as the second step.
    @inline(__always)
    public func prefetchDocument(_ row: Int) {
        Prefetch.read(bytes, at: offsets.view(bytes)[row], count: Self.readTogether)
    }

    /// How many bytes of a record are asked for at once: most documents end there.
    private static var readTogether: Int { 512 }

    /// When the record was first seen, in milliseconds since 1970.
    public func firstSeen(_ row: Int) -> Int64 { RecordBlock.firstSeen(bytes, at: offsets.view(bytes)[row]) }

    /// When the record last changed, in milliseconds since 1970.
    public func changedAt(_ row: Int) -> Int64 { RecordBlock.changedAt(bytes, at: offsets.view(bytes)[row]) }

    /// The record's key in the state database.
    public func stateKey(_ row: Int) -> Int64 { RecordBlock.stateKey(bytes, at: offsets.view(bytes)[row]) }

    /// Whether the record holds a value that a vocabulary does not know.
    public func isUnsupported(_ row: Int) -> Bool {
        RecordBlock.flags(bytes, at: offsets.view(bytes)[row]) & RecordBlock.unsupported != 0
    }

    /// The index of a record's code in the vocabulary of an enum field; nil where it has none.
    public func code(_ row: Int, field: Int) -> Int? {
        let column = column(field)
        let ordinal = column.ordinal(row)
        return column.kind.isCoded && ordinal < column.distinct ? ordinal : nil
    }

    /// The upstream's object of the record that begins at `offset`, as `recordOffset` gives it.
    @_lifetime(borrow self)
    public func upstream(atOffset offset: Int) -> RawSpan {
        let span = RecordBlock.upstream(bytes, at: offset)
        return unsafe _overrideLifetime(span, borrowing: self)
    }

    /// Where a record begins in the file; nil where there is no such record.
    public func recordOffset(_ row: Int) -> Int? {
        guard row >= 0, row < count else { return nil }
        let offset = offsets.view(bytes)[row]
        return bytes.contains(offset, RecordBlock.headSize) ? offset : nil
    }
}
