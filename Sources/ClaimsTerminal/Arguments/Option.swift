// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

public import ClaimsModel

/// An option of claimsctl; the raw value is its long name without the dashes.
///
/// A word that is none of these, such as `--book`, is a selector, which the daemon resolves. So no collection may have
/// one of these names as its singular.
public enum Option: String, CaseIterable, Sendable {
    case collection, output, quiet, color, lang, timeout, host, socket, help, version
    case sort, limit, all, fields, view, archived, group, facets, filter, text, exists
    case maxAge = "max-age"
    case raw
    case dryRun = "dry-run"
    case wait, force, accept, yes
    case since, initial, until, none, `for`, id
    case cursorFile = "cursor-file"
    case json, attach, detach, op, state, `as`, tar
    case plot, plain
    case name, root, credential, site, incremental

    /// The option with this long name; nil for an unknown name.
    ///
    /// It compares one by one: `init(rawValue:)` first makes a dictionary of all names, an eighth of a short run.
    public init?(long name: some StringProtocol) {
        guard let option = Self.allCases.first(where: { $0.rawValue == name }) else { return nil }
        self = option
    }

    /// The option with this letter after a single dash; nil for an unknown letter.
    public init?(short: Character) {
        switch short {
        case "o": self = .output
        case "q": self = .quiet
        case "h": self = .help
        case "H": self = .host
        default: return nil
        }
    }

    /// The letter of the option after a single dash; nil for an option without one.
    public var short: Character? {
        switch self {
        case .output: "o"
        case .quiet: "q"
        case .help: "h"
        case .host: "H"
        default: nil
        }
    }

    /// The placeholder of the option's value on a help page; `nil` for a switch, which takes no value.
    public var value: String? {
        switch self {
        case .collection: "NAME"
        case .output: "FORMAT"
        case .color: "WHEN"
        case .lang: "LANG"
        case .timeout: "SPAN"
        case .host: "HOST"
        case .socket: "PATH"
        case .sort: "KEYS"
        case .limit: "N"
        case .fields: "A,B"
        case .view: "VIEW"
        case .archived: "WHICH"
        case .facets: "FIELDS"
        case .filter: "EXPR"
        case .text: "TEXT"
        case .maxAge, .for: "SPAN"
        case .since: "CLOCK"
        case .cursorFile: "FILE"
        case .until: "EXPR"
        case .id: "ID"
        case .json, .attach: "FILE"
        case .detach: "FILE"
        case .op: "UUID"
        case .state: "STATE"
        case .as: "HOW"
        case .name: "NAME"
        case .root: "POINTER"
        case .credential: "NAME=PATH"
        case .site: "SITE"
        case .quiet, .help, .version, .all, .group, .exists, .raw, .dryRun, .wait, .force, .accept, .yes, .initial,
            .none, .tar, .plot, .plain, .incremental:
            nil
        }
    }

