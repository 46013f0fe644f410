// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON

/// Byte strings and their numbers, in the order in which they came. Looking one up allocates nothing.
struct ByteTable: Sendable {
    private var bytes: [UInt8] = []
    /// Where each string ends in `bytes`; one begins where the one before it ends.
    private var ends: [Int] = []
    /// Number plus one, 0 for a free place; the size is a power of two and at least twice the count.
    private var places = [UInt32](repeating: 0, count: 16)
    /// Upstreams choose the strings, so they must not know how these are hashed.
    private let seed = UInt64.random(in: 1 ... .max)

    var count: Int { ends.count }

    /// The number of `key`; nil if it is not there.
    @inline(__always)
    func find(_ key: RawSpan) -> Int? {
        var place = hash(key) & (places.count &- 1)
        while places[place] != 0 {
            let index = Int(places[place]) &- 1
            if self[index].equals(key) { return index }
            place = (place &+ 1) & (places.count &- 1)
        }
        return nil
    }

    /// The number of `key`, which is added if it is not there.
    mutating func insert(_ key: [UInt8]) -> Int {
        if let index = find(key.rawSpan) { return index }
        bytes += key
        ends.append(bytes.count)
        if ends.count * 2 > places.count {
            places = [UInt32](repeating: 0, count: places.count * 2)
            for index in ends.indices { place(index) }
        } else {
            place(ends.count - 1)
        }
        return ends.count - 1
    }

    subscript(index: Int) -> RawSpan {
        @_lifetime(borrow self)
        get { bytes.rawSpan.extracting((index == 0 ? 0 : ends[index &- 1])..<ends[index]) }
    }

    private mutating func place(_ index: Int) {
        var place = hash(self[index]) & (places.count - 1)
        while places[place] != 0 { place = (place + 1) & (places.count - 1) }
        places[place] = UInt32(index + 1)
    }

    /// Multiplies words of eight bytes into one another; the last one may overlap the one before it.
    @inline(__always)
    private func hash(_ key: RawSpan) -> Int {
        var mixed = seed ^ UInt64(key.byteCount)
        if key.byteCount >= 8 {
            var offset = 0
            while offset &+ 8 < key.byteCount {
                mixed = Self.mix(mixed ^ key.word(at: offset))
                offset &+= 8
            }
            mixed = Self.mix(mixed ^ key.word(at: key.byteCount &- 8))
        } else {
            var word: UInt64 = 0
            for offset in 0..<key.byteCount { word = word << 8 | UInt64(key.byte(at: offset)) }
            mixed = Self.mix(mixed ^ word)
        }
        return Int(truncatingIfNeeded: mixed)
    }

    @inline(__always)
    private static func mix(_ word: UInt64) -> UInt64 {
        let (high, low) = word.multipliedFullWidth(by: 0x9E37_79B9_7F4A_7C15)
        return high ^ low
    }
}
