// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// Makes one posting list (`PostingLists` tells how it lies) of ascending items; reused for the next.
struct PostingListWriter {
    private(set) var units: [UInt16] = []
    /// How many items the list has.
    private(set) var count = 0
    private var chunk: UInt32 = 0
    /// The items of the chunk at hand, less the chunk; there is room for all that a chunk can have.
    private var items: [UInt16]
    private var filled = 0
    /// One chunk as a bitmap.
    private var bitmap: [UInt64]

    /// `room` is for how many items of one chunk.
    init(room: Int = 1 << 16) {
        items = [UInt16](repeating: 0, count: room)
        bitmap = [UInt64](repeating: 0, count: room >> 6)
    }

    mutating func begin() {
        units.removeAll(keepingCapacity: true)
        filled = 0
        count = 0
    }

    @inline(__always)
    mutating func append(_ item: UInt32) {
        enter(chunk: item >> 16)
        // Only a damaged list can have more.
        guard filled < items.count else { return }
        items[filled] = UInt16(truncatingIfNeeded: item)
        filled &+= 1
    }

    /// Appends what a container has besides the rows that are `gone`, and in their places those of `fresh`, ascending,
    /// that are not behind its chunk; `next` of them are done.
    mutating func append(
        _ container: PostingLists.Container, _ bytes: RawSpan, without gone: [UInt64], _ fresh: [UInt32],
        _ next: inout Range<Int>
    ) {
        let base = UInt32(truncatingIfNeeded: container.base)
        while let item = Self.first(of: next, fresh), item < base { take(item, &next) }
        enter(chunk: base >> 16)
        if container.isDense {
            appendDense(container, bytes, without: gone, fresh, &next)
        } else {
            var upcoming = Self.first(of: next, fresh) ?? .max
            for index in 0..<container.count {
                let low = bytes.u16(container.offset &+ index &* 2)
                let item = base | UInt32(low)
                while upcoming < item {
                    take(upcoming, &next)
                    upcoming = Self.first(of: next, fresh) ?? .max
                }
                let word = Int(item >> 6)
                guard word < gone.count, gone[word] &>> UInt64(item & 63) & 1 == 0, filled < items.count else {
                    continue
                }
                items[filled] = low
                filled &+= 1
            }
        }
        while let item = Self.first(of: next, fresh), item <= base | 0xFFFF { take(item, &next) }
    }

    private mutating func appendDense(
        _ container: PostingLists.Container, _ bytes: RawSpan, without gone: [UInt64], _ fresh: [UInt32],
        _ next: inout Range<Int>
    ) {
        let first = container.base >> 6
        var total = 0
        for index in bitmap.indices {
            let place = first &+ index
            var word = place < gone.count ? bytes.u64(container.offset &+ index &* 8) & ~gone[place] : 0
            while let item = Self.first(of: next, fresh), Int(item >> 6) == place {
                word |= 1 &<< UInt64(item & 63)
                next = next.lowerBound &+ 1..<next.upperBound
            }
            bitmap[index] = word
            total &+= word.nonzeroBitCount
        }
        if filled == 0, total > PostingLists.sparseMax {
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

    @inline(__always)
    private static func first(of range: Range<Int>, _ rows: [UInt32]) -> UInt32? {
        range.isEmpty ? nil : rows[range.lowerBound]
    }

    private mutating func take(_ item: UInt32, _ next: inout Range<Int>) {
        append(item)
        next = next.lowerBound + 1..<next.upperBound
    }

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
        if filled > PostingLists.sparseMax {
            let start = units.count
            units.append(contentsOf: repeatElement(0, count: PostingLists.sparseMax))
            for item in items[..<filled] { units[start &+ Int(item >> 4)] |= 1 << (item & 15) }
        } else {
            units.append(contentsOf: items[..<filled])
        }
        filled = 0
    }
}
