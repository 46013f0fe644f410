// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

// The codes of the protocol that tables show to people.

extension Messages {
    /// A state, an outcome, a cause or another code as people read it: the code itself in English, and for one that this
    /// version does not know.
    public func word(_ code: String) -> String { isPolish ? Self.polishWord(code) ?? code : code }

    private static func polishWord(_ code: String) -> String? {
        switch code {
        case "ready": "gotowa"
        case "empty": "pusta"
        case "loading": "wczytywana"
        case "failed": "błąd"
        case "unconfigured": "bez serwera"
        case "withheld": "niepokazywana"
        case "abandoned": "bez źródła"
        case "fresh": "aktualne"
        case "stale": "nieaktualne"
        case "expired": "przeterminowane"
        case "bundle": "wbudowane"
        case "upstream": "serwer"
        case "cache": "kopia"
        case "local": "ten host"
        case "started": "rozpoczęto"
        case "updated": "zmieniono"
        case "unchanged": "bez zmian"
        case "held": "wstrzymano"
        case "skipped": "pominięto"
        case "added": "dodano"
        case "removed": "usunięto"
        case "archived": "zarchiwizowano"
        case "unarchived": "przywrócono"
        case "changed": "zmieniono"
        case "refused": "odrzucono"
        case "refresh": "odświeżenie"
        case "archive": "archiwum"
        case "definition": "definicja"
        case "forget": "wymazanie"
        case "recovery": "odzyskanie"
        case "write": "zapis"
        case "time": "czas"
        case "submit": "złożenie"
        case "queued": "w kolejce"
        case "sending": "wysyłana"
        case "accepted": "przyjęto"
        case "uncertain": "niepewna"
        case "conflict": "konflikt"
        case "rejected": "odrzucona"
        case "unconfirmed": "niepotwierdzona"
        case "confirmed": "potwierdzona"
        case "done": "wykonana"
        case "dropped": "porzucono"
        case "create": "dodanie"
        case "update": "zmiana"
        case "delete": "usunięcie"
        case "all": "wszystkie"
        case "required": "wymagane"
        case "search": "szukane"
        case "list": "lista"
        case "bold": "wyróżnione"
        case "deal": "oferta"
        default: nil
        }
    }

    /// The state of a record's operations: `queued`, `accepted`, `needs attention`.
    public func pending(_ state: String) -> String {
        switch state {
        case "stuck": text(en: "needs attention", pl: "wymaga uwagi")
        case "accepted": text(en: state, pl: "przyjęta")
        default: word(state)
        }
    }

    /// The state of an operation in one word: the code itself in English.
    func operationState(_ state: String) -> String {
        switch state {
        case "sending": text(en: state, pl: "w trakcie wysyłania")
        case "accepted": text(en: state, pl: "przyjęta")
        case "held": text(en: state, pl: "wstrzymana")
        case "dropped": text(en: state, pl: "porzucona")
        default: word(state)
        }
    }

    /// The state of an operation as a phrase that follows the name of a record.
    func operation(_ state: String) -> String {
        switch state {
        case "queued": text(en: "queued", pl: "w kolejce")
        case "sending": text(en: "being sent", pl: "jest wysyłana")
        case "accepted": text(en: "accepted", pl: "przyjęta")
        case "held": text(en: "held until somebody looks at it", pl: "wstrzymana, aż ktoś na nią spojrzy")
        case "uncertain": text(en: "uncertain: it may have been done", pl: "niepewna: mogła zostać wykonana")
        case "conflict":
            text(en: "in conflict with the record as it is now", pl: "w konflikcie z rekordem w obecnej postaci")
        case "rejected": text(en: "rejected by the upstream", pl: "odrzucona przez serwer")
        case "unconfirmed": text(en: "accepted, but not seen since", pl: "przyjęta, ale odtąd niewidziana")
        case "confirmed": text(en: "confirmed", pl: "potwierdzona")
        case "done": text(en: "done", pl: "wykonana")
        case "dropped": text(en: "dropped", pl: "porzucona")
        default: state
        }
    }
}

// The headings of tables that show anything but records, and the codes in their cells.

extension Messages {
    /// The heading of a column.
    public enum Heading: Sendable {
        case files, pending, action, age, archived, asOf, at, added, badge, begins, by, cause, change, code, collection,
            count, entry,
            field, fields, firstSeen, freshness, site, group, id, label, lastError, lastSeen, list, matches, message,
            method,
            more, name, nextRefresh, nextTry, op, operators, outcome, parameters, part, pointer, quarantined, rank,
            reason, record, records, removed, selector, seq, shown, size, state, submitted, summary, title, total,
            tried, truth, type, updated, value
    }

