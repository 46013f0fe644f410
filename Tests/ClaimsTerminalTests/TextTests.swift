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
        ("so\u{AD}ft", #"so\xadft"#), ("\u{200B}\u{FEFF}\u{61C}", #"\u200b\ufeff\u061c"#),
        ("\u{2060}\u{FFFB}\u{180E}", #"\u2060\ufffb\u180e"#), ("a\u{E0041}", #"a\u{e0041}"#),
        ("\u{206A}\u{3164} \u{34F}\u{1D173}", #"\u206a\u3164 \u034f\u{1d173}"#),
        ("\u{1F3F4}\u{E0067}\u{E0062}", "\u{1F3F4}\\u{e0067}\\u{e0062}"), ("🏴󠁧󠁢󠁷󠁬󠁳󠁿", "🏴󠁧󠁢󠁷󠁬󠁳󠁿"),
        ("a" + String(repeating: "\u{301}", count: 400) + "b", "a" + String(repeating: "\u{301}", count: 7) + "b"),
        ("Åland “quoted” – 日本 👩‍👧", "Åland “quoted” – 日本 👩‍👧"),
    ])
    func `control characters are shown and not sent`(_ text: String, _ shown: String) {
        #expect(Escaping.line(text) == shown)
    }

    @Test func `no scalar that could steer a terminal survives`() {
        for value in Array(UInt32(0)...0x3000) + Array(0xFE00...0xFFFF) + Array(0xE0000...0xE007F) {
            guard let scalar = Unicode.Scalar(value) else { continue }
            let shown = Escaping.line("a\(Character(scalar))b")
            for left in shown.unicodeScalars { #expect(!TextSafety.isUnsafe(left), "U+\(String(value, radix: 16))") }
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

    @Test func `a word of many thousand characters is cut into whole lines`() {
        let lines = Fitting.wrapWhole(String(repeating: "y", count: 100_000), to: 80)
        #expect(lines.count == 1250)
        #expect(lines.allSatisfy { $0.utf8.count == 80 })
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
}
