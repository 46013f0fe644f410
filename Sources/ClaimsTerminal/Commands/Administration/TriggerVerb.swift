// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel

extension Verb {
    public static let trigger = Verb(
        "trigger",
        summary: LocalizedText(
            en: "run commands with what has changed, and see how they are doing",
            pl: "uruchamia polecenia z tym, co się zmieniło, i pokazuje ich stan"),
        synopsis: "[NAME] | (run | test | skip) NAME | text [--mail FROM TO…]",
        details: LocalizedText(
            en: """
                A trigger is a file in /etc/claimsd/triggers.d, and runs as the unit claimsd-trigger@NAME. Without a
                word: how each of them is doing. `test` prints what it would tell now, and changes nothing. `skip` takes
                the batch that waits as told, while the unit is stopped. `text` reads a batch and writes it for people,
                with --mail as a message. `run` is what the unit runs; it ends with 2 where the file is wrong, and with
                9 where another one runs. claimsd-triggers(7) begins with the two steps.
                """,
            pl: """
                Wyzwalacz to plik w /etc/claimsd/triggers.d; działa jako jednostka claimsd-trigger@NAZWA. Bez słowa:
                stan każdego z nich. `test` wypisuje, co powiedziałby teraz, i niczego nie zmienia. `skip` uznaje
                czekającą paczkę za przekazaną, gdy jednostka nie działa. `text` czyta paczkę i pisze ją dla ludzi, a z
                --mail jako wiadomość. `run` to polecenie jednostki; kończy się kodem 2, gdy plik jest błędny, a 9, gdy
                działa już inny. claimsd-triggers(7) zaczyna się od dwóch kroków.
                """),
        options: [.configDir, .dataDir, .stateDir, .runDir, .mail], takesSelector: false,
        terms: .words(["run", "test", "skip", "text"]), takesHost: false)
}
