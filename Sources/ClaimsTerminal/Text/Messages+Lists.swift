// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel

// The texts under lists of records, and under other lists.

extension Messages {
    /// That a file with data that is withheld now is gone.
    func removedWithheld(_ path: String) -> String {
        text(
            en: "\(path) was removed: its data is withheld",
            pl: "usunięto \(path): danych z tego pliku nie wolno już pokazywać")
    }

    /// That a part of a list is shown, and how to see more.
    ///
    /// - Parameter hasLimit: whether `--limit` has bounded it.
    func more(_ shown: Int64, of total: Int64, _ noun: Plural, hasLimit: Bool) -> String {
        let part = part(shown, of: total, noun)
        return hasLimit
            ? text(
                en: "\(part); a larger --limit shows more, --all in its place shows all",
                pl: "\(part); więcej pokazuje większy --limit, a --all w jego miejscu wszystkie")
            : text(en: "\(part); --all shows the rest", pl: "\(part); --all pokazuje resztę")
    }

    /// That there is nothing: `no units`.
    func none(_ noun: Plural) -> String { text(en: "no \(noun.english.other)", pl: "brak \(noun.polish.five)") }

    func noneMatch(_ noun: Plural) -> String {
        text(en: "no \(noun.english.other) match", pl: "brak pasujących \(noun.polish.five)")
    }

    /// That a word for which no text was found is the name of a collection.
    func isCollection(_ word: String, _ command: String) -> String {
        let word = Escaping.line(word)
        return text(en: "'\(word)' is a collection: \(command)", pl: "„\(word)” to kolekcja: \(command)")
    }

    /// That a word for which no text was found is the id of a record.
    func isRecord(_ word: String, _ command: String) -> String {
        let word = Escaping.line(word)
        return text(
            en: "'\(word)' is the id of a record: \(command)", pl: "„\(word)” to identyfikator rekordu: \(command)")
    }

    /// That a word for which no text was found begins the ids of records.
    func beginsIDs(_ word: String, _ count: Int64, _ command: String) -> String {
        let word = Escaping.line(word)
        return text(
            en: "'\(word)' begins the ids of \(number(count)) records: \(command)",
            pl: "od „\(word)” zaczynają się identyfikatory rekordów (\(number(count))): \(command)")
    }

    /// That the upstream has answered, and has nothing.
    func emptyUpstream(_ collection: String?) -> String {
        text(
            en: "\(collection ?? Plural.records.english.other): the upstream has none",
            pl: "serwer nie ma żadnych rekordów")
    }

    /// That a word is looked for which may be the rest of a comparison.
    func redirection(of field: String, _ value: String) -> String {
        text(
            en:
                "claimsctl: '\(field)' is looked for as text, but it is a field's name too; if a '>' stood after it, the "
                + "shell has taken it for a redirection: write '\(field)>=\(value)' in quotes, or \(field).ge=\(value)",
            pl:
                "claimsctl: „\(field)” jest szukane jako tekst, ale to także nazwa pola; jeśli stał po nim znak >, powłoka "
                + "wzięła go za przekierowanie: napisz '\(field)>=\(value)' w cudzysłowie albo \(field).ge=\(value)")
    }

    /// That the value of a condition has another condition in it.
    func innerCondition(_ condition: String, in argument: String) -> String {
        text(
            en:
                "claimsctl: \(argument) is one condition, and '\(condition)' a part of its value; for two conditions write "
                + "two arguments, or --filter \(argument)",
            pl:
                "claimsctl: \(argument) to jeden warunek, a „\(condition)” jest częścią jego wartości; dwa warunki zapisz "
                + "jako dwa argumenty albo --filter \(argument)")
    }

    /// The selectors that there are, after a hint.
    func selectors(_ known: String) -> String { text(en: "there is: \(known)", pl: "są: \(known)") }

    func looksLikeFilter(_ word: String, _ command: String) -> String {
        text(
            en: "\(word) looks like a filter, and ids are expected; with a filter: \(command)",
            pl: "\(word) wygląda na filtr, a oczekiwano identyfikatorów; z filtrem: \(command)")
    }

    // Quarantine.

    func cutEntry(_ number: Int64) -> String {
        text(
            en: "claimsctl: entry \(number) is cut: only its beginning is kept",
            pl: "claimsctl: wpis \(number) jest ucięty: zachowano tylko początek")
    }

    var nothingInQuarantine: String {
        text(en: "there is nothing in quarantine", pl: "w kwarantannie nic nie ma")
    }

