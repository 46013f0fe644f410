// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsTerminal

// The headings and notes of a record's detail, and of an operation's.

extension Messages {
    var loadingRecord: String { text(en: "Loading…", pl: "Wczytywanie…") }
    var upstreamHeading: String { text(en: "As the upstream sent it", pl: "W postaci z serwera źródłowego") }
    var noUpstreamObject: String {
        text(en: "There is no object of the upstream.", pl: "Brak obiektu z serwera źródłowego.")
    }
    func without(_ names: String) -> String { text(en: "without: \(names)", pl: "bez: \(names)") }
    func fileHeading(_ number: Int) -> String { text(en: "File \(number)", pl: "Plik \(number)") }
    var pendingHeading: String { text(en: "Pending", pl: "W toku") }
    var sourceHeading: String { text(en: "Source", pl: "Źródło") }
    var firstSeenHeading: String { text(en: "First seen", pl: "Pierwszy raz") }
    var changedHeading: String { text(en: "Changed", pl: "Zmieniono") }
    var archivedHeading: String { text(en: "Archived", pl: "Zarchiwizowano") }
    var submittedHeading: String { text(en: "Submitted", pl: "Wprowadzono") }
    var olderTrimmed: String { text(en: "older versions are not kept", pl: "starszych wersji nie przechowano") }

    /// The text for an operation of the log of changes.
    func change(_ op: String) -> String {
        switch op {
        case "added": text(en: "added", pl: "dodano")
        case "updated": text(en: "changed", pl: "zmieniono")
        case "removed": text(en: "removed", pl: "usunięto")
        case "archived": text(en: "archived", pl: "do archiwum")
        case "unarchived": text(en: "unarchived", pl: "przywrócono z archiwum")
        case "definition": text(en: "read by another definition", pl: "odczytano według innej definicji")
        default: Escaping.line(op)
        }
    }

    // MARK: - Operations

    var operationHeading: String { text(en: "Operation", pl: "Operacja") }
    var stateHeading: String { text(en: "State", pl: "Stan") }
    var reasonHeading: String { text(en: "Reason", pl: "Powód") }
    var recordHeading: String { text(en: "Record", pl: "Rekord") }
    var actionHeading: String { text(en: "Action", pl: "Akcja") }
    var ageHeading: String { text(en: "Age", pl: "Wiek") }
    var nextHeading: String { text(en: "Next", pl: "Dalej") }
    var triedHeading: String { text(en: "Tried", pl: "Próby") }
    var waitsForHeading: String { text(en: "Waits for", pl: "Czeka na") }
    var valuesHeading: String { text(en: "Values", pl: "Wartości") }
    var theirsHeading: String { text(en: "At the upstream", pl: "Na serwerze") }
    var answerHeading: String { text(en: "Answer", pl: "Odpowiedź") }
    var attemptsHeading: String { text(en: "Attempts", pl: "Próby wysłania") }
    func paused(_ origin: String, _ reason: String, next: String) -> String {
        text(
            en: "\(origin) is paused: \(reason); next try \(next)",
            pl: "\(origin): wstrzymano: \(reason); następna próba \(next)")
    }
    func shownOf(_ shown: Int, _ total: Int64) -> String {
        text(en: "the newest \(number(shown)) of \(number(total))", pl: "najnowsze \(number(shown)) z \(number(total))")
    }
}
