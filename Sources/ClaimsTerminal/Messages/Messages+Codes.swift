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
