// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

public import ClaimsModel
import ClaimsProtocol

extension Option {
    /// The option with this letter after a single dash; nil for an unknown letter.
    public init?(short: Character) {
        guard let option = Self.allCases.first(where: { $0.short == short }) else { return nil }
        self = option
    }

    /// The letter of the option after a single dash; nil for an option without one.
    public var short: Character? { row.short }

    /// The placeholder of the option's value on a help page; `nil` for a switch, which takes no value.
    public var value: String? { row.value }

    /// The effect of the option in one line, for help pages and completion scripts.
    public var summary: TranslatedText { row.summary }

    /// Whether every verb takes the option; ``host`` belongs to every verb that asks the daemon. A verb names the others
    /// in ``Verb/options``, and by ``Verb/takesSelector`` whether it takes `--collection`.
    public var isCommon: Bool { row.isCommon }

    /// The states of operations, and the groups of them that have a name.
    private static var operationStates: [String] {
        OperationState.allCases.map(\.rawValue) + [OutboxParameters.stuck, OutboxParameters.unsettled]
    }

    /// The row of the option, which the parser, the help pages, completion and the manual share.
    var row: OptionRow {
        switch self {
        case .collection:
            OptionRow(
                "NAME", offers: .collections,
                en: "the collection, by name (or --SINGULAR, as in \(Examples.selector))",
                pl: "kolekcja, podana nazwą (albo --SINGULAR, jak \(Examples.selector))")
        case .output:
            .choice(
                "FORMAT", OutputFormat.self, short: "o", isCommon: true,
                en: "table, wide, json, jsonl, csv, tsv, spreadsheet or name",
                pl: "table, wide, json, jsonl, csv, tsv, spreadsheet lub name"
            ) { $0.output = $1 }
        case .quiet:
            .flag(
                short: "q", isCommon: true,
                en: "no notices on standard error",
                pl: "bez uwag na standardowym wyjściu błędów"
            ) { $0.isQuiet = true }
        case .color:
            .choice(
                "WHEN", ColorMode.self, isCommon: true,
                en: "auto, always or never",
                pl: "auto, always lub never"
            ) { $0.color = $1 }
        case .lang:
            .text(
                "LANG", isCommon: true,
                en: "the language of labels and messages",
                pl: "język etykiet i komunikatów"
            ) { $0.language = $1 }
        case .timeout:
            .span(
                "SPAN", isCommon: true,
                en: "give up after this long (30s)",
                pl: "zrezygnuj po tym czasie (30s)"
            ) { $0.timeout = $1 }
        case .purpose:
            OptionRow(
                "TEXT", isCommon: true,
                en: "why you ask, for the journal of who looked",
                pl: "po co pytasz, dla dziennika odczytów"
            ) { invocation, value, option throws(UsageError) in
                invocation.purpose = try ArgumentParser.purpose(value, of: "--\(option.rawValue)")
            }
        case .host:
            OptionRow(
                "HOST", short: "H", isCommon: true,
                en: "the daemon of [user@]host[:port], through ssh",
                pl: "demon na [user@]host[:port], przez ssh"
            ) { invocation, value, _ throws(UsageError) in
                invocation.host = try ArgumentParser.host(value)
            }
        case .socket:
            .text(
                "PATH", isCommon: true, offers: .files,
                en: "the daemon's socket",
                pl: "gniazdo demona"
            ) { $0.socket = $1 }
        case .help:
            .flag(
                short: "h", isCommon: true,
                en: "explain the verb",
                pl: "objaśnij polecenie")
        case .version:
            .flag(
                isCommon: true,
                en: "print the version",
                pl: "wypisz wersję")
        case .sort:
            .text(
                "KEYS", offers: .keys,
                en: "the order: field, -field, field:desc, or a named order",
                pl: "porządek: pole, -pole, pole:desc albo nazwany porządek"
            ) { $0.sort += ArgumentParser.list($1) }
        case .limit:
            OptionRow(
                "N",
                en: "at most this many records",
                pl: "najwyżej tyle rekordów"
            ) { invocation, value, _ throws(UsageError) in
                invocation.limit = try ArgumentParser.limit(value)
            }
        case .all:
            .flag(
                en: "all there are, however many; wait: --until holds for all",
                pl: "wszystkie, ile by ich nie było; wait: --until spełniają wszystkie"
            ) { $0.wantsAll = true }
        case .fields:
            OptionRow(
                "A,B", offers: .fields,
                en: "these fields only; `--fields help` lists them",
                pl: "tylko te pola; `--fields help` je wymienia"
            ) { invocation, value, _ in
                if value == "help" {
                    invocation.wantsFieldHelp = true
                } else {
                    invocation.fields += ArgumentParser.list(value)
                }
            }
        case .view:
            .text(
                "VIEW", offers: .views,
                en: "only what this named view shows",
                pl: "tylko to, co pokazuje ten nazwany widok"
            ) { $0.view = $1 }
        case .archived:
            .choice(
                "WHICH", ArchivedMode.self,
                en: "exclude, only or include archived records",
                pl: "exclude pomija zarchiwizowane, only pokazuje tylko je, include wszystkie"
            ) { $0.archived = $1 }
        case .group:
            .flag(
                en: "in the collection's groups",
                pl: "w grupach kolekcji"
            ) { $0.isGrouped = true }
        case .facets:
            .text(
                "FIELDS", offers: .fields,
                en: "count the values of these fields too",
                pl: "policz też wartości tych pól"
            ) { $0.facets += ArgumentParser.list($1) }
        case .filter:
            OptionRow(
                "EXPR", offers: .filter,
                en: "a filter, as one argument",
                pl: "filtr, jako jeden argument"
            ) { invocation, value, _ throws(UsageError) in
                if invocation.filter != nil {
                    throw UsageError(
                        en: "--filter is given twice", pl: "--filter podano dwa razy",
                        hint: TranslatedText(en: "join them with 'and' or 'or'", pl: "połącz je słowem „and” lub „or”"))
                }
                invocation.filter = value
            }
        case .text:
            .text(
                "TEXT",
                en: "find this text, whatever is in it",
                pl: "znajdź ten tekst, cokolwiek zawiera"
            ) { $0.terms.append(.literal($1)) }
        case .exists:
            .flag(
                en: "exit with 3 where nothing is found",
                pl: "zakończ kodem 3, gdy nic nie znaleziono"
            ) { $0.mustExist = true }
        case .maxAge:
            .span(
                "SPAN",
                en: "exit with 7 where data is older than this; wait: until it is younger",
                pl: "zakończ kodem 7, gdy dane są starsze; wait: czekaj na młodsze"
            ) { $0.maxAge = $1 }
        case .raw:
            .flag(
                en: "with the upstream's object",
                pl: "z obiektem z serwera"
            ) { $0.wantsUpstream = true }
        case .dryRun:
            .flag(
                en: "only say what would change",
                pl: "tylko powiedz, co by się zmieniło"
            ) { $0.isDryRun = true }
        case .wait:
            .flag(
                en: "wait for the outcome",
                pl: "poczekaj na wynik"
            ) { $0.waits = true }
        case .force:
            .flag(
                en: "now, whatever backoff or Retry-After say",
                pl: "teraz, mimo odstępów i Retry-After"
            ) { $0.isForced = true }
        case .accept:
            .flag(
                en: "take what the guard holds back",
                pl: "przyjmij to, co wstrzymano"
            ) { $0.accepts = true }
        case .yes:
            .flag(
                en: "do not ask first",
                pl: "nie pytaj najpierw"
            ) { $0.isConfirmed = true }
        case .since:
            .text(
                "CLOCK", offers: .words(["now"]),
                en: "only what came after this clock; status: the span of its plots (24h)",
                pl: "tylko to, co przyszło po tym zegarze; status: okres wykresów (24h)"
            ) { $0.since = $1 }
        case .initial:
            .flag(
                en: "all records first, then their changes",
                pl: "najpierw wszystkie rekordy, potem ich zmiany"
            ) { $0.isInitial = true }
        case .until:
            .text(
                "EXPR", offers: .filter,
                en: "the filter that is waited for",
                pl: "filtr, na który się czeka"
            ) { $0.until = $1 }
        case .none:
            .flag(
                en: "until no record matches",
                pl: "aż nie pasuje żaden rekord"
            ) { $0.wantsNone = true }
        case .for:
            .span(
                "SPAN",
                en: "unbroken for this long",
                pl: "nieprzerwanie przez ten czas"
            ) { $0.hold = $1 }
        case .id:
            .text(
                "ID", offers: .ids,
                en: "explain: each part of the filter, for this record; outbox: the upstream's id",
                pl: "explain: każda część filtra dla tego rekordu; outbox: id z serwera"
            ) { $0.id = $1 }
        case .cursorFile:
            OptionRow(
                "FILE", offers: .files,
                en: "go on from the clock in this file, and keep the new one there",
                pl: "zacznij od zegara w tym pliku i zapisz w nim nowy"
            ) { invocation, value, option throws(UsageError) in
                invocation.cursorFile = try ArgumentParser.path(value, of: option)
            }
        case .json:
            OptionRow(
                "FILE", offers: .files,
                en: "an object of fields, from a file; - for standard input",
                pl: "obiekt z polami, z pliku; - to standardowe wejście"
            ) { invocation, value, option throws(UsageError) in
                try ArgumentParser.give(value, to: &invocation.writing.json, of: option)
            }
        case .attach:
            OptionRow(
                "FILE", offers: .files,
                en: "attach this file; - for standard input",
                pl: "dołącz ten plik; - to standardowe wejście"
            ) { invocation, value, option throws(UsageError) in
                invocation.writing.attach.append(try ArgumentParser.path(value, of: option))
            }
        case .detach:
            .text(
                "FILE",
                en: "take a file away: its SHA-256, name or number",
                pl: "odłącz plik: SHA-256, nazwa albo numer"
            ) { $0.writing.detach.append($1) }
        case .op:
            OptionRow(
                "UUID",
                en: "the operation's UUID, so that the command can be repeated",
                pl: "UUID operacji, by można było powtórzyć polecenie"
            ) { invocation, value, option throws(UsageError) in
                try ArgumentParser.give(value, to: &invocation.writing.op, of: option)
            }
        case .state:
            .text(
                "STATE", offers: .words(Self.operationStates),
                en: "operations in this state; stuck: those that wait for somebody; unsettled: all but settled ones",
                pl: "operacje w tym stanie; stuck: te, które czekają na kogoś; unsettled: nierozstrzygnięte"
            ) { $0.writing.state = $1 }
        case .as:
            .choice(
                "HOW", OutboxResolution.self,
                en: "mine, done or again",
                pl: "mine, done lub again"
            ) { $0.writing.resolution = $1 }
        case .tar:
            .flag(
                en: "an archive on standard output",
                pl: "archiwum na standardowym wyjściu"
            ) { $0.writing.isTar = true }
        case .plot:
            .flag(
                en: "bars and plots of characters, into a pipe too",
                pl: "słupki i wykresy ze znaków, także do potoku"
            ) { $0.wantsPlot = true }
        case .plain:
            .flag(
                en: "lines in and lines out, for screen readers and pipes",
                pl: "wiersze na wejściu i wyjściu, dla czytników ekranu i potoków"
            ) { $0.isPlain = true }
        case .name:
            .text(
                "NAME",
                en: "the name of the new collection",
                pl: "nazwa nowej kolekcji"
            ) { $0.sources.name = $1 }
        case .root:
            .text(
                "POINTER",
                en: "where the array of records is, such as /data/items",
                pl: "gdzie jest tablica rekordów, na przykład /data/items"
            ) { $0.sources.root = $1 }
        case .credential:
            .text(
                "NAME=PATH",
                en: "the file of a credential that the definition names",
                pl: "plik z tajnymi danymi, które wymienia definicja"
            ) { $0.sources.credentials.append($1) }
        case .site:
            .text(
                "SITE",
                en: "only this site of the collection",
                pl: "tylko ten oddział kolekcji"
            ) { $0.site = $1 }
        case .incremental:
            .flag(
                en: "ask only for what has changed, of a collection by its name",
                pl: "pytaj tylko o zmiany, w kolekcji podanej z nazwy"
            ) { $0.sources.isIncremental = true }
        case .warning:
            .text(
                "RANGE", short: "w",
                en: "WARNING if the number of matches is outside of this range, such as 10, 5: or 5:10",
                pl: "WARNING, jeśli liczba pasujących jest poza tym zakresem, na przykład 10, 5: lub 5:10"
            ) { $0.thresholds.warning = $1 }
        case .critical:
            .text(
                "RANGE", short: "c",
                en: "CRITICAL if the number of matches is outside of this range",
                pl: "CRITICAL, jeśli liczba pasujących jest poza tym zakresem"
            ) { $0.thresholds.critical = $1 }
        case .to:
            OptionRow(
                "FILE", offers: .files,
                en: "into this file, which is replaced as a whole",
                pl: "do tego pliku, zastępowanego w całości"
            ) { invocation, value, option throws(UsageError) in
                if value == "-" {
                    throw UsageError(
                        en: "--to needs the path of a file", pl: "--to wymaga ścieżki pliku",
                        hint: TranslatedText(
                            en: "for standard output leave it out", pl: "na standardowe wyjście: pomiń tę opcję"))
                }
                try ArgumentParser.give(
                    try ArgumentParser.path(value, of: option), to: &invocation.target, of: option)
            }
        case .configDir:
            .text(
                "DIR", offers: .files,
                en: "the site's files (/etc/claimsd)",
                pl: "pliki lokalne (/etc/claimsd)"
            ) { $0.acting.configDirectory = $1 }
        case .dataDir:
            .text(
                "DIR", offers: .files,
                en: "the shipped files (/usr/share/claimsd)",
                pl: "pliki z pakietu (/usr/share/claimsd)"
            ) { $0.acting.dataDirectory = $1 }
        case .stateDir:
            .text(
                "DIR", offers: .files,
                en: "what triggers have told (/var/lib/claimsd-trigger)",
                pl: "to, co wyzwalacze już powiedziały (/var/lib/claimsd-trigger)"
            ) { $0.acting.stateDirectory = $1 }
        case .runDir:
            .text(
                "DIR", offers: .files,
                en: "how triggers are doing (/run/claimsd-trigger)",
                pl: "stan działających wyzwalaczy (/run/claimsd-trigger)"
            ) { $0.acting.runDirectory = $1 }
        case .mail:
            .flag(
                en: "a whole message, from the first address to the others",
                pl: "cała wiadomość, od pierwszego adresu do pozostałych"
            ) { $0.acting.isMail = true }
        }
    }
}
