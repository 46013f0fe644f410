// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import Testing

@Suite struct ReadingTests {
    private let bytes: [UInt8] = [1, 2, 3, 4, 5, 6, 7, 8, 9]

    @Test func `numbers are little-endian and need no alignment`() {
        let span = bytes.rawSpan
        expect(span.byte(at: 8) == 9)
        expect(span.u16(at: 1) == 0x0302)
        expect(span.u32(at: 1) == 0x0504_0302)
        expect(span.u64(at: 1) == 0x0908_0706_0504_0302)
        expect(span.word(at: 1) == span.u64(at: 1))
        expect(span.bigEndianWord(at: 0) == 0x0102_0304_0506_0708)
    }

    @Test(arguments: [Int.min, -1, 2, 6, 8, 9, 10, .max])
    func `a read that is not wholly inside gives zeros or no bytes`(offset: Int) {
        let span = bytes.rawSpan
        let left = offset < 0 || offset > 9 ? 0 : 9 - offset
        expect((span.byte(at: offset) == 0) == (left < 1))
        expect((span.u16(at: offset) == 0) == (left < 2))
        expect((span.u32(at: offset) == 0) == (left < 4))
        expect((span.u64(at: offset) == 0) == (left < 8))
        expect(span.part(offset, 4).byteCount == (left < 4 ? 0 : 4))
        expect(span.part(offset, -1).byteCount == 0)
        expect(span.part(offset, .max).byteCount == 0)
        expect(span.contains(offset, 2) == (left >= 2))
    }

    @Test func `a big-endian word that is cut short ends with zeros`() {
        expect(bytes.rawSpan.bigEndianWord(at: 7) == 0x0809_0000_0000_0000)
    }

    @Test func `what is appended is read back`() {
        var out: [UInt8] = []
        out.append(littleEndian: UInt32(0x0102_0304))
        out.append(bytes: bytes.rawSpan.part(2, 3))
        expect(out == [4, 3, 2, 1, 3, 4, 5])
        expect(out.rawSpan.array == out)
        expect(Array("Łódź".utf8).rawSpan.text == "Łódź")
    }

    @Test func `bytes order unsigned, and a beginning comes first`() {
        let ordered: [[UInt8]] = [
            [], [0], [0, 0], [1], [1, 0xFF], [2], [0x80], [0xFF, 0], Array(repeating: 0xFF, count: 20),
        ]
        for (i, left) in ordered.enumerated() {
            for (j, right) in ordered.enumerated() {
                expect(left.rawSpan.compare(right.rawSpan).signum() == (i - j).signum())
                expect(left.rawSpan.equals(right.rawSpan) == (i == j))
            }
        }
    }

    @Test func `a difference at any offset is seen`() {
        for count in 1..<40 {
            let some = [UInt8](repeating: 7, count: count)
            for index in 0..<count {
                var other = some
                other[index] = 8
                expect(!some.rawSpan.equals(other.rawSpan))
                expect(some.rawSpan.hasPrefix(other.rawSpan.part(0, index)))
                expect(some.rawSpan.hasSuffix(other.rawSpan.part(index + 1, count - index - 1)))
                expect(!some.rawSpan.hasSuffix(other.rawSpan.part(0, index + 1)))
            }
        }
    }

    @Test func `a byte and a literal are found where they stand`() {
        let text = Array("a,b,c".utf8)
        expect(text.rawSpan.firstIndex(of: 0x2C) == 1)
        expect(text.rawSpan.firstIndex(of: 0x2C, from: 2) == 3)
        expect(text.rawSpan.firstIndex(of: 0x2C, from: 4) == nil)
        expect(text.rawSpan.firstIndex(of: 0x2C, from: 9) == nil)
        expect(text.rawSpan.matches("b,c", at: 2))
        expect(!text.rawSpan.matches("b,c", at: 3))
        expect(!text.rawSpan.matches("a", at: -1))
    }

    /// A span cannot be captured by the macro, so that it is given the outcome only.
    private func expect(_ isTrue: Bool, sourceLocation: SourceLocation = #_sourceLocation) {
        #expect(isTrue, sourceLocation: sourceLocation)
    }
}
