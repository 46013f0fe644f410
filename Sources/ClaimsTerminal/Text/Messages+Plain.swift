// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel

// The texts of `browse --plain` about lists.

extension Messages {
    /// The range of a page: `11 to 20 of 57.`
    public func page(from first: Int64, to last: Int64, of total: Int64) -> String {
        text(
            en: "\(number(first)) to \(number(last)) of \(number(total)).",
            pl: "Od \(number(first)) do \(number(last)) z \(number(total)).")
    }

    public var enterShowsMore: String { text(en: "Enter shows more.", pl: "Enter pokazuje dalsze.") }
    public var endOfList: String { text(en: "That is the end of the list.", pl: "To koniec listy.") }
    public var startOfList: String { text(en: "That is the start of the list.", pl: "To początek listy.") }
    public var questionMarkHelps: String { text(en: "? lists what you can type.", pl: "? pokazuje, co można wpisać.") }

    /// The parts of a query, each of which follows the title of the list.
    public func searched(_ words: String) -> String { text(en: "search \(words)", pl: "szukane: \(words)") }
    public func filtered(_ filter: String) -> String { text(en: "filter \(filter)", pl: "filtr: \(filter)") }
    public func viewed(_ view: String) -> String { text(en: "view \(view)", pl: "widok: \(view)") }
    public func ordered(_ order: String) -> String { text(en: "sorted by \(order)", pl: "porządek: \(order)") }
    public var withArchived: String { text(en: "with archived", pl: "z archiwum") }
    public var onlyArchived: String { text(en: "only archived", pl: "tylko archiwum") }
    public var archivedMark: String { text(en: "archived", pl: "w archiwum") }
    public var otherGroup: String { text(en: "Others", pl: "Pozostałe") }

    /// The list is not there yet.
    public func loading(_ title: String) -> String { text(en: "Loading \(title)…", pl: "Wczytywanie: \(title)…") }
    public var enterAsksAgain: String { text(en: "Enter asks again.", pl: "Enter pyta ponownie.") }
    /// Nothing matches the query.
    public func noMatch(_ title: String) -> String {
        text(
            en: "\(title): nothing matches. / and f without a text show all again.",
            pl: "\(title): nic nie pasuje. Samo / i samo f pokazują znów wszystko.")
    }
    /// That what was searched for is the id of the record that stands below.
    public func isRecordID(_ id: String) -> String {
        text(en: "\(quoted(id)) is the id of a record:", pl: "\(quoted(id)) to identyfikator rekordu:")
    }
    public var archivedAreHidden: String {
        text(en: "t shows archived ones too.", pl: "t pokazuje też te z archiwum.")
    }
    /// The upstream has no records.
    public func noneThere(_ title: String, at clock: String?) -> String {
        guard let clock else { return text(en: "\(title): there are none.", pl: "\(title): nie ma żadnych.") }
        return text(
            en: "\(title): none. The upstream answered at \(clock) and has none.",
            pl: "\(title): brak. Serwer odpowiedział \(clock) i nie ma żadnych.")
    }
    /// The first fetch failed.
    public func unableToLoad(_ title: String, _ reason: String) -> String {
        text(en: "Unable to load \(title): \(reason)", pl: "Nie można wczytać \(title): \(reason)")
    }
    public var rTriesAgain: String { text(en: "r tries again.", pl: "r próbuje jeszcze raz.") }
    /// The collection was never set up.
    public func noUpstream(_ title: String) -> String {
        text(en: "\(title) has no upstream.", pl: "\(title): brak serwera źródłowego.")
    }
}

// Records and commands.

extension Messages {
    public func noNumber(_ number: String) -> String {
        text(en: "There is no \(number) here.", pl: "Nie ma tu pozycji \(number).")
    }
    public var whichRecord: String {
        text(en: "Which one? Write its number, as in a 3.", pl: "Który? Podaj numer, na przykład a 3.")
    }
    public func notKnown(_ line: String) -> String {
        text(
            en: "'\(line)' means nothing here. /\(line) searches for it; ? lists what you can type.",
            pl: "„\(line)” nic tu nie znaczy. /\(line) wyszukuje to; ? pokazuje, co można wpisać.")
    }
    public func archivedNow(_ ids: String) -> String {
        text(en: "Archived: \(ids).", pl: "Do archiwum: \(ids).")
    }
    public func unarchivedNow(_ ids: String) -> String {
        text(en: "Out of the archive: \(ids).", pl: "Z archiwum: \(ids).")
    }
    public var undoes: String { text(en: "u undoes.", pl: "u cofa.") }
    public func alreadySo(_ ids: String) -> String { text(en: "So already: \(ids).", pl: "Już tak jest: \(ids).") }
    public func notThere(_ ids: String) -> String { text(en: "Not there: \(ids).", pl: "Nie ma: \(ids).") }
    public func noName(_ name: String, among names: String) -> String {
        text(en: "There is no '\(name)'. There is: \(names).", pl: "Nie ma „\(name)”. Jest: \(names).")
    }
    public var noViews: String { text(en: "There are no views here.", pl: "Nie ma tu widoków.") }
    public var noGroups: String { text(en: "There are no groups here.", pl: "Nie ma tu grup.") }
    public var without: String { text(en: "none", pl: "bez") }
    public var ownOrder: String { text(en: "the collection's own order", pl: "domyślny porządek kolekcji") }
    public var orFields: String {
        text(en: "Or fields, as in s -status name.", pl: "Albo pola, na przykład s -status name.")
    }
    public var historyTitle: String { text(en: "History", pl: "Historia") }
    public var noRecordOpen: String { text(en: "No record is open.", pl: "Żaden rekord nie jest otwarty.") }
    public var outboxTitle: String { text(en: "Outbox", pl: "Wysyłka") }
    public var statusTitle: String { text(en: "Status", pl: "Stan") }
    public var outboxIsEmpty: String { text(en: "Nothing waits to be sent.", pl: "Nic nie czeka na wysłanie.") }
}

