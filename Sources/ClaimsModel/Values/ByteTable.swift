// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsJSON

/// Byte strings and their numbers, in the order in which they came. Looking one up allocates nothing.
struct ByteTable: Sendable {
    private var bytes: [UInt8] = []
    /// The end of each string in `bytes`, which is the begin of the next one.
    private var ends: [Int] = []
    /// Number plus one, 0 for a free place; the size is a power of two and at least twice the count.
    private var slots = [UInt32](repeating: 0, count: 16)
    /// Upstreams choose the strings, so they must not know how these are hashed.
    private let hasher = WyHash(seed: .random(in: .min ... .max))

    var count: Int { ends.count }

    /// The number of `key`; nil if it is not there.
    @inline(__always)
    func find(_ key: RawSpan) -> Int? {
        var slot = hash(key) & (slots.count &- 1)
        while slots[slot] != 0 {
            let index = Int(slots[slot]) &- 1
            if self[index].equals(key) { return index }
            slot = (slot &+ 1) & (slots.count &- 1)
        }
        return nil
    }

    /// The number of `key`, which is added if it is not there.
    mutating func insert(_ key: [UInt8]) -> Int {
        if let index = find(key.rawSpan) { return index }
        bytes += key
        ends.append(bytes.count)
        if ends.count * 2 > slots.count {
            slots = [UInt32](repeating: 0, count: slots.count * 2)
            for index in ends.indices { assignSlot(index) }
        } else {
            assignSlot(ends.count - 1)
        }
        return ends.count - 1
    }

    subscript(index: Int) -> RawSpan {
        @_lifetime(borrow self)
        get { bytes.rawSpan.extracting((index == 0 ? 0 : ends[index &- 1])..<ends[index]) }
    }

    private mutating func assignSlot(_ index: Int) {
        var slot = hash(self[index]) & (slots.count - 1)
        while slots[slot] != 0 { slot = (slot + 1) & (slots.count - 1) }
        slots[slot] = UInt32(index + 1)
    }

    @inline(__always)
    private func hash(_ key: RawSpan) -> Int { Int(truncatingIfNeeded: hasher(key)) }
}
