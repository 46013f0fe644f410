// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import ClaimsProtocol

// The texts about refreshes and mistakes in the configuration.

extension Messages {
    var allCollections: String { text(en: "all collections", pl: "wszystkie kolekcje") }

    /// How long a refresh has been under way.
    func refreshing(_ subject: String, seconds: Int64) -> String {
        text(en: "refreshing \(subject) … \(seconds) s", pl: "odświeżanie: \(subject) … \(seconds) s")
    }

    /// How far the refresh of a collection is.
    func phase(of progress: RefreshProgress) -> String {
        let (bytes, pages, records) = (Int64(progress.bytes), Int64(progress.pages), Int64(progress.records))
        switch progress.phase {
        case .queued: return text(en: "waiting for its turn", pl: "czeka na swoją kolej")
        case .connect: return text(en: "connecting", pl: "łączenie")
        case .receive:
            let expected = progress.expected.map { Int64($0) }
            let size = expected.map { $0 >= bytes ? self.size(bytes, of: $0) : self.size(bytes) } ?? self.size(bytes)
            let count = pages > 0 ? ", \(count(pages, .pages))" : ""
            return text(en: "receiving \(size)\(count)", pl: "odbieranie \(size)\(count)")
        case .read:
            return text(en: "reading, \(count(records, .records))", pl: "czytanie, \(count(records, .records))")
        case .write:
            return text(en: "writing, \(count(records, .records))", pl: "zapisywanie, \(count(records, .records))")
        default: return progress.phase.rawValue
        }
    }

    var guardHolds: String {
        text(en: "the guard holds the new data back", pl: "nowe dane zostały wstrzymane")
    }

    var refreshFailed: String { text(en: "the refresh failed", pl: "odświeżenie nie powiodło się") }

    func notAsked(before time: String) -> String {
        text(
            en: "not asked: the server wants no request before \(time)",
            pl: "nie zapytano: serwer nie chce żądań przed \(time)")
    }

    /// - Parameter collections: one collection, or several, which are refreshed with all others.
    func askAllTheSame(_ collections: [String]) -> String {
        let one = collections.count == 1 ? "--collection \(collections[0]) " : ""
        let command = "claimsctl refresh \(one)--force --wait"
        return text(en: "to ask all the same: \(command)", pl: "aby mimo to zapytać: \(command)")
    }

    var removedMeanwhile: String {
        text(
            en: "not refreshed: the collection was removed meanwhile",
            pl: "nie odświeżono: kolekcję w tym czasie usunięto")
    }

    var changedMeanwhile: String {
        text(
            en: "not refreshed: the daemon is stopping, or the definition has changed meanwhile",
            pl: "nie odświeżono: demon kończy pracę albo definicja w tym czasie się zmieniła")
    }

    /// - Parameter collections: one collection, or several, which are refreshed with all others.
    func tryAgain(_ collections: [String]) -> String {
        let one = collections.count == 1 ? "--collection \(collections[0]) " : ""
        let command = "claimsctl refresh \(one)--wait"
        return text(en: "try again: \(command)", pl: "spróbuj ponownie: \(command)")
    }

    // Mistakes in the configuration.

    var configuration: String { text(en: "configuration", pl: "konfiguracja") }

    var configurationWarning: String { text(en: "configuration, a warning", pl: "konfiguracja, ostrzeżenie") }

    var collectionLeftOut: String {
        text(
            en: "there was no definition before it, so the collection is left out",
            pl: "nie było wcześniejszej definicji, więc kolekcja jest pominięta")
    }

    func seeMistakes(_ command: String) -> String {
        text(en: "to see all mistakes: \(command)", pl: "aby zobaczyć wszystkie błędy: \(command)")
    }

    func whenMended(_ reload: String) -> String {
        text(en: "with these mended: \(reload)", pl: "po ich naprawieniu: \(reload)")
    }
}

// The collections that a user sees, as a table.

extension Messages {
    var seesNoCollection: String { text(en: "sees no collection", pl: "nie widzi żadnej kolekcji") }
    var accessSees: String { text(en: "sees", pl: "widzi") }
    var accessRule: String { text(en: "rule", pl: "reguła") }
    var accessMay: String { text(en: "may", pl: "może") }
    var accessRows: String { text(en: "rows", pl: "rekordy") }

