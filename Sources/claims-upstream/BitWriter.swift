// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// Lays bits as DEFLATE does: from the lowest of each byte.
struct BitWriter {
    private var bytes: [UInt8]
    private var rest: UInt8 = 0
    private var count = 0

    init(bytes: [UInt8]) { self.bytes = bytes }

    /// The lowest `width` bits of a number, the lowest first.
    mutating func append(_ value: Int, _ width: Int) {
        for place in 0..<width { appendBit(value >> place & 1) }
    }

    /// A Huffman code, the highest bit first.
    mutating func appendCode(_ code: Int, _ width: Int) {
        for place in (0..<width).reversed() { appendBit(code >> place & 1) }
    }

    mutating func appendZeros(_ number: Int) {
        var number = number
        while number > 0 && count != 0 {
            appendBit(0)
            number -= 1
        }
        bytes.append(contentsOf: repeatElement(0, count: number / 8))
        for _ in 0..<(number % 8) { appendBit(0) }
    }

    /// The bytes, the last one filled up with zeros.
    mutating func finished() -> [UInt8] {
        appendZeros((8 - count) % 8)
        return bytes
    }

    private mutating func appendBit(_ bit: Int) {
        rest |= UInt8(bit) << UInt8(count)
        count += 1
        if count == 8 {
            bytes.append(rest)
            rest = 0
            count = 0
        }
    }
}