    /// The text of a heading.
    public func heading(_ heading: Heading) -> String {
        switch heading {
        case .files: text(en: "FILES", pl: "PLIKI")
        case .pending: text(en: "PENDING", pl: "W TOKU")
        case .action: text(en: "ACTION", pl: "AKCJA")
        case .age: text(en: "AGE", pl: "WIEK")
        case .archived: text(en: "ARCHIVED", pl: "ARCHIWUM")
        case .asOf: text(en: "AS OF", pl: "STAN Z")
        case .at: text(en: "AT", pl: "KIEDY")
        case .added: text(en: "ADDED", pl: "DODANE")
        case .badge: text(en: "BADGE", pl: "ODZNAKA")
        case .begins: text(en: "BEGINS", pl: "POCZĄTEK")
        case .by: text(en: "BY", pl: "KTO")
        case .cause: text(en: "CAUSE", pl: "PRZYCZYNA")
        case .change: text(en: "CHANGE", pl: "ZMIANA")
        case .code: text(en: "CODE", pl: "KOD")
        case .collection: text(en: "COLLECTION", pl: "KOLEKCJA")
        case .count: text(en: "COUNT", pl: "LICZBA")
        case .entry: text(en: "ENTRY", pl: "WPIS")
        case .field: text(en: "FIELD", pl: "POLE")
        case .fields: text(en: "FIELDS", pl: "POLA")
        case .firstSeen: text(en: "FIRST SEEN", pl: "PIERWSZY RAZ")
        case .site: text(en: "SITE", pl: "ODDZIAŁ")
        case .freshness: text(en: "FRESHNESS", pl: "AKTUALNOŚĆ")
        case .group: text(en: "GROUP", pl: "GRUPA")
        case .id: text(en: "ID", pl: "ID")
        case .label: text(en: "LABEL", pl: "ETYKIETA")
        case .lastError: text(en: "LAST ERROR", pl: "OSTATNI BŁĄD")
        case .lastSeen: text(en: "LAST SEEN", pl: "OSTATNIO")
        case .list: text(en: "LIST", pl: "LISTA")
        case .matches: text(en: "MATCHES", pl: "PASUJE")
        case .message: text(en: "MESSAGE", pl: "KOMUNIKAT")
        case .method: text(en: "METHOD", pl: "METODA")
        case .more: text(en: "MORE", pl: "WIĘCEJ")
        case .name: text(en: "NAME", pl: "NAZWA")
        case .nextRefresh: text(en: "NEXT REFRESH", pl: "NASTĘPNE ODŚWIEŻENIE")
        case .nextTry: text(en: "NEXT TRY", pl: "NASTĘPNA PRÓBA")
        case .op: text(en: "OP", pl: "OP")
        case .operators: text(en: "OPERATORS", pl: "OPERATORY")
        case .outcome: text(en: "OUTCOME", pl: "WYNIK")
        case .parameters: text(en: "PARAMETERS", pl: "PARAMETRY")
        case .part: text(en: "PART", pl: "CZĘŚĆ")
        case .pointer: text(en: "WHERE", pl: "GDZIE")
        case .quarantined: text(en: "QUARANTINED", pl: "KWARANTANNA")
        case .rank: text(en: "RANK", pl: "RANGA")
        case .reason: text(en: "REASON", pl: "POWÓD")
        case .record: text(en: "RECORD", pl: "REKORD")
        case .records: text(en: "RECORDS", pl: "REKORDY")
        case .removed: text(en: "REMOVED", pl: "USUNIĘTE")
        case .selector: text(en: "SELECTOR", pl: "SELEKTOR")
        case .seq: text(en: "SEQ", pl: "NR")
        case .shown: text(en: "SHOWN", pl: "UŻYCIE")
        case .size: text(en: "SIZE", pl: "ROZMIAR")
        case .state: text(en: "STATE", pl: "STAN")
        case .submitted: text(en: "SUBMITTED", pl: "ZŁOŻONO")
        case .summary: text(en: "SUMMARY", pl: "OPIS")
        case .title: text(en: "TITLE", pl: "TYTUŁ")
        case .total: text(en: "TOTAL", pl: "RAZEM")
        case .tried: text(en: "TRIED", pl: "PRÓBY")
        case .truth: text(en: "TRUE", pl: "PRAWDA")
        case .type: text(en: "TYPE", pl: "TYP")
        case .updated: text(en: "UPDATED", pl: "ZMIENIONE")
        case .value: text(en: "VALUE", pl: "WARTOŚĆ")
        }
    }
}