    func accessGroups(_ groups: String) -> String { text(en: "groups \(groups)", pl: "grupy \(groups)") }

    /// The part of a collection that a user sees; a word of a later daemon as it is.
    func accessPart(_ part: String) -> String {
        switch SeenPart(rawValue: part) {
        case .none?: text(en: "nothing", pl: "nic")
        case .limited?: text(en: "a part", pl: "część")
        case .whole?: text(en: "all", pl: "wszystko")
        case nil: part
        }
    }
}

// The hosts that share sources, as tables.

extension Messages {
    var noFleet: String { text(en: "this host belongs to no fleet", pl: "ten host nie należy do żadnej floty") }
    var fleetHost: String { text(en: "host", pl: "host") }
    var fleetRead: String { text(en: "read", pl: "odczytano") }
    var fleetAsks: String { text(en: "asks", pl: "pyta") }
    /// - Parameter contact: the time of the last answer of its address; nil: there was none.
    func fleetFollows(_ leader: String, contact: String?) -> String {
        let contact = contact.map { ", \($0)" } ?? ""
        return text(en: "follows \(leader)\(contact)", pl: "podąża za \(leader)\(contact)")
    }

    var fleetAsksHere: String { text(en: "this host asks", pl: "pyta ten host") }
    var fleetWritesHere: String { text(en: "this host has the records", pl: "rekordy ma ten host") }
    var fleetWithoutLeader: String { text(en: "nobody asks", pl: "nikt nie pyta") }

    func fleetQueued(_ count: Int64) -> String {
        text(en: "marks \(count) queued", pl: "znaczniki: \(count) w kolejce")
    }

    var fleetRole: String { text(en: "this host", pl: "ten host") }

    /// The part of this host for a source.
    func fleetRole(_ role: String) -> String {
        switch role {
        case "leads": text(en: "asks", pl: "pyta")
        case "may": text(en: "may take over", pl: "może przejąć")
        case "follows": text(en: "follows", pl: "podąża")
        case "home": text(en: "has the records", pl: "ma rekordy")
        default: Escaping.line(role)
        }
    }

    var fleetConfirmed: String { text(en: "as of", pl: "stan z") }
    var fleetDiffers: String { text(en: "differs", pl: "różni się") }

    /// - Parameter contact: the time of the last answer of the database; nil: there was none.
    func fleetMarks(queued: Int64, contact: String?) -> String {
        let waiting = text(en: "archive marks: \(queued) queued", pl: "znaczniki archiwum: \(queued) w kolejce")
        guard let contact else {
            return waiting + text(en: ", database never reached", pl: ", bazy danych nigdy nie osiągnięto")
        }
        return waiting + text(en: ", database reached \(contact)", pl: ", baza danych osiągnięta \(contact)")
    }

    func fleetUnshared(_ count: Int64) -> String {
        text(
            en: "\(count) stay here, because their ids are over 1 KiB",
            pl: "\(count) pozostaje tutaj, bo ich id przekraczają 1 KiB")
    }
}

// Attempts to refresh, as a table and as plots.

extension Messages {
    var noRefreshes: String { text(en: "nothing was refreshed yet", pl: "niczego jeszcze nie odświeżano") }

    var refreshBegan: String { text(en: "began", pl: "początek") }
    var refreshOf: String { text(en: "collection", pl: "kolekcja") }
    var refreshOutcome: String { text(en: "outcome", pl: "wynik") }
    var refreshTook: String { text(en: "took", pl: "trwało") }
    var refreshSize: String { text(en: "size", pl: "rozmiar") }
    var refreshRecords: String { text(en: "records", pl: "rekordy") }
    var refreshChanges: String { text(en: "changes", pl: "zmiany") }

    /// The outcome of a refresh; a word of a later daemon as it is.
    public func outcome(_ outcome: String) -> String {
        switch RefreshOutcome(rawValue: outcome) {
        case .updated: text(en: "updated", pl: "nowe dane")
        case .unchanged: text(en: "unchanged", pl: "bez zmian")
        case .failed: text(en: "failed", pl: "błąd")
        case .held: text(en: "held", pl: "wstrzymano")
        case .started, .skipped, nil: Escaping.line(outcome)
        }
    }

