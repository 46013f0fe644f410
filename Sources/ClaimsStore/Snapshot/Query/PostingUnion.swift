// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// Adds posting lists to bitmaps.
enum PostingUnion {
    @inline(__always)
    static func add(_ container: PostingLists.Container, _ bytes: RawSpan, to bits: inout [UInt64]) {
        let first = container.base >> 6
        guard first < bits.count else { return }
        if container.isDense {
            for index in 0..<min(1024, bits.count - first) {
                bits[first &+ index] |= bytes.u64(container.offset &+ index &* 8)
            }
            return
        }
        let items = bytes.part(container.offset, container.count * 2)
        for index in 0..<items.byteCount / 2 {
            let low = Int(items.u16(index &* 2))
            let word = first &+ low >> 6
            if word < bits.count { bits[word] |= 1 << UInt64(low & 63) }
        }
    }
}
