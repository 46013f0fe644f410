// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// Builds, for each key, the compressed list of the items that have it (`PostingLists` tells how it lies).
///
/// Two passes over the items: one counts, one fills. Lists are filled in groups of bounded size, so that memory does
/// not grow with them.
struct PostingBuilder<Source: PostingSource> {
    /// The most units, and lists, that are filled at once, unless one list alone is longer.
    private static var groupUnits: Int { 1 << 23 }
    private static var groupKeys: Int { 1 << 20 }

    let items: Int
    let keys: Int
    let source: Source

    /// Writes the three sections of the lists: where they begin, their counts, and the lists.
    func write(
        _ bytes: RawSpan, starts: SectionKind, counts: SectionKind, lists: SectionKind, owner: Int,
        to output: SnapshotOutput
    ) throws(StoreError) {
        var counter = PostingCounter(items: items, keys: keys, source: source, bytes)
        try output.write(counts, owner: owner, width: 4, counter.totals.span)
        var places = [UInt32](repeating: 0, count: keys + 1)
        var place = 0
        for key in 0..<keys {
            places[key] = UInt32(truncatingIfNeeded: place)
            place += Int(counter.units[key])
        }
        guard place <= Int(UInt32.max) else { throw StoreError(.tooLarge, "index the words") }
        places[keys] = UInt32(place)
        counter.forgetTotals()
        try output.write(starts, owner: owner, width: 4, places.span)
        var section = SectionWriter(lists, owner: owner, width: 2, size: place * 2, to: output)
        var first = 0
        while first < keys {
            var end = first + 1
            while end < min(keys, first + Self.groupKeys),
                Int(places[end + 1]) - Int(places[first]) <= Self.groupUnits
            { end += 1 }
            let units = fill(first..<end, places, counter, bytes)
            try section.append(unsafe units.span.bytes)
            first = end
        }
        try section.finish()
    }

    /// The lists of a group of keys.
    private func fill(
        _ group: Range<Int>, _ places: [UInt32], _ counter: PostingCounter, _ bytes: RawSpan
    ) -> [UInt16] {
        let base = Int(places[group.lowerBound])
        var units = [UInt16](repeating: 0, count: Int(places[group.upperBound]) - base)
        // By key of the group: where its next container begins, where its next item goes, and the last item.
        var next = group.map { places[$0] - UInt32(base) }
        var targets = [UInt32](repeating: 0, count: group.count)
        var last = targets
        for chunk in PostingLists.chunks(items) {
            for entry in counter.entries(of: chunk) {
                let key = Int(counter.keys[entry]) - group.lowerBound
                guard key >= 0, key < group.count else { continue }
                let count = counter.count(entry)
                let place = Int(next[key])
                units[place] = UInt16(truncatingIfNeeded: chunk)
                units[place + 1] = UInt16(truncatingIfNeeded: count - 1)
                let isDense = count > PostingLists.sparseMax
                targets[key] = UInt32(place + 2) | (isDense ? Self.denseBit : 0)
                next[key] += UInt32(PostingLists.containerUnits(count))
            }
            for item in PostingLists.items(of: chunk, items) {
                let mark = UInt32(truncatingIfNeeded: item &+ 1)
                let low = UInt16(truncatingIfNeeded: item)
                source.forEachKey(of: item, bytes) { number in
                    let key = number &- group.lowerBound
                    guard UInt(bitPattern: key) < UInt(bitPattern: group.count), last[key] != mark else { return }
                    last[key] = mark
                    let target = targets[key]
                    if target & Self.denseBit == 0 {
                        units[Int(target)] = low
                        targets[key] = target &+ 1
                    } else {
                        units[Int(target & ~Self.denseBit) &+ Int(low >> 4)] |= 1 << (low & 15)
                    }
                }
            }
        }
        return units
    }

    private static var denseBit: UInt32 { 1 << 31 }
}
