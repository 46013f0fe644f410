// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsPlatform

/// Builds, for each key, the compressed list of the items that have it (`PostingLists` tells how it lies).
///
/// The containers are made chunk by chunk, and then put together key by key. That is done in groups of bounded size, so
/// that memory does not grow with the lists.
struct PostingBuilder<Source: PostingSource> {
    let items: Int
    let keys: Int
    let source: Source
    /// The most units, and lists, that are put together at once, unless one list alone is longer.
    var groupUnits = 1 << 23
    var groupKeys = 1 << 20
    /// The most units of one chunk that are filled at once.
    var room = PostingChunks.roomMax

    /// Where the next containers of a chunk are: among its keys, and in units among all containers.
    private struct Cursor {
        var entry: Int
        var unit: Int
    }

    /// Writes the three sections of the lists: where they begin, their counts, and the lists.
    func write(
        _ bytes: RawSpan, starts: SectionKind, counts: SectionKind, lists: SectionKind, owner: Int,
        to output: SnapshotOutput
    ) throws(StoreError) {
        var chunks = PostingChunks(keys: keys, directory: Paths.parent(output.path), room: room)
        var cursors: [Cursor] = []
        var unit = 0
        for chunk in PostingLists.chunks(items) {
            try chunks.append(chunk: chunk, of: items, source, bytes)
            cursors.append(Cursor(entry: chunks.starts[chunk], unit: unit))
            for entry in chunks.starts[chunk]..<chunks.starts[chunk + 1] {
                unit += PostingLists.containerUnits(chunks.count(entry))
            }
        }
        let containers = try chunks.seal()
        try output.write(counts, owner: owner, width: 4, chunks.totals.span)
        var places = [UInt32](repeating: 0, count: keys + 1)
        var place = 0
        for key in 0..<keys {
            places[key] = UInt32(truncatingIfNeeded: place)
            place += Int(chunks.units[key])
        }
        guard place <= Int(UInt32.max) else { throw StoreError(.tooLarge, "index the words") }
        places[keys] = UInt32(place)
        chunks.forgetTotals()
        try output.write(starts, owner: owner, width: 4, places.span)
        var section = SectionWriter(lists, owner: owner, width: 2, size: place * 2, to: output)
        var first = 0
        while first < keys {
            var end = first + 1
            while end < min(keys, first + groupKeys),
                Int(places[end + 1]) - Int(places[first]) <= groupUnits
            { end += 1 }
            let units = assemble(first..<end, places, chunks, containers, &cursors)
            try section.append(unsafe units.span.bytes)
            first = end
        }
        try section.finish()
    }

    /// The lists of a group of keys; the cursors move past it.
    private func assemble(
        _ group: Range<Int>, _ places: [UInt32], _ chunks: PostingChunks, _ containers: SpilledElements<UInt16>,
        _ cursors: inout [Cursor]
    ) -> [UInt16] {
        let base = Int(places[group.lowerBound])
        var units = [UInt16](repeating: 0, count: Int(places[group.upperBound]) - base)
        // By key of the group: where its next container goes.
        var next = group.map { Int(places[$0]) - base }
        let bytes = containers.bytes
        for chunk in cursors.indices {
            var cursor = cursors[chunk]
            while cursor.entry < chunks.starts[chunk + 1] {
                let key = Int(chunks.keys[cursor.entry]) - group.lowerBound
                guard key < group.count else { break }
                let length = PostingLists.containerUnits(chunks.count(cursor.entry))
                units.replace(at: next[key], with: bytes.part(cursor.unit &* 2, length &* 2))
                next[key] += length
                cursor.entry += 1
                cursor.unit += length
            }
            cursors[chunk] = cursor
        }
        return units
    }
}

extension [UInt16] {
    /// Puts whole elements in the place of those from `index` on, all of which must be there.
    @inline(__always)
    fileprivate mutating func replace(at index: Int, with bytes: RawSpan) {
        precondition(index >= 0 && bytes.byteCount / 2 <= count - index)
        // The source lies in a file or an array of its own, and the room has just been checked.
        unsafe withUnsafeMutableBytes { target in
            unsafe bytes.withUnsafeBytes { source in
                guard let source = source.baseAddress, let target = target.baseAddress else { return }
                unsafe (target + index * 2).copyMemory(from: source, byteCount: bytes.byteCount)
            }
        }
    }
}
