// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel

extension Verb {
    /// `check`, whose command is in a module above this one.
    public static let check = Verb(
        "check",
        summary: LocalizedText(
            en: "check the daemon, its collections or one of them, as a monitoring plug-in",
            pl: "sprawdza demona, jego kolekcje lub jedną z nich, jako wtyczka monitoringu"),
        synopsis: "[SELECTOR [TERMS…]]",
        details: LocalizedText(
            en: """
                Prints one line that begins with CLAIMSD OK, WARNING, CRITICAL or UNKNOWN and ends with performance
                data, then a line for each collection. The exit code is 0, 1, 2 or 3, the worst of all that was checked
                (2, 1, 3, 0).

                WARNING: a collection is loading, stale, held or abandoned; the configuration has mistakes; operations
                are stuck; a trigger tries again. CRITICAL: a collection has failed, has expired or is withheld; a
                trigger does not run or fails; the daemon is away, or silent for 10 s (--timeout). UNKNOWN: anything else that goes wrong, a wrong command line too, and a
                collection without an upstream if it is named.

                With terms, --view or a range the number of matching records is checked too: outside of the range after
                -w it is a WARNING, outside of the one after -c CRITICAL. Without ranges any match is a WARNING.
                """,
            pl: """
                Wypisuje wiersz, który zaczyna się od CLAIMSD OK, WARNING, CRITICAL lub UNKNOWN, a kończy danymi
                wydajności, a potem wiersz dla każdej kolekcji. Kod wyjścia to 0, 1, 2 lub 3, najgorszy z
                wszystkiego, co sprawdzono (2, 1, 3, 0).

                WARNING: kolekcja jest wczytywana, nieaktualna, wstrzymana lub bez źródła; konfiguracja ma błędy;
                utknęły operacje; wyzwalacz ponawia próby. CRITICAL: pobranie się nie udało, dane są przeterminowane lub
                niepokazywane; wyzwalacz nie działa albo zawodzi; demona nie ma albo milczy przez 10 s (--timeout). UNKNOWN: każdy inny błąd, także złe wywołanie, oraz
                kolekcja bez serwera, jeśli ją podano.

                Z warunkami, --view lub zakresem sprawdzana jest też liczba pasujących rekordów: poza zakresem po -w
                to WARNING, poza zakresem po -c CRITICAL. Bez zakresów każdy pasujący rekord to WARNING.
                """),
        options: [
            .view, .filter, .text, .warning, .critical, .configDir, .dataDir, .stateDir, .runDir,
        ], terms: .filters)
}
