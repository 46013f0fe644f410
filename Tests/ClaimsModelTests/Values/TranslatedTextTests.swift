// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import Testing

struct TranslatedTextTests {
    @Test(arguments: [
        ("pl", "tak"), ("pl-PL", "tak"), ("PL_pl.UTF-8", "tak"), ("en", "yes"), ("de", "yes"), ("C", "yes"),
        ("", "yes"),
    ]) func `a text is Polish for Polish tags and locales, and English for any other`(tag: String, text: String) {
        #expect(TranslatedText(en: "yes", pl: "tak").text(tag) == text)
    }

    @Test func `two texts are joined in each language`() {
        let joined = TranslatedText(en: "no room", pl: "brak miejsca").joined(
            ": ", TranslatedText(en: "disk", pl: "dysk"))
        #expect(joined == TranslatedText(en: "no room: disk", pl: "brak miejsca: dysk"))
    }

    @Test func `a message that was stored is a text in both languages`() {
        let text = TranslatedText(Message(.httpStatus, "404 Not Found"))
        #expect(text == TranslatedText(en: "The server answered 404 Not Found", pl: "Serwer odpowiedział 404"))
    }
}