// Forms and questions.

extension Messages {
    /// The end of a question that y answers.
    public func confirm(_ question: String) -> String { "\(question) \(yesOrNo) " }
    public var tryAgainQuestion: String { text(en: "Try again?", pl: "Spróbować ponownie?") }
    public var formHelp: String {
        text(
            en: "Enter skips or keeps, - clears, a single . leaves.",
            pl: "Enter pomija lub zostawia, - czyści, sama . kończy.")
    }
    public var required: String { text(en: "required", pl: "wymagane") }
    public func now(_ value: String) -> String { text(en: "now \(value)", pl: "teraz \(value)") }
    public var numberOrCode: String { text(en: "Number or code", pl: "Numer lub kod") }
    public var choose: String { text(en: "Number (Enter: none)", pl: "Numer (Enter: nic)") }
    public var isRequired: String { text(en: "It is required.", pl: "To pole jest wymagane.") }
    public func noFile(_ path: String) -> String {
        text(en: "There is no file \(path).", pl: "Nie ma pliku \(path).")
    }
    /// The question whether a file stays with its record.
    public func keepFile(_ name: String) -> String {
        text(en: "File \(name) (Enter keeps it, - removes it)", pl: "Plik \(name) (Enter zostawia, - usuwa)")
    }
    public var fileOrEnough: String { text(en: "File (Enter: no more)", pl: "Plik (Enter: bez dalszych)") }
    public var leftForm: String { text(en: "Nothing was submitted.", pl: "Niczego nie wysłano.") }
    public var unchangedForm: String { text(en: "Nothing differs.", pl: "Nic się nie różni.") }
    public var submitQuestion: String { text(en: "Submit?", pl: "Wysłać?") }
    public var notOffered: String {
        text(en: "This collection does not offer that.", pl: "Ta kolekcja tego nie oferuje.")
    }
    public var shareTitle: String {
        text(en: "Share: the record and its files, into a folder", pl: "Udostępnij: rekord i jego pliki, do folderu")
    }
    public var shareQuestion: String { text(en: "Folder (Enter: none)", pl: "Folder (Enter: nic)") }
    /// The path of the folder of a record that was shared.
    func shared(_ path: String) -> String {
        text(en: "shared in \(path)", pl: "udostępniono w \(path)")
    }
    /// The answer to what is done with records, while operations are listed.
    public var forRecordsOnly: String {
        text(
            en: "That is for records, and these are operations. b shows the records.",
            pl: "To dotyczy rekordów, a to są operacje. b pokazuje rekordy.")
    }
    /// The operations that are listed are not all.
    public func moreOperations(_ number: Int64) -> String {
        text(
            en: "\(count(number, .operations)) more: claimsctl outbox --all lists them.",
            pl: "Dalsze: \(count(number, .operations)); wymienia je claimsctl outbox --all.")
    }
    public var noActions: String { text(en: "There is nothing to do with it.", pl: "Nie ma dla niego akcji.") }
    public var upstreamID: String {
        text(
            en: "The id that the upstream gave it (Enter: none)", pl: "Identyfikator nadany przez serwer (Enter: brak)")
    }
}

// News.

extension Messages {
    /// The numbers of records that came into a list, changed in it and left it.
    public func news(of title: String, added: Int, changed: Int, removed: Int) -> String {
        let parts = [
            added > 0 ? text(en: "new \(number(added))", pl: "nowe \(number(added))") : nil,
            changed > 0 ? text(en: "changed \(number(changed))", pl: "zmienione \(number(changed))") : nil,
            removed > 0 ? text(en: "gone \(number(removed))", pl: "usunięte \(number(removed))") : nil,
        ].compactMap(\.self)
        return text(
            en: "\(title): \(parts.joined(separator: ", ")). g shows it.",
            pl: "\(title): \(parts.joined(separator: ", ")). g pokazuje.")
    }
    public func rebuilt(_ title: String) -> String {
        text(en: "\(title): rebuilt. g shows it.", pl: "\(title): zbudowane na nowo. g pokazuje.")
    }
    public func notLive(_ title: String) -> String {
        text(en: "\(title): changes are not told any more.", pl: "\(title): zmiany nie są już zgłaszane.")
    }
    public func daemonLost(since clock: String) -> String {
        text(
            en: "claimsd does not answer since \(clock); trying again.",
            pl: "claimsd nie odpowiada od \(clock); kolejne próby.")
    }
    public var daemonBack: String { text(en: "claimsd answers again.", pl: "claimsd znów odpowiada.") }
}
