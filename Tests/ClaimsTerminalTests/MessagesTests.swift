// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
@testable import ClaimsTerminal
import Testing

struct MessagesTests {
    private let english = Messages.english
    private let polish = Messages.polish

    @Test(arguments: [("pl", true), ("pl_PL.UTF-8", true), ("PL-pl", true), ("de", false), ("plx", false), ("", false)])
    func `a tag or locale chooses the table`(_ tag: String, _ isPolish: Bool) {
        #expect(Messages(tag).isPolish == isPolish)
        #expect(Messages(nil).language == "en")
        #expect(Messages("pl").language == "pl")
    }

    @Test func `a text of the program is given in the table's language`() {
        #expect(english.text(Plural.records.form(2)) == "records")
        #expect(polish.text(Plural.records.form(2)) == "rekordy")
        #expect(
            TranslatedText { $0.count(1000, .records) }
                == TranslatedText(en: "1,000 records", pl: "1\u{A0}000 rekordów"))
    }

    @Test func `after a preposition there are two Polish forms`() {
        #expect(polish.part(1, of: 1, .records) == "1 z 1 rekordu")
        #expect(polish.part(2, of: 22, .records) == "2 z 22 rekordów")
        #expect(english.part(50, of: 1000, .records) == "50 of 1,000 records")
    }

    @Test func `digits stand in groups of three`() {
        #expect(english.number(Int64(1_234_567)) == "1,234,567")
        #expect(english.number(Int64(-1000)) == "-1,000")
        #expect(english.number(Int64(999)) == "999")
        #expect(english.number(Int64.min) == "-9,223,372,036,854,775,808")
        #expect(polish.number(Int64(1_234_567)) == "1\u{A0}234\u{A0}567")
        #expect(polish.number(Int64(1000)) == "1\u{A0}000")
        #expect(english.count(1, .records) == "1 record")
        #expect(english.count(0, .records) == "0 records")
        #expect(polish.count(1000, .records) == "1\u{A0}000 rekordów")
    }

    @Test func `sizes are readable`() {
        #expect(english.size(512) == "512 B")
        #expect(english.size(1536) == "1.5 KiB")
        #expect(polish.size(1536) == "1,5 KiB")
        #expect(english.size(200 << 20) == "200 MiB")
        #expect(english.size(-5) == "0 B")
        #expect(english.size(.max) == "8388608 TiB")
        #expect(english.size(1_258_291, of: 3 << 20) == "1.2 of 3.0 MiB")
        #expect(polish.size(0, of: 3 << 20) == "0,0 z 3,0 MiB")
    }

    private static let spans: [(Int64, String, String)] = [
        (0, "1 s", "1 s"), (999, "1 s", "1 s"), (40_000, "40 s", "40 s"), (60_000, "1 min", "1 min"),
        (779_000, "12 min", "12 min"), (3_600_000, "1 h", "1 godz."), (86_399_999, "23 h", "23 godz."),
        (86_400_000, "1 day", "1 dzień"), (200_000_000, "2 days", "2 dni"), (34_560_000_000, "1 year", "1 rok"),
        (.min, "292,471,208 years", "292\u{A0}471\u{A0}208 lat"),
    ]

    @Test(arguments: spans)
    func `spans are told in one piece`(_ ms: Int64, _ english: String, _ polish: String) {
        #expect(self.english.span(ms) == english)
        #expect(self.polish.span(ms) == polish)
    }

    @Test func `moments are told from now`() {
        #expect(english.relative(1000, to: 1500) == "now")
        #expect(english.relative(0, to: 720_000) == "12 min ago")
        #expect(english.relative(40_000, to: 0) == "in 40 s")
        // A time that is 30 days ahead when it is typed is 30 days ahead a moment later, too.
        #expect(english.relative(30 * 86_400_000 - 250, to: 0) == "in 30 days")
        #expect(polish.relative(86_400_000 - 60_000, to: 0) == "za 1 dzień")
        #expect(english.relative(7_199_000, to: 0) == "in 2 h")
        #expect(english.relative(-7_199_000, to: 0) == "1 h ago")
        #expect(english.relative(.min, to: 5) == "long ago")
        #expect(polish.relative(0, to: 3 * 86_400_000) == "3 dni temu")
        #expect(polish.relative(120_000, to: 0) == "za 2 min")
        #expect(polish.relative(.max, to: -5) == "w dalekiej przyszłości")
        #expect(polish.old(86_400_000) == "sprzed 1 dnia")
        #expect(english.old(86_400_000) == "1 day old")
    }

    @Test func `a short span has tenths`() {
        #expect(english.shortSpan(1799) == "1.7 s")
        #expect(polish.shortSpan(1799) == "1,7 s")
        #expect(english.shortSpan(350) == "350 ms")
    }

    @Test func `an answer is yes in English, or in the language of the question`() {
        for answer in ["y", "YES", " yes "] {
            #expect(Messages.english.isYes(answer) && Messages.polish.isYes(answer), "\(answer)")
        }
        for answer in ["t", "tak", "Tak\t"] {
            #expect(Messages.polish.isYes(answer) && !Messages.english.isYes(answer), "\(answer)")
        }
        #expect(!Messages.polish.isYes("") && !Messages.english.isYes("no") && !Messages.polish.isYes("ta"))
    }

    @Test func `a list ends with a conjunction`() {
        #expect(english.list(["a", "b", "c"]) == "a, b and c")
        #expect(polish.alternatives(["a", "b"]) == "a lub b")
        #expect(english.list(["a"]) == "a")
        #expect(english.list([]).isEmpty)
    }
}
