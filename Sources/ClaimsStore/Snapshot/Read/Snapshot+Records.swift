// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsPlatform

extension Snapshot {
    /// The row of the record with this id; nil where there is none.
    public func row(forID id: RawSpan) -> Int? {
        guard let found = ids.find(id, bytes), found.row < count else { return nil }
        return found.row
    }

    /// Where the record with this id is; nil where there is none.
    public func place(ofID id: RawSpan) -> RecordPlace? {
        guard let found = ids.find(id, bytes), found.row < count else { return nil }
        return RecordPlace(row: found.row, offset: found.offset)
    }

    /// Prepares to look for a record among others: what is needed first is fetched meanwhile.
    @inline(__always)
    public func prepare(forID id: RawSpan) -> PreparedID { PreparedID(code: ids.prepare(id, bytes)) }

    /// As a second step, has the record fetched.
    @inline(__always)
    public func prefetch(_ prepared: inout PreparedID) {
        ids.prefetch(prepared.code, bytes)
        prepared.isFetched = true
    }

    /// As the last step, where the record with this id is, which is the one that was prepared; nil where there is none.
    public func place(ofID id: RawSpan, _ prepared: PreparedID) -> RecordPlace? {
        guard let found = ids.find(id, code: prepared.code, isFetched: prepared.isFetched, bytes), found.row < count
        else { return nil }
        return RecordPlace(row: found.row, offset: found.offset)
    }

    /// The record at a place of this snapshot.
    @_lifetime(borrow self)
    public func record(at place: RecordPlace) -> SnapshotRecord {
        let record = SnapshotRecord(bytes, at: place.offset)
        // The bytes are those of the mapping, which lives as long as this object.
        return unsafe _overrideLifetime(record, borrowing: self)
    }

    /// The record's id; empty for a row that is none.
    @_lifetime(borrow self)
    public func id(_ row: Int) -> RawSpan {
        let span = RecordBlock.id(bytes, at: offsets[row, bytes])
        return unsafe _overrideLifetime(span, borrowing: self)
    }

    /// The record as one line of JSON: the fields that are present, in the definition's order.
    @_lifetime(borrow self)
    public func document(_ row: Int) -> RawSpan {
        let span = RecordBlock.document(bytes, at: offsets[row, bytes])
        return unsafe _overrideLifetime(span, borrowing: self)
    }

    /// The upstream's object as received, less white space outside strings.
    @_lifetime(borrow self)
    public func upstream(_ row: Int) -> RawSpan {
        let span = RecordBlock.upstream(bytes, at: offsets[row, bytes])
        return unsafe _overrideLifetime(span, borrowing: self)
    }

    /// Asks for where the record in `row` is, as the first of two steps to have it fetched while others are read.
    @inline(__always)
    public func prefetchPlace(_ row: Int) { offsets.prefetch(row, bytes) }

    /// As the second step, asks for the record's document, or for the beginning of a long one.
    @inline(__always)
    public func prefetchDocument(_ row: Int) {
        Prefetch.read(bytes, at: offsets[row, bytes], count: Self.readTogether)
    }

    /// How many bytes of a record are asked for at once: most documents end there.
    private static var readTogether: Int { 512 }

    /// When the record was first seen, in milliseconds since 1970.
    public func firstSeen(_ row: Int) -> Int64 { RecordBlock.firstSeen(bytes, at: offsets[row, bytes]) }

    /// When the record last changed, in milliseconds since 1970.
    public func changedAt(_ row: Int) -> Int64 { RecordBlock.changedAt(bytes, at: offsets[row, bytes]) }

    /// The record's key in the state database.
    public func stateKey(_ row: Int) -> Int64 { RecordBlock.stateKey(bytes, at: offsets[row, bytes]) }

    /// Whether the record holds a value that a vocabulary does not know.
    public func isUnsupported(_ row: Int) -> Bool {
        RecordBlock.flags(bytes, at: offsets[row, bytes]) & RecordBlock.unsupported != 0
    }

    /// The index of a record's code in the vocabulary of an enum field; nil where it has none.
    public func code(_ row: Int, field: Int) -> Int? {
        let column = columns[field]
        let ordinal = column.ordinal(row, bytes)
        return column.kind.isCoded && ordinal < column.distinct ? ordinal : nil
    }

    /// Where a record begins in the file; nil where there is no such record.
    func recordOffset(_ row: Int) -> Int? {
        guard row >= 0, row < count else { return nil }
        let offset = offsets[row, bytes]
        return bytes.contains(offset, RecordBlock.headSize) ? offset : nil
    }
}
