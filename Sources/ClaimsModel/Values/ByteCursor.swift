// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
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
