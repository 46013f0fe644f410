// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel

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
