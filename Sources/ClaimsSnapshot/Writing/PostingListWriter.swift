// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes

/// Makes one posting list after the other, of ascending items, in the layout of `PostingLists`.
///
/// A list begins with `begin`, takes items by `append`, and is complete in `units` and `count` after `end`.
struct PostingListWriter {
    /// The list in 16-bit units.
    private(set) var units: [UInt16] = []
    /// The number of items in the list.
    private(set) var count = 0
    private var chunk: UInt32 = 0
    /// The low 16 bits of the items of the current chunk; the first `filled` are valid.
    private var items: [UInt16]
    private var filled = 0
    /// A chunk as a bitmap.
    private var bitmap: [UInt64]

    /// - Parameter room: the number of items of one chunk that it can hold: 65,536, or 0 for a writer that is never
    ///   used.
    init(room: Int = 1 << 16) {
        items = [UInt16](repeating: 0, count: room)
        bitmap = [UInt64](repeating: 0, count: room >> 6)
    }

    /// Begins a list.
    mutating func begin() {
        units.removeAll(keepingCapacity: true)
        filled = 0
        count = 0
    }

    /// Appends an item, which must be above the one before.
    @inline(__always)
    mutating func append(_ item: UInt32) {
        enter(chunk: item >> 16)
        // Only a damaged list can have more.
        guard filled < items.count else { return }
        items[filled] = UInt16(truncatingIfNeeded: item)
        filled &+= 1
    }

    /// Appends the rows of a container of an earlier list, and in order with them those added rows that come before the
    /// end of its chunk; these are removed from `added`.
    ///
    /// - Parameters:
    ///   - bytes: the bytes with the container.
    ///   - gone: a bitmap of the rows that are left out; rows beyond its end are left out, too.
    mutating func append(
        _ container: PostingLists.Container, in bytes: RawSpan, without gone: [UInt64], adding added: inout AddedRows
    ) {
        let base = UInt32(truncatingIfNeeded: container.base)
        while let item = added.first, item < base { append(item, of: &added) }
        enter(chunk: base >> 16)
        if container.isDense {
            appendDense(container, in: bytes, without: gone, adding: &added)
        } else {
            var upcoming = added.first ?? .max
            for index in 0..<container.count {
                let low = bytes.u16(at: container.offset &+ index &* 2)
                let item = base | UInt32(low)
                while upcoming < item {
                    append(upcoming, of: &added)
                    upcoming = added.first ?? .max
                }
                let word = Int(item >> 6)
                guard word < gone.count, gone[word] &>> UInt64(item & 63) & 1 == 0, filled < items.count else {
                    continue
                }
                items[filled] = low
                filled &+= 1
            }
        }
        while let item = added.first, item <= base | 0xFFFF { append(item, of: &added) }
    }

    private mutating func appendDense(
        _ container: PostingLists.Container, in bytes: RawSpan, without gone: [UInt64], adding added: inout AddedRows
    ) {
        let first = container.base >> 6
        var total = 0
        for index in bitmap.indices {
            let position = first &+ index
            var word = position < gone.count ? bytes.u64(at: container.offset &+ index &* 8) & ~gone[position] : 0
            while let item = added.first, Int(item >> 6) == position {
                word |= 1 &<< UInt64(item & 63)
                added.removeFirst()
            }
            bitmap[index] = word
            total &+= word.nonzeroBitCount
        }
        if filled == 0, total > PostingLists.maxSparseItems {
            count += total
            appendHead(total)
            unsafe bitmap.withUnsafeBytes { bytes in
                unsafe units.append(contentsOf: bytes.bindMemory(to: UInt16.self))
            }
            return
        }
        for index in bitmap.indices {
            var word = bitmap[index]
            while word != 0, filled < items.count {
                items[filled] = UInt16(truncatingIfNeeded: index &* 64 &+ word.trailingZeroBitCount)
                filled &+= 1
                word &= word &- 1
            }
        }
    }

    private mutating func append(_ item: UInt32, of added: inout AddedRows) {
        append(item)
        added.removeFirst()
    }

    /// Completes the list.
    mutating func end() { close() }

    @inline(__always)
    private mutating func enter(chunk other: UInt32) {
        guard other != chunk else { return }
        close()
        chunk = other
    }

    private mutating func appendHead(_ count: Int) {
        units.append(UInt16(truncatingIfNeeded: chunk))
        units.append(UInt16(truncatingIfNeeded: count - 1))
    }

    private mutating func close() {
        guard filled > 0 else { return }
        count += filled
        appendHead(filled)
        if filled > PostingLists.maxSparseItems {
            let start = units.count
            units.append(contentsOf: repeatElement(0, count: PostingLists.maxSparseItems))
            for item in items[..<filled] { units[start &+ Int(item >> 4)] |= 1 << (item & 15) }
        } else {
            units.append(contentsOf: items[..<filled])
        }
        filled = 0
    }
}

/// Ascending rows that are merged into lists, from the first that is left to the last.
struct AddedRows {
    private let rows: [UInt32]
    private(set) var range: Range<Int>

    init(_ rows: [UInt32], _ range: Range<Int>) {
        self.rows = rows
        self.range = range
    }

    @inline(__always)
    var first: UInt32? { range.isEmpty ? nil : rows[range.lowerBound] }

    /// Removes the first row; there must be one.
    @inline(__always)
    mutating func removeFirst() { range = range.lowerBound &+ 1..<range.upperBound }
}
