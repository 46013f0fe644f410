// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes

extension JSONWriter {
    /// Appends text with what JSON demands escaped, without quotes around it.
    mutating func appendEscaped(_ text: RawSpan) {
        var done = 0
        var offset = 0
        while offset < text.byteCount {
            // Words without anything to escape are stepped over; text that is not ASCII needs no escape either.
            while text.hasWord(at: offset), Self.escapedBytes(text.word(at: offset)) == 0 { offset &+= 8 }
            guard offset < text.byteCount else { break }
            let byte = text.byte(at: offset)
            if byte < ASCII.space || byte == ASCII.quote || byte == ASCII.backslash {
                bytes.append(bytes: text.extracting(done..<offset))
                appendEscape(byte)
                done = offset + 1
            }
            offset &+= 1
        }
        bytes.append(bytes: text.extracting(done..<text.byteCount))
    }

    /// Not zero if some byte of `word` is a quote, a backslash or a control character.
    @inline(__always)
    private static func escapedBytes(_ word: UInt64) -> UInt64 {
        let ones: UInt64 = 0x0101_0101_0101_0101
        let quotes = word ^ (ones &* UInt64(ASCII.quote))
        let backslashes = word ^ (ones &* UInt64(ASCII.backslash))
        let found =
            ((quotes &- ones) & ~quotes) | ((backslashes &- ones) & ~backslashes) | ((word &- ones &* 0x20) & ~word)
        return found & (ones &* 0x80)
    }

    private mutating func appendEscape(_ byte: UInt8) {
        bytes.append(ASCII.backslash)
        switch byte {
        case ASCII.quote, ASCII.backslash: bytes.append(byte)
        case 0x08: bytes.append(0x62)
        case 0x09: bytes.append(0x74)
        case 0x0A: bytes.append(0x6E)
        case 0x0C: bytes.append(0x66)
        case 0x0D: bytes.append(0x72)
        default:
            bytes.append(0x75)
            bytes.append(ASCII.zero)
            bytes.append(ASCII.zero)
            bytes.append(ASCII.zero + byte >> 4)
            bytes.append(byte & 15 < 10 ? ASCII.zero + byte & 15 : 0x57 + byte & 15)
        }
    }

    /// Appends an integer in decimal.
    mutating func appendDigits<Value: FixedWidthInteger>(_ value: Value) {
        guard let magnitude = UInt64(exactly: value.magnitude) else {
            bytes.append(contentsOf: String(value).utf8)
            return
        }
        bytes.append(addingCapacity: 21) { out in
            if value < 0 { out.append(ASCII.minus) }
            out.append(digitsOf: magnitude)
        }
    }
}

/// Appending several pieces to an array that has made room for all of them once.
extension OutputSpan<UInt8> {
    /// Appends a copy of `bytes`. More bytes than the span has room for are a trap.
    @inlinable
    @inline(__always)
    public mutating func append(bytes: RawSpan) {
        unsafe bytes.withUnsafeBytes { source in unsafe append(source) }
    }

    /// Appends the UTF-8 of the text. More bytes than the span has room for are a trap.
    @inlinable
    @inline(__always)
    public mutating func append(_ text: StaticString) {
        unsafe append(UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    @inlinable
    @inline(__always)
    mutating func append(_ source: UnsafeRawBufferPointer) {
        unsafe withUnsafeMutableBufferPointer { room, count in
            // The new bytes lie behind the `count` bytes that are there, and within the room: the check is here.
            precondition(source.count <= room.count &- count, "room for the bytes has been made")
            guard let start = source.baseAddress, let end = room.baseAddress else { return }
            unsafe UnsafeMutableRawPointer(end + count).copyMemory(from: start, byteCount: source.count)
            count &+= source.count
        }
    }

    /// Appends a number in decimal, in 1 to 20 digits. Too little room for them is a trap.
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
            var index = count &+ digits
            repeat {
                let (quotient, digit) = rest.quotientAndRemainder(dividingBy: 10)
                index &-= 1
                // count <= place < count + digits, which lies within the room.
                unsafe room[index] = ASCII.zero &+ UInt8(truncatingIfNeeded: digit)
                rest = quotient
            } while rest != 0
            count &+= digits
        }
    }
}
