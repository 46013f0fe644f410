// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsModel
import ClaimsPlatform
import ClaimsSnapshot

/// The records of one body in the order of arrival: the result for each, and the ones that came twice.
///
/// A served record is known by its row, a new one by a hash of its id. Ids are not kept, but read again from the file
/// being written, and nothing here is copied as a whole while it grows.
struct SeenRecords {
    struct Record: BitwiseCopyable {
        /// The key in state.db, or `carried` or `unstored`.
        var key: Int64
        /// The offset of its bytes in its page.
        var start: Int
        var length: UInt32
        /// Its index in its page's array.
        var index: UInt32
        /// Its row in the served snapshot; negative: it is new.
        var row: Int32 = -1

        /// The key of a record that has not changed.
        static let carried: Int64 = 0
        /// The key of a record that is not kept in state.db.
        static let unstored: Int64 = -1

        var isNew: Bool { row < 0 }
    }

    /// The location of an element in a page.
    struct Location {
        var start: Int
        var end: Int
        var index: Int

        func entry(key: Int64) -> Record {
            Record(key: key, start: start, length: UInt32(clamping: end - start), index: UInt32(clamping: index))
        }
    }

    /// A change of a record, by the numbers of the record and the change.
    private struct NotedChange: BitwiseCopyable {
        let number: UInt32
        let ordinal: UInt32
    }

    private var records = ChunkedArray<Record>()
    /// For each served row, the number of the latest record for it plus 1; 0: none has come.
    private var numbersOfRows: [UInt32]
    /// The latest record of each id that is not served.
    private var table = IDHashTable()
    /// The numbers of the records that a later one has replaced.
    private var dropped = RowMarks()
    /// The numbers of the records in which only volatile members differ.
    private var restated = RowMarks()
    /// The recorded changes, ascending by the records' numbers.
    private var changes = ChunkedArray<NotedChange>()
    /// The hash has a random seed, so that no upstream can choose ids that collide.
    private let hash = WyHash(seed: RandomBytes.integer())

    /// - Parameter rows: how many records are being served.
    init(rows: Int) {
        numbersOfRows = [UInt32](repeating: 0, count: rows)
    }

    var count: Int { records.count }

    subscript(number: Int) -> Record { records[number] }

    /// The number of records that are not served, without replaced ones.
    var addedCount: Int { (0..<count).count { records[$0].isNew && !dropped.contains($0) } }

    /// Whether a later record has replaced this one.
    func isDropped(_ number: Int) -> Bool { dropped.contains(number) }

    /// Whether only volatile members of the record differ.
    func isRestated(_ number: Int) -> Bool { restated.contains(number) }

    /// Records that the next record differs only in volatile members.
    mutating func restateNext() { restated.insert(records.count) }

    /// Records the ordinal of a change of the next record, so that it can be withdrawn.
    mutating func setChangeOfNext(_ ordinal: Int64) {
        changes.append(NotedChange(number: UInt32(clamping: records.count), ordinal: UInt32(clamping: ordinal)))
    }

    /// Records that a later record replaces this one.
    ///
    /// - Returns: the ordinal of the change that was recorded for it; nil: none was.
    mutating func drop(_ number: Int) -> Int64? {
        dropped.insert(number)
        let index = (0..<changes.count).partitionPoint { Int(changes[$0].number) < number }
        return index < changes.count && Int(changes[index].number) == number ? Int64(changes[index].ordinal) : nil
    }

    /// The number of the latest record that is served as `row`; nil: none has come.
    func latest(_ row: Int) -> Int? {
        let number = numbersOfRows[row]
        return number == 0 ? nil : Int(number) - 1
    }

    /// Adds a record that is served as `row`; returns the latest earlier one for it.
    mutating func add(_ record: Record, row: Int) -> Int? {
        let earlier = numbersOfRows[row]
        var record = record
        record.row = Int32(row)
        records.append(record)
        numbersOfRows[row] = UInt32(records.count)
        return earlier == 0 ? nil : Int(earlier) - 1
    }

