// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// Writing several pieces into an array that has made room for them once.
extension OutputSpan<UInt8> {
    /// Appends all bytes; more than there is room for is a trap.
    @inlinable
    @inline(__always)
    public mutating func append(bytes: RawSpan) {
        unsafe bytes.withUnsafeBytes { source in unsafe append(source) }
    }

    /// Appends the text's UTF-8.
    @inlinable
    @inline(__always)
    public mutating func append(_ text: StaticString) {
        unsafe append(UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    @inlinable
    @inline(__always)
    mutating func append(_ source: UnsafeRawBufferPointer) {
        unsafe withUnsafeMutableBufferPointer { room, count in
            // What is written lies behind the `count` bytes that are there, and within the room: it is asked here.
            precondition(source.count <= room.count &- count, "room for the bytes has been made")
            guard let start = source.baseAddress, let end = room.baseAddress else { return }
            unsafe UnsafeMutableRawPointer(end + count).copyMemory(from: start, byteCount: source.count)
            count &+= source.count
        }
    }

    /// Appends a number in decimal; at most 20 digits.
    @inline(__always)
    public mutating func append(digitsOf value: UInt64) {
        var digits = 1
        var rest = value / 10
        while rest != 0 {
            digits &+= 1
            rest /= 10
        }
        unsafe withUnsafeMutableBufferPointer { room, count in
            precondition(digits <= room.count &- count, "room for the digits has been made")
            var rest = value
            var place = count &+ digits
            repeat {
                let (quotient, digit) = rest.quotientAndRemainder(dividingBy: 10)
                place &-= 1
                // count <= place < count + digits, which lies within the room.
                unsafe room[place] = ASCII.zero &+ UInt8(truncatingIfNeeded: digit)
                rest = quotient
            } while rest != 0
            count &+= digits
        }
    }
}
