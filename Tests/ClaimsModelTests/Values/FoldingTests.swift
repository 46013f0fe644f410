// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsJSON
import Testing

@testable import ClaimsModel

struct FoldingTests {
    @Test(arguments: [
        ("Wysłana", "wyslana"), ("Straße", "strasse"), ("STRASSE", "strasse"), ("GRÖSSE", "grosse"),
        ("GRÖẞE", "grosse"), ("Réunion", "reunion"), ("İstanbul", "istanbul"), ("ISTANBUL", "istanbul"),
        ("ıstanbul", "istanbul"), ("Łódź", "lodz"), ("Åland Islands", "aland islands"), ("Ærø", "aero"),
        ("Œuvre", "oeuvre"), ("Þórður", "thordur"), ("Đorđe", "dorde"), ("Ðà", "da"), ("ﬁn", "fin"), ("①②", "12"),
        ("Ǆ", "dz"), ("K", "k"), ("Côte d'Ivoire", "cote d'ivoire"), ("São Tomé", "sao tome"), ("C++", "c++"),
        ("ΣΊΣΥΦΟΣ", "σισυφοσ"), ("σίσυφος", "σισυφοσ"), ("ᾳ", "α"), ("Ёлка", "елка"), ("漢字", "漢字"), ("が", "か"),
        ("한", "\u{1112}\u{1161}\u{11AB}"), ("“quoted” – dash", "“quoted” – dash"), ("…", "..."), ("½", "1⁄2"),
        ("ᴬᴱ", "ae"), ("Ǿ", "o"), ("e\u{301}", "e"), ("\u{301}", ""),
    ])
    func `letters lose case, marks and ornaments`(text: String, folded: String) {
        #expect(String(decoding: Folding.fold(text), as: UTF8.self) == folded)
    }

    @Test(arguments: [
        ("  a  b  ", "a b"), ("a\t\r\n b", "a b"), ("a\u{A0}b", "a b"), ("\u{2003}a\u{3000}\u{2028}b\u{85}", "a b"),
        ("", ""), ("   ", ""), ("\u{A0}", ""), ("a \u{301} b", "a b"), ("a\u{0}b", "a b"), ("\u{0}", ""),
        ("x y", "x y"), ("12345678 12345678", "12345678 12345678"), ("1234567  1234567", "1234567 1234567"),
        ("12345678  2345678 ", "12345678 2345678"), ("¨a", "a"), ("a¨", "a"), ("a\u{200B}b", "a\u{200B}b"),
        ("a\u{1}b", "a\u{1}b"),
    ])
    func `white space of any kind and length is one space, with none at the ends`(text: String, folded: String) {
        #expect(String(decoding: Folding.fold(text), as: UTF8.self) == folded)
    }

    @Test func `the fast ways fold every scalar as the slow way does, at every place in a word`() {
        for value in UInt32(0)...0x10FFFF {
            guard let scalar = Unicode.Scalar(value) else { continue }
            var expected: [UInt8] = [0x78]
            FoldedScalar.forEach(of: value) { Scalar.append($0, to: &expected) }
            expected.append(0x79)
            var text = "x".unicodeScalars
            text.append(scalar)
            text.append("Y")
            let folded = Folding.fold(String(text))
            // White space is folded with its neighbours, which other tests look at.
            if !expected.contains(0x20), folded != expected { Issue.record("U+\(String(value, radix: 16))") }
        }
        for padding in 0..<20 {
            let text = String(repeating: "AbC ", count: 5).prefix(padding) + "Żółw  ÆR "
            let plain = String(repeating: "abc ", count: 5).prefix(padding) + "zolw aer"
            #expect(String(decoding: Folding.fold(String(text)), as: UTF8.self) == plain)
        }
    }

    @Test func `folding a folded text changes nothing`() {
        for value in UInt32(0)...0x10FFFF {
            guard let scalar = Unicode.Scalar(value) else { continue }
            let folded = Folding.fold(String(scalar))
            if !Folding.isFolded(folded.rawSpan) { Issue.record("U+\(String(value, radix: 16))") }
        }
    }

    @Test func `random texts fold piece by piece as they fold whole`() {
        var random = SeededGenerator(3)
        let pieces = [
            "a", "B", " ", "  ", "\t", "Ł", "ß", "漢", "é", "e\u{301}", "😀", "ﷺ", "Wasser", "x1y2z3w4", "\u{0}",
        ]
        for _ in 0..<5000 {
            let parts = (0..<Int.random(in: 0..<30, using: &random)).map { _ in pieces.randomElement(using: &random)! }
            var expected: [UInt8] = []
            for part in parts {
                for scalar in part.unicodeScalars {
                    FoldedScalar.forEach(of: scalar.value) {
                        if $0 != 0x20 || !(expected.isEmpty || expected.last == 0x20) {
                            Scalar.append($0, to: &expected)
                        }
                    }
                }
            }
            if expected.last == 0x20 { expected.removeLast() }
            #expect(Folding.fold(parts.joined()) == expected)
        }
    }

    @Test func `bytes that are not UTF-8 become replacement characters`() {
        let malformed: [[UInt8]] = [
            [0x61, 0xFF, 0x62], [0x61, 0xC3], [0xE2, 0x82], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xC0, 0x80],
        ]
        for bytes in malformed {
            var folded: [UInt8] = []
            Folding.fold(bytes.rawSpan, into: &folded)
            #expect(String(validating: folded, as: UTF8.self)?.contains("\u{FFFD}") == true)
        }
    }

    @Test func `folding appends`() {
        var out = Array("before ".utf8)
        let text: [UInt8] = [0x20, 0x41, 0x20]
        Folding.fold(text.rawSpan, into: &out)
        #expect(String(decoding: out, as: UTF8.self) == "before a")
    }
}
