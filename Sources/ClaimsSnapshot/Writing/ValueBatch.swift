// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsModel

/// The keys and values of some records, on their way from the thread that decodes records to the thread that gathers
/// values.
///
/// A batch is reused: `removeAll` keeps its capacity.
struct ValueBatch: Sendable {
    /// The size of a full batch in bytes: it fits a core's cache, and both threads run for a while before one waits for
    /// the other.
    private static let maxBytes = 1 << 19

    /// A range of `bytes`.
    struct Slice {
        var start: UInt32 = 0
        var count: UInt32 = 0

        init() {}

        init(_ range: Range<Int>, from start: Int) {
            self.start = UInt32(truncatingIfNeeded: start &+ range.lowerBound)
            count = UInt32(truncatingIfNeeded: range.count)
        }
    }

    /// A record's value in one column.
    struct Value {
        /// The code of an enum; in other columns 0 if there is a value, and -1 if there is none.
        var code: Int32 = -1
        var key = Slice()
        var tie = Slice()
        var folded = Slice()
    }

    /// The number of records in the batch.
    private(set) var records = 0
    /// The keys of the records.
    private var idKeys: [Slice] = []
    /// The values of each record, by column.
    private var values: [Value] = []
    private var bytes: [UInt8] = []

    var isFull: Bool { bytes.count >= Self.maxBytes }

    /// Removes all records and keeps the capacity.
    mutating func removeAll() {
        records = 0
        idKeys.removeAll(keepingCapacity: true)
        values.removeAll(keepingCapacity: true)
        bytes.removeAll(keepingCapacity: true)
    }

    /// Appends a record's id key and its values in all columns.
    mutating func append(_ record: borrowing DecodedRecord, _ columns: [ColumnKind]) {
        records += 1
        idKeys.append(Slice(0..<record.idKey.count, from: bytes.count))
        bytes.append(bytes: record.idKey.rawSpan)
        let keys = bytes.count
        bytes.append(bytes: record.keys.rawSpan)
        let folded = bytes.count
        bytes.append(bytes: record.folded.rawSpan)
        for column in columns { values.append(Self.value(of: column, record, keys: keys, folded: folded)) }
    }

    @inline(__always)
    private static func value(
        of column: ColumnKind, _ record: borrowing DecodedRecord, keys: Int, folded: Int
    ) -> Value {
        var result = Value()
        let value = record.values[column.field]
        if column.isRaw {
            guard let raw = value.raw else { return result }
            result.code = 0
            result.key = Slice(raw, from: keys)
        } else if value.isPresent {
            result.code = column.type == .json || !column.isCoded ? 0 : Int32(truncatingIfNeeded: value.code)
            if column.isCoded { return result }
            result.key = Slice(value.key, from: keys)
            result.tie = Slice(value.tie, from: keys)
            result.folded = value.folded.map { Slice($0, from: folded) } ?? result.key
        }
        return result
    }

    /// The value of a record in a column; `columns` is the number of columns.
    @inline(__always)
    func value(_ record: Int, _ column: Int, of columns: Int) -> Value { values[record &* columns &+ column] }

    @_lifetime(borrow self)
    func idKey(_ record: Int) -> RawSpan { part(idKeys[record]) }

    @inline(__always)
    @_lifetime(borrow self)
    func part(_ slice: Slice) -> RawSpan { bytes.rawSpan.part(Int(slice.start), Int(slice.count)) }
}