    /// The heading of the plots: `Refreshes of the last 24 h`.
    public func refreshesOfLast(_ span: String) -> String {
        text(en: "Refreshes of the last \(span)", pl: "Odświeżenia z ostatnich \(span)")
    }
    /// The names of the two rows of a plot.
    public var plottedRecords: String { text(en: "records", pl: "rekordy") }
    public var plottedDuration: String { text(en: "duration", pl: "czas") }
    /// The newest value of a plot, and the largest: `812, at most 1,000`.
    public func lastAndMax(_ last: String, _ max: String) -> String {
        text(en: "\(last), at most \(max)", pl: "\(last), najwyżej \(max)")
    }
    public var nothingInSpan: String { text(en: "no refresh in this time", pl: "brak odświeżeń w tym czasie") }
}

// The texts of `try`.

extension Messages {
    /// How long a trial has been under way.
    func trying(_ subject: String, seconds: Int64) -> String {
        text(en: "trying \(subject) … \(seconds) s", pl: "próba: \(subject) … \(seconds) s")
    }

    /// The number of records, and what of them is different.
    func trialNumbers(records: Int64, added: Int64, updated: Int64, removed: Int64, quarantined: Int64) -> String {
        text(
            en: "\(count(records, .records)): \(number(added)) added, \(number(updated)) updated, "
                + "\(number(removed)) removed, \(number(quarantined)) in quarantine",
            pl: "\(count(records, .records)): dodane \(number(added)), zmienione \(number(updated)), "
                + "usunięte \(number(removed)), w kwarantannie \(number(quarantined))")
    }

    func trialWouldUpdate(_ numbers: String) -> String {
        text(
            en: "A refresh would update the collection. \(numbers).", pl: "Odświeżenie zmieniłoby kolekcję. \(numbers)."
        )
    }

    func trialUnchanged(_ records: Int64) -> String {
        text(
            en: "A refresh would change nothing: \(count(records, .records)), as served.",
            pl: "Odświeżenie niczego by nie zmieniło: \(count(records, .records)), jak obecnie.")
    }

    func trialHeld(_ reason: String, _ numbers: String) -> String {
        text(
            en: "The guard would hold the answer back: \(reason) \(numbers).",
            pl: "Odpowiedź zostałaby wstrzymana: \(reason) \(numbers).")
    }

    var trialInvalid: String {
        text(
            en: "The definition cannot be tried; nothing was asked.",
            pl: "Definicji nie można wypróbować; o nic nie zapytano.")
    }

    var trialFailed: String {
        text(en: "The upstream gave no records.", pl: "Serwer nie dał żadnych rekordów.")
    }

    func triedFirstSite(_ site: String) -> String {
        text(
            en: "the first site was tried: \(site); --site names another one",
            pl: "wypróbowano pierwszy oddział: \(site); inny wskazuje --site")
    }

    var giveCredential: String {
        text(
            en: "name the file that has it: --credential NAME=PATH",
            pl: "podaj plik, w którym są: --credential NAZWA=ŚCIEŻKA")
    }

    var trialRequest: String { text(en: "request", pl: "żądanie") }
    var trialStatus: String { text(en: "status", pl: "kod") }
    var trialBytes: String { text(en: "bytes", pl: "bajty") }
    var trialElements: String { text(en: "elements", pl: "elementy") }
    var trialField: String { text(en: "field", pl: "pole") }
    var trialFilled: String { text(en: "filled", pl: "z wartością") }
    var trialWrong: String { text(en: "wrong type", pl: "zły typ") }
    var trialQuarantined: String { text(en: "Would go to quarantine:", pl: "Do kwarantanny trafiłyby:") }
    var trialAdded: String { text(en: "Added", pl: "Dodane") }
    var trialUpdated: String { text(en: "Updated", pl: "Zmienione") }
    var trialRemoved: String { text(en: "Removed", pl: "Usunięte") }
    var trialSample: String { text(en: "The first record:", pl: "Pierwszy rekord:") }
}
