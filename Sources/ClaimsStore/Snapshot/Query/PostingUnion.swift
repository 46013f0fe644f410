// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// Adds posting lists to bitmaps.
enum PostingUnion {
    /// The words of a bitmap that one chunk of a list spans.
    private static let chunkWords = 1 << 10

    static func add(_ key: Int, of postings: PostingLists, _ bytes: RawSpan, to bits: inout [UInt64]) {
        var words = bits.mutableSpan
        postings.forEachContainer(key, bytes) { container in
            add(container, bytes, to: &words)
            return true
        }
    }

    /// Adds a list that is these units of `bytes`.
    static func add(_ units: Range<Int>, _ bytes: RawSpan, to bits: inout [UInt64]) {
        var words = bits.mutableSpan
        PostingLists.forEachContainer(units, at: 0, bytes) { container in
            add(container, bytes, to: &words)
            return true
        }
    }

    @inline(__always)
    private static func add(
        _ container: PostingLists.Container, _ bytes: RawSpan, to words: inout MutableSpan<UInt64>
    ) {
        let first = container.base >> 6
        guard first < words.count else { return }
        if container.isDense {
            let source = bytes.part(container.offset, chunkWords * 8)
            guard source.byteCount == chunkWords * 8 else { return }
            for index in 0..<min(chunkWords, words.count - first) { words[first &+ index] |= source.u64(index &* 8) }
        } else if first &+ chunkWords <= words.count {
            addInside(bytes.part(container.offset, container.count * 2), first, to: &words)
        } else {
            let items = bytes.part(container.offset, container.count * 2)
            for index in 0..<items.byteCount / 2 {
                let low = Int(items.u16(index &* 2))
                let word = first &+ low >> 6
                if word < words.count { words[word] |= 1 << UInt64(low & 63) }
            }
        }
    }

    /// Adds items of a chunk that lies in the bitmap as a whole: no item of 16 bits can lead outside.
    @inline(__always)
    private static func addInside(_ items: RawSpan, _ first: Int, to words: inout MutableSpan<UInt64>) {
        var offset = 0
        while offset &+ 8 <= items.byteCount {
            let four = items.u64(offset)
            unsafe insert(four & 0xFFFF, first, &words)
            unsafe insert(four >> 16 & 0xFFFF, first, &words)
            unsafe insert(four >> 32 & 0xFFFF, first, &words)
            unsafe insert(four >> 48, first, &words)
            offset &+= 8
        }
        while offset < items.byteCount {
            unsafe insert(UInt64(items.u16(offset)), first, &words)
            offset &+= 2
        }
    }

    /// `first + 1023` must be a word of the bitmap, and `low` below 65,536.
    @unsafe @inline(__always)
    private static func insert(_ low: UInt64, _ first: Int, _ words: inout MutableSpan<UInt64>) {
        let word = first &+ Int(truncatingIfNeeded: low >> 6)
        unsafe words[unchecked: word] |= 1 &<< (low & 63)
    }
}
