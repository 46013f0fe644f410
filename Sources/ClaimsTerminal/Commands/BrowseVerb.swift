// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel

extension Verb {
    public static let browse = Verb(
        "browse",
        summary: LocalizedText(
            en: "look through collections, and change them, on a whole terminal",
            pl: "przegląda i zmienia kolekcje na całym terminalu"),
        synopsis: "[SELECTOR] [TERMS…]",
        details: LocalizedText(
            en: """
                Shows collections, searches them as you type, and follows their changes. ? lists the keys;
                claimsctl-browse(1) explains them. Terms become the filter. With --plain it reads lines and writes lines,
                without any escape sequence: for screen readers, for terminals that are none, and for scripts.
                """,
            pl: """
                Pokazuje kolekcje, przeszukuje je podczas pisania i śledzi ich zmiany. ? wymienia klawisze; objaśnia je
                claimsctl-browse(1). Argumenty stają się filtrem. Z --plain czyta i wypisuje wiersze, bez sekwencji
                sterujących: dla czytników ekranu, dla tego, co nie jest terminalem, i dla skryptów.
                """),
        options: [.sort, .view, .archived, .filter, .text, .plain], terms: .filters)
}
