// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

extension RawSpan {
    /// The length of the well-formed UTF-8 sequence of two to four bytes at `offset`; 0 if there is none.
    ///
    /// Table 3-7 of the Unicode standard, the same as RFC 3629, section 4.
    @inline(__always)
    func multibyteLength(at offset: Int) -> Int {
        let first = byte(at: offset)
        let second = byte(at: offset &+ 1)
        switch first {
        case 0xC2...0xDF:
            return second & 0xC0 == 0x80 ? 2 : 0
        case 0xE0...0xEF:
            let lowest: UInt8 = first == 0xE0 ? 0xA0 : 0x80
            let highest: UInt8 = first == 0xED ? 0x9F : 0xBF
            guard second >= lowest, second <= highest, byte(at: offset &+ 2) & 0xC0 == 0x80 else { return 0 }
            return 3
        case 0xF0...0xF4:
            let lowest: UInt8 = first == 0xF0 ? 0x90 : 0x80
            let highest: UInt8 = first == 0xF4 ? 0x8F : 0xBF
            guard second >= lowest, second <= highest, byte(at: offset &+ 2) & 0xC0 == 0x80,
                byte(at: offset &+ 3) & 0xC0 == 0x80
            else { return 0 }
            return 4
        default:
            return 0
        }
    }
}
