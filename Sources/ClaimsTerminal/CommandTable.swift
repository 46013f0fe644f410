// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel

/// The table of claimsctl's verbs, with the command that each runs.
///
/// A new verb is described in the file of its command, and has one line here.
public enum CommandTable {
    /// The command of a verb.
    public typealias Action = (CommandContext) throws(CommandError) -> ExitCode

    private static var commands: [(verb: Verb, run: Action)] {
        [
            (.browse, ModuleCommand.refuse), (.search, ListCommand.run), (.sort, ListCommand.run),
            (.detail, DetailCommand.run),
            (.archive, ArchiveCommand.run), (.unarchive, ArchiveCommand.run), (.refresh, RefreshCommand.run),
            (.add, AddCommand.run), (.edit, EditCommand.run), (.delete, DeleteCommand.run),
            (.act, { context throws(CommandError) in try ActCommand.run(context, verbs: verbs) }),
            (.open, OpenCommand.run), (.share, ShareCommand.run), (.outbox, OutboxCommand.run),
            (.status, StatusCommand.run), (.check, ModuleCommand.refuse), (.metrics, ModuleCommand.refuse),
            (.access, AccessCommand.run), (.fleet, FleetCommand.run), (.refreshes, RefreshesCommand.run),
            (.count, CountCommand.run),
            (.facets, FacetsCommand.run),
            (.changes, ChangesCommand.run), (.watch, WatchCommand.run), (.wait, WaitCommand.run),
            (.history, HistoryCommand.run), (.explain, ExplainCommand.run), (.quarantine, QuarantineCommand.run),
            (.forget, ForgetCommand.run), (.deal, DealCommand.run),
            (.describe, DescribeCommand.run), (.define, DefineCommand.run),
            (.attempt, TryCommand.run),
            (.trigger, ModuleCommand.refuse),
            (.raw, RawCommand.run), (.stdio, StdioCommand.run),
            (.completion, CompletionCommand.run),
            (.help, { context throws(CommandError) in try HelpCommand.run(context, verbs: verbs) }),
        ]
    }

    /// All verbs for people, in the order of the help pages and the manual.
    public static let verbs = commands.map(\.verb)

    /// The verbs that only the completion scripts call.
    private static var hidden: [(verb: Verb, run: Action)] {
        [(.complete, { context throws(CommandError) in try CompleteCommand.run(context, verbs: verbs) })]
    }

    /// Every word that the parser knows.
    static let parsed = verbs + hidden.map(\.verb)

    /// The action of the verb; nil for a verb that is not in the table.
    static func action(of verb: Verb) -> Action? {
        (commands + hidden).first { $0.verb == verb }?.run
    }
}

/// A verb with its command in a module above this one, as claimsctl hands it to ``Program``.
///
/// The verb itself is declared here, beside all others, so that parser, help, completion and manual know it.
public struct ModuleCommand {
    /// The text that is printed for an error in the place of claimsctl's own report, and the exit code.
    public typealias Refusal = (ErrorReport, CommandError, Messages) -> (text: String, code: ExitCode)

    let verb: Verb
    let run: CommandTable.Action
    let refusal: Refusal?

    /// - Parameter refusal: how the verb reports errors, those of the command line too; nil as all others do.
    public init(_ verb: Verb, refusal: Refusal? = nil, _ run: @escaping CommandTable.Action) {
        self.verb = verb
        self.run = run
        self.refusal = refusal
    }

    /// The command of such a verb where the program has none, or is in the middle of a conversation.
    static func refuse(_ context: CommandContext) throws(CommandError) -> ExitCode {
        let word = context.invocation.verb.word
        let line = "claimsctl \(word)"
        throw .failed(
            .failure, kind: word,
            message: TranslatedText(en: "'\(word)' cannot run here", pl: "„\(word)” nie może tu działać"),
            hint: TranslatedText(en: "on a command line of its own: \(line)", pl: "w osobnym wierszu poleceń: \(line)"))
    }
}

extension Verb {
    public static let browse = Verb(
        "browse",
        summary: TranslatedText(
            en: "look through collections, and change them, on a whole terminal",
            pl: "przegląda i zmienia kolekcje na całym terminalu"),
        synopsis: "[SELECTOR] [TERMS…]",
        details: TranslatedText(
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

extension Verb {
    /// `check`, whose command is in a module above this one.
    public static let check = Verb(
        "check",
        summary: TranslatedText(
            en: "check the daemon, its collections or one of them, as a monitoring plug-in",
            pl: "sprawdza demona, jego kolekcje lub jedną z nich, jako wtyczka monitoringu"),
        synopsis: "[SELECTOR [TERMS…]]",
        details: TranslatedText(
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

extension Verb {
    /// `metrics`, whose command is in a module above this one.
    public static let metrics = Verb(
        "metrics",
        summary: TranslatedText(
            en: "print figures of the daemon and its collections for Prometheus",
            pl: "wypisuje liczby demona i jego kolekcji dla Prometheusa"),
        details: TranslatedText(
            en: """
                Prints figures in the text format of Prometheus: of the daemon, of each collection, view and trigger. A
                daemon that is away for 5 s (--timeout) is claimsd_up 0, and the exit code 0. With --to they go into a file,
                which is replaced as a whole and written each time, so that its time shows when that was.

                For node_exporter: systemctl enable --now claimsd-metrics.timer
                """,
            pl: """
                Wypisuje liczby w formacie tekstowym Prometheusa: demona, każdej kolekcji, widoku i wyzwalacza. Gdy
                demona nie ma od 5 s (--timeout), jest to claimsd_up 0, a kod wyjścia to 0. Z --to trafiają do pliku, który jest
                zastępowany w całości i zapisywany za każdym razem, więc jego czas mówi, kiedy to było.

                Dla node_exporter: systemctl enable --now claimsd-metrics.timer
                """),
        options: [.to, .configDir, .dataDir, .stateDir, .runDir], takesSelector: false, maxArguments: 0)
}

extension Verb {
    public static let trigger = Verb(
        "trigger",
        summary: TranslatedText(
            en: "run commands with what has changed, and see how they are doing",
            pl: "uruchamia polecenia z tym, co się zmieniło, i pokazuje ich stan"),
        synopsis: "[NAME] | (run | test | skip) NAME | text [--mail FROM TO…]",
        details: TranslatedText(
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
