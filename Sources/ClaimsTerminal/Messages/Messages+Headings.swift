// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

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
