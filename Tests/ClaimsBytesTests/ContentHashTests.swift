// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import ClaimsBytes

struct ContentHashTests {
    /// SipHash-1-3 with 128 bits under the key 00 01 … 0f, of the bytes 00 01 … and so on.
    @Test(arguments: [
        (0, "e77ebcb22788a5befd62db6add303001"), (1, "fc6f370460d3eda85e0573cc2b2ff063"),
        (7, "1084b923f2aae0c3a62f2ec80848ab77"), (8, "aa12fee1d5e3dab4724f16ab35f9c799"),
        (15, "c17e5505b2bd526c2921cdec1e7e0109"), (16, "d0a8d95715518eebb513b0f83d9e1793"),
        (63, "4c5800e34efe426f079f6b0aa75260ad"),
    ])
    func `the construction is SipHash`(count: Int, expected: String) {
        var hash = ContentHash(key: (0x0706_0504_0302_0100, 0x0f0e_0d0c_0b0a_0908))
        let bytes = Array(0..<UInt8(count))
        unsafe hash.update(bytes.span.bytes)
        #expect(hexadecimal(hash.digest) == expected)
    }

    @Test func `what is stored stays right, because the key never changes`() {
        #expect(hexadecimal(ContentHash().digest) == "df32f72cb1f408d38ae388bbdecb79c7")
        let content = digest(sample)
        #expect(hexadecimal(content) == "e2403060f9fd8bd3d019516af06a94e5")
    }

    @Test func `how content is cut into calls makes no difference`() {
        let whole = digest(sample)
        for size in [1, 2, 3, 7, 8, 9, 13, 64, 1000, 16384] {
            var hash = ContentHash()
            for start in stride(from: 0, to: sample.count, by: size) {
                let part = Array(sample[start..<min(start + size, sample.count)])
                unsafe hash.update(part.span.bytes)
                _ = hash.digest
            }
            #expect(hash.digest == whole, "in parts of \(size)")
        }
    }

    @Test func `each bit and the length count`() {
        var seen = Set([digest(sample)])
        for index in stride(from: 0, to: sample.count, by: 97) {
            for bit in 0..<8 {
                var other = sample
                other[index] ^= 1 << UInt8(bit)
                #expect(seen.insert(digest(other)).inserted)
            }
        }
        for count in 0..<300 {
            let zeros = [UInt8](repeating: 0, count: count)
            #expect(seen.insert(digest(zeros)).inserted)
        }
    }

    @Test func `a digest survives being stored`() {
        let digest = digest(sample)
        #expect(restored(digest.bytes) == digest)
        #expect(restored(digest.bytes.dropLast()) == nil)
    }

    private let sample = (0..<10007).map { index in UInt8(index % 251) }

    private func digest(_ bytes: [UInt8]) -> ContentHash.Digest {
        unsafe ContentHash.digest(of: bytes.span.bytes)
    }

    private func restored(_ bytes: [UInt8]) -> ContentHash.Digest? {
        unsafe ContentHash.Digest(bytes.span.bytes)
    }

    private func hexadecimal(_ digest: ContentHash.Digest) -> String {
        digest.bytes.map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16) }.joined()
    }
}
