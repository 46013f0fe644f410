// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// Makes gzip streams (RFC 1952, RFC 1951): uncompressed ones, and one that expands enormously.
enum Gzip {
    /// A stream with `plain` in stored blocks.
    static func stored(_ plain: [UInt8]) -> [UInt8] {
        var out = header
        var start = 0
        repeat {
            let end = min(start + 65535, plain.count)
            let count = end - start
            out.append(end == plain.count ? 1 : 0)
            out += [UInt8(count & 0xff), UInt8(count >> 8), UInt8(~count & 0xff), UInt8(~count >> 8 & 0xff)]
            out += plain[start..<end]
            start = end
        } while start < plain.count
        var checksum = CRC32()
        checksum.update(plain)
        return out + trailer(checksum.value, count: plain.count)
    }

    /// A stream of a JSON array with `count` spaces in it; 258 spaces take two bits.
    static func bomb(count: Int) -> [UInt8] {
        var bits = BitWriter(bytes: header)
        // A final block with a code of its own: 1 bit for "258 bytes more", 3 for [ space ] and the end.
        bits.append(1, 1)
        bits.append(2, 2)
        bits.append(29, 5)
        bits.append(0, 5)
        bits.append(14, 4)
        // The code lengths of the code lengths, in their peculiar order: 18, 0, 3 and 1 have two bits each.
        for symbol in [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1] {
            bits.append([0, 1, 3, 18].contains(symbol) ? 2 : 0, 3)
        }
        let length = { (bits: inout BitWriter, length: Int) in bits.appendCode(length == 3 ? 2 : length, 2) }
        let zeros = { (bits: inout BitWriter, count: Int) in
            bits.appendCode(3, 2)
            bits.append(count - 11, 7)
        }
        zeros(&bits, 32)
        length(&bits, 3)  // space
        zeros(&bits, 58)
        length(&bits, 3)  // [
        length(&bits, 0)
        length(&bits, 3)  // ]
        zeros(&bits, 138)
        zeros(&bits, 24)
        length(&bits, 3)  // the end
        zeros(&bits, 28)
        length(&bits, 1)  // 258 bytes more
        length(&bits, 1)  // from one byte back
        let space = 4, open = 5, close = 6, end = 7
        bits.appendCode(open, 3)
        bits.appendCode(space, 3)
        bits.appendZeros((count - 1) / 258 * 2)
        for _ in 0..<((count - 1) % 258) { bits.appendCode(space, 3) }
        bits.appendCode(close, 3)
        bits.appendCode(end, 3)
        var checksum = CRC32()
        checksum.update([UInt8(ascii: "[")])
        checksum.update(UInt8(ascii: " "), times: count)
        checksum.update([UInt8(ascii: "]")])
        return bits.finished() + trailer(checksum.value, count: count + 2)
    }

    private static let header: [UInt8] = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255]

    private static func trailer(_ checksum: UInt32, count: Int) -> [UInt8] {
        [checksum, UInt32(truncatingIfNeeded: count)].flatMap { number in
            (0..<4).map { index in UInt8(truncatingIfNeeded: number &>> (8 * index)) }
        }
    }
}

/// The checksum of gzip (ISO 3309).
struct CRC32 {
    private var state: UInt32 = 0xffff_ffff

    var value: UInt32 { ~state }

    mutating func update(_ bytes: [UInt8]) {
        for byte in bytes { state = Self.next(state, byte) }
    }

    /// Adds `byte` `times` times, in O(log times).
    ///
    /// One step is an affine map of the 32 bits; applying a map twice makes the map of twice as many steps.
    mutating func update(_ byte: UInt8, times: Int) {
        var map = (0...32).map { bit in
            bit == 32 ? Self.next(0, byte) : Self.next(1 << UInt32(bit), byte) ^ Self.next(0, byte)
        }
        var left = times
        while left > 0 {
            if left & 1 == 1 { state = Self.apply(map, state, constant: true) }
            map = (0...32).map { bit in Self.apply(map, map[bit], constant: bit == 32) }
            left >>= 1
        }
    }

    private static let table: [UInt32] = (0..<256).map { index in
        (0..<8).reduce(UInt32(index)) { value, _ in value & 1 == 1 ? value >> 1 ^ 0xedb8_8320 : value >> 1 }
    }

    private static func next(_ state: UInt32, _ byte: UInt8) -> UInt32 {
        table[Int(UInt8(truncatingIfNeeded: state) ^ byte)] ^ state >> 8
    }

    /// `map` holds the images of the bits, minus the image of 0, and at 32 the image of 0.
    private static func apply(_ map: [UInt32], _ value: UInt32, constant: Bool) -> UInt32 {
        (0..<32).reduce(constant ? map[32] : 0) { sum, bit in
            value >> UInt32(bit) & 1 == 1 ? sum ^ map[bit] : sum
        }
    }
}

/// Writes bits in the order of DEFLATE (RFC 1951, section 3.1.1): from the lowest bit of each byte.
struct BitWriter {
    private var bytes: [UInt8]
    private var rest: UInt8 = 0
    private var count = 0

    init(bytes: [UInt8]) { self.bytes = bytes }

    /// Appends the lowest `width` bits of a number, the lowest first.
    mutating func append(_ value: Int, _ width: Int) {
        for bit in 0..<width { appendBit(value >> bit & 1) }
    }

    /// Appends a Huffman code, the highest bit first.
    mutating func appendCode(_ code: Int, _ width: Int) {
        for bit in (0..<width).reversed() { appendBit(code >> bit & 1) }
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

    /// The bytes; the last one is filled up with zeros.
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
