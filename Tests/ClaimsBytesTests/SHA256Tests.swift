// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import Testing

/// The vectors are those of FIPS 180 and of NIST's cryptographic standards examples.
@Suite struct SHA256Tests {
    @Test(arguments: [
        ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        (
            "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
        ),
        (
            "abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu",
            "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1"
        ),
    ])
    func `the digests are those of the standard`(text: String, digest: String) {
        #expect(SHA256.hexadecimal(of: Array(text.utf8).rawSpan) == digest)
    }

    @Test func `a content of many blocks has its digest`() {
        var hash = SHA256()
        let part = [UInt8](repeating: UInt8(ascii: "a"), count: 1000)
        for _ in 0..<1000 { hash.update(part.rawSpan) }
        #expect(hash.hexadecimal == "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0")
    }

    @Test func `parts of any size give the digest of the whole`() {
        let whole = (0..<300).map { number in UInt8(truncatingIfNeeded: number &* 7) }
        for count in 0...whole.count {
            var hash = SHA256()
            hash.update(whole.rawSpan.part(0, count))
            let early = hash.digest
            hash.update(whole.rawSpan.part(count..<whole.count))
            #expect(hash.hexadecimal == SHA256.hexadecimal(of: whole.rawSpan), "\(count)")
            var first = SHA256()
            first.update(whole.rawSpan.part(0, count))
            #expect(early == first.digest, "a digest that was read changes nothing")
        }
    }
}