    /// The effect of the option in one line, for help pages and completion scripts.
    public var summary: LocalizedText {
        switch self {
        case .collection:
            LocalizedText(
                en: "the collection, by name (or --SINGULAR, as in \(Examples.selector))",
                pl: "kolekcja, podana nazwą (albo --SINGULAR, jak \(Examples.selector))")
        case .output:
            LocalizedText(
                en: "table, wide, json, jsonl, csv, tsv or name",
                pl: "table, wide, json, jsonl, csv, tsv lub name")
        case .quiet: LocalizedText(en: "no notices on standard error", pl: "bez uwag na standardowym wyjściu błędów")
        case .color: LocalizedText(en: "auto, always or never", pl: "auto, always lub never")
        case .lang: LocalizedText(en: "the language of labels and messages", pl: "język etykiet i komunikatów")
        case .timeout: LocalizedText(en: "give up after this long (30s)", pl: "zrezygnuj po tym czasie (30s)")
        case .host:
            LocalizedText(
                en: "the daemon of [user@]host[:port], through ssh",
                pl: "demon na [user@]host[:port], przez ssh")
        case .socket: LocalizedText(en: "the daemon's socket", pl: "gniazdo demona")
        case .help: LocalizedText(en: "explain the verb", pl: "objaśnij polecenie")
        case .version: LocalizedText(en: "print the version", pl: "wypisz wersję")
        case .sort:
            LocalizedText(
                en: "the order: field, -field, field:desc, or a named order",
                pl: "porządek: pole, -pole, pole:desc albo nazwany porządek")
        case .limit: LocalizedText(en: "at most this many records", pl: "najwyżej tyle rekordów")
        case .all:
            LocalizedText(
                en: "all there are, however many; wait: --until holds for all",
                pl: "wszystkie, ile by ich nie było; wait: --until spełniają wszystkie")
        case .fields:
            LocalizedText(
                en: "these fields only; `--fields help` lists them",
                pl: "tylko te pola; `--fields help` je wymienia")
        case .view: LocalizedText(en: "only what this named view shows", pl: "tylko to, co pokazuje ten nazwany widok")
        case .archived:
            LocalizedText(
                en: "exclude, only or include archived records",
                pl: "exclude pomija zarchiwizowane, only pokazuje tylko je, include wszystkie")
        case .group: LocalizedText(en: "in the collection's groups", pl: "w grupach kolekcji")
        case .facets: LocalizedText(en: "count the values of these fields too", pl: "policz też wartości tych pól")
        case .filter: LocalizedText(en: "a filter, as one argument", pl: "filtr, jako jeden argument")
        case .text: LocalizedText(en: "find this text, whatever is in it", pl: "znajdź ten tekst, cokolwiek zawiera")
        case .exists:
            LocalizedText(
                en: "exit with 3 where nothing is found",
                pl: "zakończ kodem 3, gdy nic nie znaleziono")
        case .maxAge:
            LocalizedText(
                en: "exit with 7 where data is older than this; wait: until it is younger",
                pl: "zakończ kodem 7, gdy dane są starsze; wait: czekaj na młodsze")
        case .raw: LocalizedText(en: "with the upstream's object", pl: "z obiektem z serwera")
        case .dryRun: LocalizedText(en: "only say what would change", pl: "tylko powiedz, co by się zmieniło")
        case .wait: LocalizedText(en: "wait for the outcome", pl: "poczekaj na wynik")
        case .force:
            LocalizedText(
                en: "now, whatever backoff or Retry-After say",
                pl: "teraz, mimo odstępów i Retry-After")
        case .accept: LocalizedText(en: "take what the guard holds back", pl: "przyjmij to, co wstrzymano")
        case .yes: LocalizedText(en: "do not ask first", pl: "nie pytaj najpierw")
        case .since:
            LocalizedText(
                en: "only what came after this clock; status: the span of its plots (24h)",
                pl: "tylko to, co przyszło po tym zegarze; status: okres wykresów (24h)")
        case .initial:
            LocalizedText(
                en: "all records first, then their changes",
                pl: "najpierw wszystkie rekordy, potem ich zmiany")
        case .until: LocalizedText(en: "the filter that is waited for", pl: "filtr, na który się czeka")
        case .none: LocalizedText(en: "until no record matches", pl: "aż nie pasuje żaden rekord")
        case .for: LocalizedText(en: "unbroken for this long", pl: "nieprzerwanie przez ten czas")
        case .id:
            LocalizedText(
                en: "explain: each part of the filter, for this record; outbox: the upstream's id",
                pl: "explain: każda część filtra dla tego rekordu; outbox: id z serwera")
        case .cursorFile:
            LocalizedText(
                en: "go on from the clock in this file, and keep the new one there",
                pl: "zacznij od zegara w tym pliku i zapisz w nim nowy")
        case .json:
            LocalizedText(
                en: "an object of fields, from a file; - for standard input",
                pl: "obiekt z polami, z pliku; - to standardowe wejście")
        case .attach:
            LocalizedText(
                en: "attach this file; - for standard input",
                pl: "dołącz ten plik; - to standardowe wejście")
        case .detach:
            LocalizedText(
                en: "take a file away: its SHA-256, name or number", pl: "odłącz plik: SHA-256, nazwa albo numer")
        case .op:
            LocalizedText(
                en: "the operation's UUID, so that the command can be repeated",
                pl: "UUID operacji, by można było powtórzyć polecenie")
        case .state:
            LocalizedText(
                en: "operations in this state; stuck: those that wait for somebody; unsettled: all but settled ones",
                pl: "operacje w tym stanie; stuck: te, które czekają na kogoś; unsettled: nierozstrzygnięte")
        case .as: LocalizedText(en: "mine, done or again", pl: "mine, done lub again")
        case .site: LocalizedText(en: "only this site of the collection", pl: "tylko ten oddział kolekcji")
        case .tar: LocalizedText(en: "an archive on standard output", pl: "archiwum na standardowym wyjściu")
        case .plot:
            LocalizedText(
                en: "bars and plots of characters, into a pipe too", pl: "słupki i wykresy ze znaków, także do potoku")
        case .name: LocalizedText(en: "the name of the new collection", pl: "nazwa nowej kolekcji")
        case .root:
            LocalizedText(
                en: "where the array of records is, such as /data/items",
                pl: "gdzie jest tablica rekordów, na przykład /data/items")
        case .credential:
            LocalizedText(
                en: "the file of a credential that the definition names",
                pl: "plik z tajnymi danymi, które wymienia definicja")
        case .incremental:
            LocalizedText(
                en: "ask only for what has changed, of a collection by its name",
                pl: "pytaj tylko o zmiany, w kolekcji podanej z nazwy")
        case .plain:
            LocalizedText(
                en: "lines in and lines out, for screen readers and pipes",
                pl: "wiersze na wejściu i wyjściu, dla czytników ekranu i potoków")
        }
    }

    /// Whether every verb takes the option; ``host`` belongs to every verb that asks the daemon. A verb names the others
    /// in ``Verb/options``, and by ``Verb/takesSelector`` whether it takes `--collection`.
    public var isCommon: Bool {
        switch self {
        case .output, .quiet, .color, .lang, .timeout, .host, .socket, .help, .version: true
        case .collection, .sort, .limit, .all, .fields, .view, .archived, .group, .facets, .filter, .text, .exists,
            .maxAge, .raw, .dryRun, .wait, .force, .accept, .yes, .since, .initial, .until, .none, .for, .id,
            .cursorFile, .json, .attach, .detach, .op, .state, .as, .tar, .plot, .plain, .name, .root, .credential,
            .site,
            .incremental:
            false
        }
    }
}