    /// Adds a record with an id that is not served, right after `writer` got it; returns the latest earlier one with
    /// that id.
    mutating func add<Arrived: ArrivedIDs & ~Copyable>(
        _ record: Record, id: RawSpan, in writer: borrowing Arrived
    ) throws(StoreError) -> Int? {
        try add(record, id: id, hash: hash(id), in: writer)
    }

    /// The number of the latest record with this id, which is not served; nil: none has come.
    func latest<Arrived: ArrivedIDs & ~Copyable>(
        _ id: RawSpan, in writer: borrowing Arrived
    ) throws(StoreError) -> Int? {
        var search = table.search(hash(id))
        while let earlier = table.next(&search) {
            if try writer.isID(id, of: earlier) { return earlier }
        }
        return nil
    }

    /// - Parameter hash: of the id.
    mutating func add<Arrived: ArrivedIDs & ~Copyable>(
        _ record: Record, id: RawSpan, hash: UInt64, in writer: borrowing Arrived
    ) throws(StoreError) -> Int? {
        let number = records.count
        records.append(record)
        var search = table.search(hash)
        while let earlier = table.next(&search) {
            if try writer.isID(id, of: earlier) {
                table.replace(search, with: number)
                return earlier
            }
        }
        table.insert(search, number)
        return nil
    }
}

/// A hash table from the hashes of ids to numbers of records. It does not know the ids: the caller decides whether a
/// number that it finds is the right one.
///
/// It is made of parts that grow one by one, so that growing takes little memory.
struct IDHashTable {
    /// A search for the numbers of one hash.
    struct Search {
        fileprivate let part: Int
        fileprivate let tag: UInt32
        fileprivate var slot: Int
    }

    private static let partBits: UInt64 = 4
    private static let firstSlots = 16

    /// Slots with open addressing: a tag in the upper bits, the number and 1 in the lower ones; 0 if free. The tag also
    /// decides the first slot of a search.
    private var parts = [[UInt64]](repeating: [], count: 1 << partBits)
    private var counts = [Int](repeating: 0, count: 1 << partBits)

    /// A search for `hash`.
    func search(_ hash: UInt64) -> Search {
        let tag = UInt32(truncatingIfNeeded: hash)
        // The search begins one before the first slot, because a part may have no slots.
        return Search(part: Int(hash >> (64 - Self.partBits)), tag: tag, slot: Int(tag) &- 1)
    }

    /// The next number that was inserted with the hash, or with a similar one; nil: there is no more.
    ///
    /// A part is never full, so that each search ends.
    func next(_ search: inout Search) -> Int? {
        let slots = parts[search.part]
        guard !slots.isEmpty else { return nil }
        let mask = slots.count &- 1
        while true {
            search.slot = (search.slot &+ 1) & mask
            let entry = slots[search.slot]
            if entry == 0 { return nil }
            if UInt32(truncatingIfNeeded: entry >> 32) == search.tag { return Int(entry & 0xFFFF_FFFF) &- 1 }
        }
    }

    /// Replaces the number that `next` found last.
    mutating func replace(_ search: Search, with number: Int) {
        parts[search.part][search.slot] = Self.entry(search.tag, number)
    }

    /// Inserts a number that is not there, after `next` has found no more.
    mutating func insert(_ search: Search, _ number: Int) {
        let part = search.part
        if counts[part] * 4 >= parts[part].count * 3 { grow(part) }
        Self.insert(Self.entry(search.tag, number), into: &parts[part])
        counts[part] += 1
    }

    private static func entry(_ tag: UInt32, _ number: Int) -> UInt64 {
        UInt64(tag) << 32 | UInt64(UInt32(truncatingIfNeeded: number + 1))
    }

    private static func insert(_ entry: UInt64, into slots: inout [UInt64]) {
        let mask = slots.count &- 1
        var slot = Int(entry >> 32) & mask
        while slots[slot] != 0 { slot = (slot &+ 1) & mask }
        slots[slot] = entry
    }

    private mutating func grow(_ part: Int) {
        let old = parts[part]
        var larger = [UInt64](repeating: 0, count: max(Self.firstSlots, old.count * 2))
        for entry in old where entry != 0 { Self.insert(entry, into: &larger) }
        parts[part] = larger
    }
}