    func stillNoRecords(_ count: Int, _ numbers: String) -> String {
        let noun = Plural(
            en: ("entry is", "entries are"),
            pl: ("wpis nadal nie jest", "wpisy nadal nie są", "wpisów nadal nie jest", ""))
        let count = self.count(count, noun)
        return text(en: "\(count) still no record: \(numbers)", pl: "\(count) rekordem: \(numbers)")
    }

    // History.

    var olderVersions: String {
        text(en: "there are older versions; --all shows them", pl: "są starsze wersje; pokazuje je --all")
    }

    var olderVersionsGone: String {
        text(en: "older versions are not kept", pl: "starsze wersje nie są przechowywane")
    }

    /// Stands for the values of a version whose commit was too large to keep them.
    public var valuesNotKept: String {
        text(en: "too large a change for its values to be kept", pl: "zbyt duża zmiana, by przechować jej wartości")
    }

    var unreadMembers: String { text(en: "members that no field reads", pl: "składowe, których nie czyta żadne pole") }

    // Archive.

    func archived(isArchive: Bool, isDryRun: Bool) -> String {
        if isDryRun {
            return isArchive
                ? text(en: "would be archived", pl: "do zarchiwizowania")
                : text(en: "would be unarchived", pl: "do przywrócenia z archiwum")
        }
        return word(isArchive ? "archived" : "unarchived")
    }

    func archivedBefore(isArchive: Bool) -> String {
        isArchive
            ? text(en: "archived before", pl: "już w archiwum") : text(en: "not archived", pl: "nie w archiwum")
    }

    var dryRun: String { text(en: "a dry run: nothing was changed", pl: "próba na sucho: niczego nie zmieniono") }

    var dryRunSubmit: String {
        text(en: "a dry run: nothing was submitted", pl: "próba na sucho: niczego nie wysłano")
    }

    // Forget.

    func erased(_ collection: String, _ records: Int64) -> String {
        text(
            en: "erased \(collection), with \(count(records, .records))",
            pl: "wymazano \(collection), a w niej \(count(records, .records))")
    }

    func askErase(_ collection: String, _ records: Int64) -> String {
        text(
            en:
                "Erase \(collection), with \(count(records, .records)), its archive marks and its history? Nothing brings "
                + "them back.",
            pl:
                "Wymazać \(collection), a w niej \(count(records, .records)), znaczniki archiwum i historię? Nic ich nie "
                + "przywróci.")
    }

    func askForget(_ records: Int64, _ names: String) -> String {
        text(
            en: "Erase \(count(records, .records)) and their history: \(names)? Nothing brings them back.",
            pl: "Wymazać \(count(records, .records)) razem z historią: \(names)? Nic tego nie przywróci.")
    }

    func erasedRecords(isDryRun: Bool) -> String {
        isDryRun
            ? text(en: "would be erased", pl: "do wymazania") : text(en: "erased", pl: "wymazane")
    }

    var comesBack: String {
        text(
            en: "comes back with the upstream's next answer", pl: "powrót z następną odpowiedzią serwera")
    }

    func waitingRecords(_ ids: [String]) -> String {
        let list = ids.prefix(20).joined(separator: ", ") + (ids.count > 20 ? ", …" : "")
        return text(
            en: "not erased, because operations wait: \(list)", pl: "nie wymazano, bo czekają operacje: \(list)")
    }

    var outboxShowsThem: String {
        text(en: "claimsctl outbox lists them", pl: "wymienia je claimsctl outbox")
    }

    // Explain.

    func matching(_ total: Int64) -> String {
        count(
            total,
            Plural(
                en: ("record matches", "records match"),
                pl: ("rekord pasuje", "rekordy pasują", "rekordów pasuje", "rekordu pasuje")))
    }

    /// Whether a record is listed.
    ///
    /// - Parameter reason: why it is not; nil if it is.
    func listed(_ id: String, _ reason: String?) -> String {
        guard let reason else { return text(en: "\(id) is listed", pl: "\(id) jest na liście") }
        return text(en: "\(id) is not listed: \(reason)", pl: "\(id) nie ma na liście: \(reason)")
    }

    var itIsArchived: String { text(en: "it is archived", pl: "jest w archiwum") }

    var filterExcludes: String { text(en: "the filter excludes it", pl: "wyklucza go filtr") }

    /// The heading of the watched list.
    func watched(_ total: String, filter: String?, clock: String) -> String {
        let filter = filter.map { " (\($0))" } ?? ""
        return text(en: "\(total)\(filter), \(clock); Ctrl-C ends it", pl: "\(total)\(filter), \(clock); Ctrl-C kończy")
    }
}
