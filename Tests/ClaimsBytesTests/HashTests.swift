// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import Testing

@Suite struct HashTests {
    @Test func `the tag is SipHash as its authors computed it`() {
        // The vector of the paper's appendix: the key 00…0f, the message 00…0e.
        let hash = SipHash(key0: 0x0706_0504_0302_0100, key1: 0x0f0e_0d0c_0b0a_0908)
        #expect(hash.tag(Array(0..<15)) == 0xa129_ca61_49be_45e5)
    }

    @Test(arguments: [("", 0xcbf2_9ce4_8422_2325), ("a", 0xaf63_dc4c_8601_ec8c), ("foobar", 0x8594_4171_f739_67e8)])
    func `FNV-1a is that of the RFC`(text: String, expected: UInt64) {
        var hash = FNVHash()
        for byte in text.utf8 { hash.add(byte: byte) }
        #expect(hash.value == expected)
    }

    @Test func `pieces do not run into one another`() {
        func hash(_ texts: String...) -> UInt64 {
            var hash = FNVHash()
            for text in texts { hash.add(text) }
            return hash.value
        }
        #expect(hash("ab", "c") != hash("a", "bc"))
        #expect(hash("ab", "c") == hash("ab", "c"))
    }

    @Test func `the hash of a table on disk never changes`() {
        let hash = WyHash(seed: 1)
        let values = [0, 1, 3, 4, 7, 8, 9, 16, 33].map { count in hash(Array(0..<UInt8(count)).rawSpan) }
        #expect(
            values == [
                0x744bd451c21dfee3, 0x66c6b0d11c0379d9, 0x5f9144218fdbc6e0, 0x493f7f97edb3bb5b,
                0xd0a11d08bb2a99cb, 0xe642e287d6f48cb1, 0xf862906df02e5071, 0xc04a00b0e069f1af,
                0x00cb1b3db15498ba,
            ])
    }

    @Test func `base64url is that of the RFC, and only its canonical form is read`() {
        let vectors = [("", ""), ("f", "Zg"), ("fo", "Zm8"), ("foo", "Zm9v"), ("foob", "Zm9vYg"), ("fooba", "Zm9vYmE")]
        for (plain, encoded) in vectors {
            #expect(Base64URL.encode(Array(plain.utf8)) == Array(encoded.utf8))
            #expect(Base64URL.decode(encoded.utf8) == Array(plain.utf8))
        }
        #expect(Base64URL.encode([0xfb, 0xff]) == Array("-_8".utf8))
        for wrong in ["Zh", "Z", "Zg==", "Z+", "Zm9"] { #expect(Base64URL.decode(wrong.utf8) == nil, "\(wrong)") }
    }
}
