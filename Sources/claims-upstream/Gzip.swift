// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// Just enough of gzip (RFC 1952, RFC 1951) to be right without compressing, and wrong by expanding.
enum Gzip {
    /// `plain` in stored blocks.
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

    /// A JSON array that is empty but for `count` spaces, at two bits for each 258 of them.
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
        [checksum, UInt32(truncatingIfNeeded: count)].flatMap { word in
            (0..<4).map { place in UInt8(truncatingIfNeeded: word &>> (8 * place)) }
        }
    }
}
