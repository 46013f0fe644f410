// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel

// The names of things in the view of one record, and in the description of a collection.

extension Messages {
    /// A member of an answer as people read its name: `first seen`.
    public func memberName(_ name: String) -> String {
        (isPolish ? Self.polishMember(name) : nil) ?? name.split(separator: "_").joined(separator: " ")
    }

    private static func polishMember(_ name: String) -> String? {
        switch name {
        case "source": "źródło"
        case "fetched_at": "pobrano"
        case "first_seen": "pierwszy raz"
        case "changed_at": "zmieniono"
        case "generation": "generacja"
        case "archived_at": "zarchiwizowano"
        case "archived_by": "archiwizował"
        case "submitted_at": "złożono"
        case "submitted_by", "by": "złożył"
        case "op": "operacja"
        case "collection": "kolekcja"
        case "id": "id"
        case "action": "akcja"
        case "state": "stan"
        case "message": "komunikat"
        case "reason": "powód"
        case "attempts": "próby"
        case "next_try": "następna próba"
        case "waits_for": "czeka na"
        case "stuck_behind": "czeka na decyzję o"
        case "fields": "pola"
        case "attachments": "załączniki"
        case "request": "żądanie"
        case "status": "status"
        case "body": "treść"
        case "at": "kiedy"
        case "method": "metoda"
        case "url": "adres"
        default: nil
        }
    }

    /// The fields that a record has no values for.
    func without(_ fields: String) -> String { text(en: "without: \(fields)", pl: "bez wartości: \(fields)") }

    var provenance: String { text(en: "Provenance", pl: "Pochodzenie") }

    /// The heading of the object as the upstream sent it.
    var upstreamObject: String { text(en: "Upstream", pl: "Z serwera") }

    var pendingOperations: String { text(en: "Pending", pl: "W toku") }

    /// An instant that several members share.
    func sameInstant(_ instant: String, _ others: [String]) -> String {
        text(en: "\(instant) (also \(list(others)))", pl: "\(instant) (także: \(list(others)))")
    }

    // Descriptions.

    var describedCollection: String { text(en: "collection", pl: "kolekcja") }

    /// The operators that a filter takes for fields of some types.
    func operators(of types: String) -> String { text(en: "operators of \(types)", pl: "operatory dla \(types)") }
    var describedList: String { text(en: "list", pl: "lista") }

    var describedVerbs: String { text(en: "verbs", pl: "polecenia") }

    var defaultOrder: String { text(en: "default order", pl: "domyślny porządek") }

    func order(_ name: String) -> String { text(en: "order \(name)", pl: "porządek \(name)") }

    func view(_ name: String) -> String { text(en: "view \(name)", pl: "widok \(name)") }

    func groups(by field: String?) -> String {
        guard let field else { return text(en: "Groups", pl: "Grupy") }
        return text(en: "Groups by \(field)", pl: "Grupy według \(field)")
    }

    func actions(isUpstream: Bool) -> String {
        isUpstream
            ? text(en: "Actions, sent to the upstream", pl: "Akcje, wysyłane do serwera")
            : text(en: "Actions, done on this host", pl: "Akcje, wykonywane na tym hoście")
    }

    func takesFiles(_ limits: String) -> String { text(en: "files (\(limits))", pl: "pliki (\(limits))") }

    func actionWhere(_ condition: String) -> String { text(en: "where \(condition)", pl: "gdy \(condition)") }

    func needsRole(_ role: String) -> String {
        text(en: "not for you: it needs the role \(role)", pl: "nie dla Ciebie: wymaga roli \(role)")
    }

    func lines(_ count: Int) -> String {
        self.count(count, Plural(en: ("line", "lines"), pl: ("wiersz", "wiersze", "wierszy", "wiersza")))
    }

    func codes(of vocabulary: String) -> String { text(en: "Codes of \(vocabulary)", pl: "Kody \(vocabulary)") }

    func codesOf(_ vocabulary: String) -> String { text(en: "codes of \(vocabulary)", pl: "kody \(vocabulary)") }

    func fallback(_ code: String) -> String {
        text(en: "anything else is \(code)", pl: "wszystko inne to \(code)")
    }

    func absent(_ code: String) -> String { text(en: "a missing value is \(code)", pl: "brak wartości to \(code)") }
}
