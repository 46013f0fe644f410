// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import Testing

struct PluralTests {
    private static let forms: [(Int64, String)] = [
        (0, "rekordów"), (1, "rekord"), (2, "rekordy"), (4, "rekordy"), (5, "rekordów"), (11, "rekordów"),
        (12, "rekordów"), (14, "rekordów"), (21, "rekordów"), (22, "rekordy"), (24, "rekordy"), (25, "rekordów"),
        (112, "rekordów"), (122, "rekordy"), (1_000_002, "rekordy"), (-3, "rekordy"), (.min, "rekordów"),
    ]

    @Test(arguments: forms)
    func `a noun takes the form of its number`(_ number: Int64, _ polish: String) {
        let english = number == 1 ? "record" : "records"
        #expect(Plural.records.form(number) == TranslatedText(en: english, pl: polish))
        #expect(
            Plural.records.text(number) == TranslatedText(en: "\(number) \(english)", pl: "\(number) \(polish)"))
    }

    @Test func `after a preposition there are two Polish forms`() {
        #expect(Plural.days.formAfterPreposition(1) == TranslatedText(en: "day", pl: "dnia"))
        for number: Int64 in [0, 2, 5, 11, 22] {
            #expect(Plural.days.formAfterPreposition(number) == TranslatedText(en: "days", pl: "dni"))
        }
    }
}
