// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsJSON
import Glibc

/// Writes into room that an array has set aside. It exists only inside `append(upTo:)`.
///
/// Safe by construction of its only maker: the room is `count` bytes, and every write is asserted to fit.
@safe struct ByteCursor: ~Copyable {
    private var next: UnsafeMutablePointer<UInt8>
    private let end: UnsafeMutablePointer<UInt8>

    @inline(__always)
    fileprivate init(_ start: UnsafeMutablePointer<UInt8>, count: Int) {
        unsafe next = start
        unsafe end = start + count
    }

    @inline(__always)
    fileprivate func written(since start: UnsafeMutablePointer<UInt8>) -> Int { unsafe next - start }

    @inline(__always)
    mutating func put(_ byte: UInt8) {
        unsafe assert(next < end)
        unsafe next.pointee = byte
        unsafe next += 1
    }

    @inline(__always)
    mutating func put(_ bytes: RawSpan) {
        unsafe assert(end - next >= bytes.byteCount)
        unsafe bytes.withUnsafeBytes { buffer in
            if let source = buffer.baseAddress { unsafe memcpy(next, source, buffer.count) }
        }
        unsafe next += bytes.byteCount
    }

    /// Eight bytes, the most significant first.
    @inline(__always)
    mutating func put(bigEndian word: UInt64) {
        unsafe assert(end - next >= 8)
        unsafe UnsafeMutableRawPointer(next).storeBytes(of: word.bigEndian, as: UInt64.self)
        unsafe next += 8
    }

    /// Two digits of a number below 100.
    @inline(__always)
    mutating func put(twoDigits number: Int) {
        put(UInt8(truncatingIfNeeded: 0x30 + number / 10))
        put(UInt8(truncatingIfNeeded: 0x30 + number % 10))
    }
}

extension [UInt8] {
    /// Appends what `write` puts, which is at most `count` bytes: one check of the capacity for all of it.
    @inline(__always)
    mutating func append(upTo count: Int, _ write: (inout ByteCursor) -> Void) {
        append(addingCapacity: count) { span in
            unsafe span.withUnsafeMutableBufferPointer { buffer, written in
                guard let start = buffer.baseAddress else { return }
                var cursor = unsafe ByteCursor(start, count: count)
                write(&cursor)
                written = unsafe cursor.written(since: start)
            }
        }
    }

    /// Appends all bytes of `bytes`.
    @inline(__always)
    mutating func append(bytes: RawSpan) {
        append(upTo: bytes.byteCount) { $0.put(bytes) }
    }
}

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
