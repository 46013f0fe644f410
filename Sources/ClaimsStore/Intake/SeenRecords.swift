// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsPlatform

/// The records of one body in the order of arrival: what was made of each, and which came twice.
///
/// A record that is being served already is known by its row there; only of new ones the ids are kept.
struct SeenRecords {
    struct Record {
        /// In state.db; `carried` and `unstored` have a meaning of their own.
        var key: Int64
        /// Where its bytes are in its page.
        var start: Int
        var length: UInt32
        /// Its place in its page's array.
        var index: UInt32
        /// In the snapshot being served; negative: it is new, and the complement is its place among the new ones.
        var row: Int32 = -1

        /// The key of a record that is as it was.
        static let carried: Int64 = 0
        /// The key of a record that is not kept in state.db.
        static let unstored: Int64 = -1

        var isNew: Bool { row < 0 }
    }

    private(set) var records: [Record] = []
    /// For each row being served the number, plus one, of the latest record for it; 0: none has come.
    private var numbersOfRows: [UInt32]
    /// The ids of the new ones, end to end, where each ends, and their numbers.
    private var ids: [UInt8] = []
    private var ends: [Int] = []
    private var numbers: [UInt32] = []
    /// Open addressing: a place among the new ones plus one, 0 for a free place.
    private var places = [UInt32](repeating: 0, count: 64)
    /// Random, so that no upstream can choose ids that collide.
    private let hash = ByteHash(seed: RandomBytes.integer())

    /// - Parameter rows: how many records are being served.
    init(rows: Int) {
        numbersOfRows = [UInt32](repeating: 0, count: rows)
        records.reserveCapacity(rows)
    }

    var count: Int { records.count }

    /// Adds a record that is served as `row`; returns the latest earlier one for it.
    mutating func add(_ record: Record, row: Int) -> Int? {
        let earlier = numbersOfRows[row]
        records.append(record)
        records[records.count - 1].row = Int32(row)
        numbersOfRows[row] = UInt32(records.count)
        return earlier == 0 ? nil : Int(earlier) - 1
    }

    /// Adds a record with an id that is not being served; returns the latest earlier one with that id.
    mutating func add(_ record: Record, id: RawSpan) -> Int? {
        if ends.count * 2 >= places.count { grow() }
        let place = place(of: id)
        let earlier = places[place] == 0 ? nil : Int(numbers[Int(places[place]) - 1])
        records.append(record)
        records[records.count - 1].row = ~Int32(ends.count)
        numbers.append(UInt32(records.count - 1))
        ids.append(copying: id)
        ends.append(ids.count)
        places[place] = UInt32(ends.count)
        return earlier
    }

    @_lifetime(borrow self)
    private func id(at place: Int) -> RawSpan {
        let start = place == 0 ? 0 : ends[place - 1]
        return ids.raw.part(start, ends[place] - start)
    }

    /// Where the id is, or would be.
    private func place(of id: RawSpan) -> Int {
        var place = Int(truncatingIfNeeded: hash(id)) & (places.count - 1)
        while places[place] != 0, !self.id(at: Int(places[place]) - 1).isEqual(id) {
            place = (place + 1) & (places.count - 1)
        }
        return place
    }

    private mutating func grow() {
        let old = places
        places = [UInt32](repeating: 0, count: old.count * 2)
        for entry in old where entry != 0 { places[place(of: id(at: Int(entry) - 1))] = entry }
    }
}
