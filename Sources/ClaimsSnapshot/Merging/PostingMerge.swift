// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsModel
import ClaimsPlatform

/// Writes posting lists of rows: the lists of an earlier snapshot, without the rows that are not taken over and with
/// the new rows. Lists that do not change are copied.
///
/// `Source` gives the keys of each row of both snapshots, by the same numbers.
struct PostingMerge<Source: PostingSource> {
    let rows: RowMerge
    /// The lists of the earlier snapshot.
    let lists: PostingLists
    /// The keys of the rows of the earlier snapshot.
    let before: Source
    /// The keys of the rows of the new snapshot.
    let after: Source
    /// The number of keys; new ones come after the keys of the earlier snapshot.
    let keys: Int

    /// Writes the three sections of the lists: their starts, their counts, and the lists.
    ///
    /// - Parameter bytes: the bytes with the keys of `after`.
    /// - Throws: `tooLarge` if the lists have more than 2^32 units; the error of a failed write.
    func write(
        _ bytes: RawSpan, starts startsKind: SectionKind, counts countsKind: SectionKind, lists listsKind: SectionKind,
        id: Int, to output: SnapshotOutput
    ) throws(StoreError) {
        let fresh = FreshPostings(rows, after, keys: keys, bytes)
        let isTouched = touchedKeys()
        let gone = rows.gone
        let newRows = rows.newRows
        let old = rows.old
        let oldBytes = old.bytes
        let known = min(lists.counts.count, max(0, lists.starts.count - 1))
        let (offset, size) = (lists.offset, lists.size)
        let lists = lists.view(oldBytes)
        var units = SpillStream<UInt16>(output.medium)
        var starts: [UInt32] = [0]
        starts.reserveCapacity(keys + 1)
        var counts: [UInt32] = []
        counts.reserveCapacity(keys)
        var list = PostingListWriter()
        for key in 0..<keys {
            let range = fresh.range(key)
            let there = key < known ? lists.starts.range(key) : 0..<0
            if range.isEmpty, let isTouched, key >= known || !isTouched[key], there.upperBound <= size {
                let copied = oldBytes.part(offset &+ there.lowerBound &* 2, there.count &* 2)
                try units.append(contentsOf: unsafe copied._unsafeView(as: UInt16.self))
                counts.append(UInt32(truncatingIfNeeded: key < known ? lists.count(key) : 0))
            } else {
                list.begin()
                var added = AddedRows(fresh.rows, range)
                if key < known, isTouched != nil {
                    lists.forEachContainer(key) { container in
                        list.append(container, in: oldBytes, without: gone, adding: &added)
                        return true
                    }
                } else if key < known {
                    lists.forEach(key) { item in
                        guard item < newRows.count, newRows[item] != RowMerge.gone else { return true }
                        let row = newRows[item]
                        while let first = added.first, first < row {
                            list.append(first)
                            added.removeFirst()
                        }
                        list.append(row)
                        return true
                    }
                }
                for index in added.range { list.append(fresh.rows[index]) }
                list.end()
                try units.append(contentsOf: list.units.span)
                counts.append(UInt32(truncatingIfNeeded: list.count))
            }
            guard units.count <= Int(UInt32.max) else { throw StoreError(.tooLarge, "index the words") }
            starts.append(UInt32(units.count))
        }
        try output.write(countsKind, id: id, width: 4, counts.span)
        try output.write(startsKind, id: id, width: 4, starts.span)
        let sealed = try units.seal()
        var section = SectionWriter(listsKind, id: id, width: 2, size: sealed.count * 2, to: output)
        try section.append(sealed.bytes.part(0, sealed.count * 2))
        try section.finish()
    }

    /// Whether a row with each key is not taken over; nil if every list changes, because rows get other numbers.
    private func touchedKeys() -> [Bool]? {
        guard rows.keepsRows else { return nil }
        let old = rows.old
        let bytes = old.bytes
        var isTouched = [Bool](repeating: false, count: max(lists.counts.count, 1))
        for row in rows.newRows.indices where rows.newRows[row] == RowMerge.gone {
            before.forEachKey(of: row, bytes) { key in
                if key < isTouched.count { isTouched[key] = true }
            }
        }
        return isTouched
    }
}

/// The rows of new records that have each key, ascending.
struct FreshPostings {
    private let starts: [Int]
    let rows: [UInt32]

    init<Source: PostingSource>(_ merge: RowMerge, _ source: Source, keys: Int, _ bytes: RawSpan) {
        // The last new record that has each key, plus 1.
        var last = [UInt32](repeating: 0, count: keys)
        var starts = [Int](repeating: 0, count: keys + 1)
        func forEach(_ body: (_ key: Int, _ row: UInt32) -> Void) {
            for (index, row) in merge.freshRows.enumerated() {
                let mark = UInt32(truncatingIfNeeded: index + 1)
                source.forEachKey(of: Int(row), bytes) { key in
                    guard key < keys, last[key] != mark else { return }
                    last[key] = mark
                    body(key, row)
                }
            }
        }
        forEach { key, _ in starts[key + 1] += 1 }
        for key in 0..<keys { starts[key + 1] += starts[key] }
        for key in last.indices { last[key] = 0 }
        var next = starts
        var rows = [UInt32](repeating: 0, count: starts[keys])
        forEach { key, row in
            rows[next[key]] = row
            next[key] += 1
        }
        self.starts = starts
        self.rows = rows
    }

    @inline(__always)
    func range(_ key: Int) -> Range<Int> { starts[key]..<starts[key + 1] }
}
