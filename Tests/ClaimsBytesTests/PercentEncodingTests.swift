// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import Testing

struct PercentEncodingTests {
    @Test(arguments: [
        ("", ""), ("a-Z_0.9~", "a-Z_0.9~"), ("a b&c=d/ż", "a%20b%26c%3Dd%2F%C5%BC"), ("100%", "100%25"),
    ])
    func `everything but unreserved characters is encoded, and comes back`(text: String, encoded: String) {
        #expect(PercentEncoding.encode(text) == encoded)
        #expect(PercentEncoding.decode(Substring(encoded)) == Array(text.utf8))
    }

    @Test(arguments: [("a+b", "a b"), ("%", "%"), ("%4", "%4"), ("%zz", "%zz"), ("%c5%BC", "ż"), ("%%41", "%A")])
    func `a form has pluses for spaces, and a broken escape stands for itself`(text: String, decoded: String) {
        #expect(PercentEncoding.decode(Substring(text)) == Array(decoded.utf8))
    }

    @Test func `digits may be small letters`() {
        #expect(PercentEncoding.encode([0xC5, 0xBC], isUppercase: false) == "%c5%bc")
    }

    @Test(arguments: [("/a+b", "/a+b"), ("/%c5%BC", "/ż"), ("", "")])
    func `a path has pluses as they are`(text: String, decoded: String) {
        #expect(PercentEncoding.decodePath(Substring(text)) == Array(decoded.utf8))
    }

    @Test(arguments: ["%", "/a%4", "%zz", "%4/", "%%41"])
    func `a path with a broken escape has no bytes`(text: String) {
        #expect(PercentEncoding.decodePath(Substring(text)) == nil)
    }
}
