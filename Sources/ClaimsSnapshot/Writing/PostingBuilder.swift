// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsModel
import ClaimsPlatform

/// Builds, for each key, the compressed list of the items that have it, in the layout of `PostingLists`.
///
/// The containers are made chunk by chunk, and then put together key by key, in groups of bounded size, so that memory
/// does not grow with the lists.
struct PostingBuilder<Source: PostingSource> {
    /// The number of items; they are numbered from 0.
    let items: Int
    /// The number of keys, which are numbered from 0; keys of the source above them are ignored.
    let keys: Int
    let source: Source
    /// The greatest number of units that are put together at once, unless one list alone is longer.
    var groupUnits = 1 << 23
    /// The greatest number of lists that are put together at once.
    var groupKeys = 1 << 20
    /// The greatest number of units of one chunk that are filled at once.
    var room = PostingChunks.maxRoom

    /// Writes the three sections of the lists: their starts, their counts, and the lists.
    ///
    /// - Parameter bytes: the bytes with the items' keys.
    /// - Throws: `tooLarge` if the lists have more than 2^32 units; the error of a failed write.
    func write(
        _ bytes: RawSpan, starts: SectionKind, counts: SectionKind, lists: SectionKind, id: Int,
        to output: SnapshotOutput
    ) throws(StoreError) {
        var chunks = PostingChunks(keys: keys, medium: output.medium, room: room)
        var cursors: [ListAssembler.Cursor] = []
        var unit = 0
        for chunk in PostingLists.chunks(items) {
            try chunks.append(chunk: chunk, of: items, source, bytes)
            cursors.append(ListAssembler.Cursor(entry: chunks.starts[chunk], unit: unit))
            for entry in chunks.starts[chunk]..<chunks.starts[chunk + 1] {
                unit += PostingLists.containerUnits(chunks.count(entry))
            }
        }
        let containers = try chunks.seal()
        try output.write(counts, id: id, width: 4, chunks.totals.span)
        var listStarts = [UInt32](repeating: 0, count: keys + 1)
        var size = 0
        for key in 0..<keys {
            listStarts[key] = UInt32(truncatingIfNeeded: size)
            size += Int(chunks.units[key])
        }
        guard size <= Int(UInt32.max) else { throw StoreError(.tooLarge, "index the words") }
        listStarts[keys] = UInt32(size)
        chunks.releaseTotals()
        try output.write(starts, id: id, width: 4, listStarts.span)
        var section = SectionWriter(lists, id: id, width: 2, size: size * 2, to: output)
        var assembler = ListAssembler(
            chunks: chunks, containers: containers, listStarts: listStarts, cursors: cursors)
        var first = 0
        while first < keys {
            var end = first + 1
            while end < min(keys, first + groupKeys),
                Int(listStarts[end + 1]) - Int(listStarts[first]) <= groupUnits
            { end += 1 }
            let units = assembler.units(of: first..<end)
            try section.append(unsafe units.span.bytes)
            first = end
        }
        try section.finish()
    }
}

/// The second half of building posting lists: puts the containers of each key together, group by group of keys.
private struct ListAssembler {
    /// The position of the next containers of a chunk: among its keys, and in units among all containers.
    struct Cursor {
        var entry: Int
        var unit: Int
    }

    let chunks: PostingChunks
    let containers: SpilledElements<UInt16>
    /// The start of each key's list, in units; then the end.
    let listStarts: [UInt32]
    /// The cursor of each chunk.
    var cursors: [Cursor]

    /// The units of the lists of a group of keys. Groups are asked for in ascending order, each once.
    mutating func units(of group: Range<Int>) -> [UInt16] {
        let base = Int(listStarts[group.lowerBound])
        var units = [UInt16](repeating: 0, count: Int(listStarts[group.upperBound]) - base)
        // The position of the next container of each key of the group.
        var next = group.map { Int(listStarts[$0]) - base }
        // The bytes are borrowed from this constant, not from `self`.
        let containers = containers
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
    /// Replaces the elements from `index` on, all of which must be there, with those in `bytes`.
    @inline(__always)
    fileprivate mutating func replace(at index: Int, with bytes: RawSpan) {
        precondition(index >= 0 && bytes.byteCount / 2 <= count - index)
        // The source does not overlap this array: it lies in a file or an array of its own. The precondition checks the
        // room.
        unsafe withUnsafeMutableBytes { target in
            unsafe bytes.withUnsafeBytes { source in
                guard let source = source.baseAddress, let target = target.baseAddress else { return }
                unsafe (target + index * 2).copyMemory(from: source, byteCount: bytes.byteCount)
            }
        }
    }
}
