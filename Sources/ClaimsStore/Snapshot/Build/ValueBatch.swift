// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel

/// What the columns need of some records, on its way from the thread that decodes them to the one that gathers their
/// values. Made to be reused: filling it again keeps the room.
struct ValueBatch: Sendable {
    /// In bytes; small enough to stay in a core's cache, and large enough for both threads to run for a while before one
    /// waits for the other.
    private static let bytesMax = 1 << 19

    /// Where some bytes are.
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
        /// Of an enum its code; otherwise not negative where there is a value.
        var code: Int32 = -1
        var key = Slice()
        var tie = Slice()
        var folded = Slice()
    }

    private(set) var records = 0
    /// By record.
    private var idKeys: [Slice] = []
    /// By record, and for each by column.
    private var values: [Value] = []
    private var bytes: [UInt8] = []

    var isFull: Bool { bytes.count >= Self.bytesMax }

    mutating func removeAll() {
        records = 0
        idKeys.removeAll(keepingCapacity: true)
        values.removeAll(keepingCapacity: true)
        bytes.removeAll(keepingCapacity: true)
    }

    mutating func append(_ record: borrowing DecodedRecord, _ columns: [ColumnKind]) {
        records += 1
        idKeys.append(Slice(0..<record.idKey.count, from: bytes.count))
        bytes.append(copying: record.idKey.raw)
        let keys = bytes.count
        bytes.append(copying: record.keys.raw)
        let folded = bytes.count
        bytes.append(copying: record.folded.raw)
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

    @inline(__always)
    func value(_ record: Int, _ column: Int, of columns: Int) -> Value { values[record &* columns &+ column] }

    @_lifetime(borrow self)
    func idKey(_ record: Int) -> RawSpan { part(idKeys[record]) }

    @inline(__always)
    @_lifetime(borrow self)
    func part(_ slice: Slice) -> RawSpan { bytes.raw.part(Int(slice.start), Int(slice.count)) }
}
