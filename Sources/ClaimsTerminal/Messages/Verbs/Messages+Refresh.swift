// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel

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
