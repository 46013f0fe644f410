// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsPlatform

/// The records of one body in the order of arrival: what was made of each, and which came twice.
///
/// A record that is being served already is known by its row there, a new one by a hash of its id. The ids themselves
/// are not kept, but read again from the file being written, and nothing here is copied as a whole while it grows.
struct SeenRecords {
    struct Record: BitwiseCopyable {
        /// In state.db; `carried` and `unstored` have a meaning of their own.
        var key: Int64
        /// Where its bytes are in its page.
        var start: Int
        var length: UInt32
        /// Its place in its page's array.
        var index: UInt32
        /// In the snapshot being served; negative: it is new.
        var row: Int32 = -1

        /// The key of a record that is as it was.
        static let carried: Int64 = 0
        /// The key of a record that is not kept in state.db.
        static let unstored: Int64 = -1

        var isNew: Bool { row < 0 }
    }

    private var records = ChunkedArray<Record>()
    /// For each row being served the number, plus one, of the latest record for it; 0: none has come.
    private var numbersOfRows: [UInt32]
    /// The latest of each id that is not being served.
    private var places = IDPlaces()
    /// Random, so that no upstream can choose ids that collide.
    private let hash = ByteHash(seed: RandomBytes.integer())

    /// - Parameter rows: how many records are being served.
    init(rows: Int) {
        numbersOfRows = [UInt32](repeating: 0, count: rows)
    }

    var count: Int { records.count }

    subscript(number: Int) -> Record { records[number] }

    /// Adds a record that is served as `row`; returns the latest earlier one for it.
    mutating func add(_ record: Record, row: Int) -> Int? {
        let earlier = numbersOfRows[row]
        var record = record
        record.row = Int32(row)
        records.append(record)
        numbersOfRows[row] = UInt32(records.count)
        return earlier == 0 ? nil : Int(earlier) - 1
    }

    /// Adds a record with an id that is not being served, right after `writer` got it; returns the latest earlier one
    /// with that id.
    mutating func add(
        _ record: Record, id: RawSpan, in writer: borrowing SnapshotWriter
    ) throws(StoreError) -> Int? {
        try add(record, id: id, hash: hash(id), in: writer)
    }

    /// - Parameter hash: of the id.
    mutating func add(
        _ record: Record, id: RawSpan, hash: UInt64, in writer: borrowing SnapshotWriter
    ) throws(StoreError) -> Int? {
        let number = records.count
        records.append(record)
        var search = places.search(hash)
        while let earlier = places.next(&search) {
            if try writer.isID(id, of: earlier) {
                places.replace(search, with: number)
                return earlier
            }
        }
        places.enter(search, number)
        return nil
    }
}
