// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsPlatform

/// Writes posting lists over rows: those of an earlier snapshot, without the rows that do not go on and with the new
/// ones. Lists that nothing changes in are copied.
///
/// `Source` tells the keys of each row: of both snapshots, by the same numbers.
struct PostingMerge<Source: PostingSource> {
    let rows: RowMerge
    /// The lists of the earlier snapshot, and what they were made of.
    let lists: PostingLists
    let before: Source
    /// What the new lists are made of; where that lies is given to `write`.
    let after: Source
    /// How many keys there are, new ones behind the others.
    let keys: Int

    /// Writes the three sections of the lists, of which `bytes` has what they are made of.
    func write(
        _ bytes: RawSpan, starts startsKind: SectionKind, counts countsKind: SectionKind, lists listsKind: SectionKind,
        owner: Int, to output: SnapshotOutput
    ) throws(StoreError) {
        let fresh = FreshPostings(rows, after, keys: keys, bytes)
        let isTouched = touchedKeys()
        let gone = rows.gone
        let places = rows.places
        let old = rows.old
        let oldBytes = old.bytes
        let known = min(lists.counts.count, max(0, lists.starts.count - 1))
        var units = SpillStream<UInt16>(Paths.parent(output.path))
        var starts: [UInt32] = [0]
        starts.reserveCapacity(keys + 1)
        var counts: [UInt32] = []
        counts.reserveCapacity(keys)
        var list = PostingListWriter()
        for key in 0..<keys {
            let range = fresh.range(key)
            let there = key < known ? lists.starts.range(key, oldBytes) : 0..<0
            if range.isEmpty, let isTouched, key >= known || !isTouched[key], there.upperBound <= lists.size {
                let copied = oldBytes.part(lists.offset &+ there.lowerBound &* 2, there.count &* 2)
                try units.append(contentsOf: unsafe copied._unsafeView(as: UInt16.self))
                counts.append(UInt32(truncatingIfNeeded: key < known ? lists.count(key, oldBytes) : 0))
            } else {
                list.begin()
                var next = range
                if key < known, isTouched != nil {
                    lists.forEachContainer(key, oldBytes) { container in
                        list.append(container, oldBytes, without: gone, fresh.rows, &next)
                        return true
                    }
                } else if key < known {
                    lists.forEach(key, oldBytes) { item in
                        guard item < places.count, places[item] != RowMerge.gone else { return true }
                        let row = places[item]
                        while !next.isEmpty, fresh.rows[next.lowerBound] < row {
                            list.append(fresh.rows[next.lowerBound])
                            next = next.lowerBound &+ 1..<next.upperBound
                        }
                        list.append(row)
                        return true
                    }
                }
                for index in next { list.append(fresh.rows[index]) }
                list.end()
                try units.append(contentsOf: list.units.span)
                counts.append(UInt32(truncatingIfNeeded: list.count))
            }
            guard units.count <= Int(UInt32.max) else { throw StoreError(.tooLarge, "index the words") }
            starts.append(UInt32(units.count))
        }
        try output.write(countsKind, owner: owner, width: 4, counts.span)
        try output.write(startsKind, owner: owner, width: 4, starts.span)
        let sealed = try units.seal()
        var section = SectionWriter(listsKind, owner: owner, width: 2, size: sealed.count * 2, to: output)
        try section.append(sealed.bytes.part(0, sealed.count * 2))
        try section.finish()
    }

    /// The keys of rows that do not go on; nil where every list changes, because rows get other numbers.
    private func touchedKeys() -> [Bool]? {
        guard rows.keepsRows else { return nil }
        let old = rows.old
        let bytes = old.bytes
        var isTouched = [Bool](repeating: false, count: max(lists.counts.count, 1))
        for row in rows.places.indices where rows.places[row] == RowMerge.gone {
            before.forEachKey(of: row, bytes) { key in
                if key < isTouched.count { isTouched[key] = true }
            }
        }
        return isTouched
    }
}
