// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
@testable import ClaimsTerminal
import Testing

struct TextTests {
    @Test(arguments: [
        ("plain", "plain"), ("\u{1B}[31mred", #"\x1b[31mred"#), ("a\u{7F}b", #"a\x7fb"#), ("a\u{9B}31m", #"a\x9b31m"#),
        ("line\nend", "line end"), ("line\r\nend", "line end"), ("tab\there", "tab here"), ("nul\0", #"nul\x00"#),
        ("\u{202E}evil", #"\u202eevil"#), ("\u{2066}x\u{2069}", #"\u2066x\u2069"#), ("\u{2028}", #"\u2028"#),
        ("Åland “quoted” – 日本 👩‍👧", "Åland “quoted” – 日本 👩‍👧"),
    ])
    func `control characters are shown and not sent`(_ text: String, _ shown: String) {
        #expect(Escaping.line(text) == shown)
    }

    @Test func `no scalar that could steer a terminal survives`() {
        for value in UInt32(0)...0x3000 {
            guard let scalar = Unicode.Scalar(value) else { continue }
            let shown = Escaping.line("a\(Character(scalar))b")
            for left in shown.unicodeScalars { #expect(!Escaping.isUnsafe(left), "U+\(String(value, radix: 16))") }
        }
    }

    @Test func `lines are kept where they are wanted`() {
        #expect(Escaping.lines("one\r\ntwo\u{1B}") == "one\ntwo\\x1b")
    }

    @Test func `cutting never splits a character nor exceeds the cells`() {
        #expect(Fitting.truncate("short", to: 5) == "short")
        #expect(Fitting.truncate("longer", to: 5) == "long…")
        #expect(Fitting.truncate("日本語です", to: 6) == "日本…")
        #expect(Fitting.truncate("👩‍👩‍👧‍👦👩‍👩‍👧‍👦", to: 3) == "👩‍👩‍👧‍👦…")
        #expect(Fitting.truncate("word again", to: 6) == "word…")
        #expect(Fitting.truncate("x", to: 0) == "")
        for cells in 1...12 {
            #expect(DisplayWidth.cells(of: Fitting.truncate("ab 日本 e\u{301}e\u{301} 👍🏽 end", to: cells)) <= cells)
        }
    }

    @Test func `long text breaks at spaces and ends in an ellipsis`() {
        #expect(Fitting.wrap("the quick brown fox", to: 9) == ["the quick", "brown fox"])
        #expect(Fitting.wrap("the quick brown fox jumps", to: 9, lines: 2) == ["the quick", "brown fo…"])
        #expect(Fitting.wrap("the quick brown f", to: 12, lines: 2) == ["the quick", "brown f"])
        #expect(Fitting.wrap("ab abcdefghij kl", to: 4) == ["ab", "abcdefghij", "kl"])
        #expect(Fitting.wrap("ab łbcdefghij kl", to: 4) == ["ab", "łbcdefghij", "kl"])
        #expect(Fitting.wrapCut("ab abcdefghij kl", to: 4) == ["ab", "abc…", "kl"])
        #expect(Fitting.hang("one two three", to: 5, indent: 2) == "one\n  two\n  three")
        #expect(Fitting.wrap("one\n\ntwo", to: 9) == ["one", "", "two"])
        #expect(Fitting.wrap("日本語日本語", to: 5) == ["日本", "語日", "本語"])
        #expect(Fitting.wrap("日", to: 1) == ["日"])
        #expect(Fitting.wrap("", to: 5) == [""])
    }

    private static let spans: [(Int64, String)] = [
        (0, "1 s"), (999, "1 s"), (40_000, "40 s"), (60_000, "1 min"), (779_000, "12 min"), (3_600_000, "1 h"),
        (86_399_999, "23 h"), (86_400_000, "1 day"), (200_000_000, "2 days"), (34_560_000_000, "1 year"),
        (.min, "292471208 years"),
    ]

    @Test(arguments: spans)
    func `spans are told in one piece`(_ ms: Int64, _ text: String) {
        #expect(Ages.span(ms) == text)
    }

    @Test func `moments are told from now`() {
        #expect(Ages.relative(1000, to: 1500) == "now")
        #expect(Ages.relative(0, to: 720_000) == "12 min ago")
        #expect(Ages.relative(40_000, to: 0) == "in 40 s")
        #expect(Ages.relative(.min, to: 5) == "long ago")
    }

    private static let locales: [(String, String?)] = [
        ("pl_PL.UTF-8", "pl"), ("de", "de"), ("PL", "pl"), ("pl-PL", "pl"), ("C", nil), ("POSIX", nil),
        ("C.UTF-8", nil),
        ("", nil), ("en_GB@euro", "en"),
    ]

    @Test(arguments: locales)
    func `a locale names a language`(_ locale: String, _ code: String?) {
        #expect(Language.code(locale) == code)
    }

    @Test func `the first variable that is set decides the language`() {
        func language(_ environment: [String: String]) -> String? { Language.ofMessages { environment[$0] } }
        #expect(language(["LC_ALL": "pl_PL", "LANG": "de_DE"]) == "pl")
        #expect(language(["LC_MESSAGES": "pl_PL", "LANG": "de_DE"]) == "pl")
        #expect(language(["LC_ALL": "", "LANG": "de_DE"]) == "de")
        #expect(language(["LC_ALL": "C", "LANG": "de_DE"]) == nil)
        #expect(language([:]) == nil)
    }

    @Test func `counts and sizes are readable`() {
        #expect(Numbers.grouped(1_234_567) == "1,234,567")
        #expect(Numbers.grouped(-1000) == "-1,000")
        #expect(Numbers.grouped(999) == "999")
        #expect(Numbers.count(1, "unit", "units") == "1 unit")
        #expect(Numbers.count(0, "unit", "units") == "0 units")
        #expect(Numbers.bytes(512) == "512 B")
        #expect(Numbers.bytes(1536) == "1.5 KiB")
        #expect(Numbers.bytes(200 << 20) == "200 MiB")
    }
}
