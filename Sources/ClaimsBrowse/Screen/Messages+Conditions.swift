// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import ClaimsTerminal

// The state of a collection's data: the second row of the screen, and what stands in the middle where there is no list.

extension Messages {
    var connecting: String { text(en: "Connecting to claimsd…", pl: "Łączenie z claimsd…") }

    /// That the daemon does not answer.
    ///
    /// - Parameter clock: the time of day with seconds, since when.
    func lostDaemon(since clock: String) -> String {
        text(
            en: "claimsd does not answer since \(clock) · trying again",
            pl: "claimsd nie odpowiada od \(clock) · próbuję dalej")
    }

    func loadingRecords(_ title: String) -> String {
        text(en: "Loading \(inText(title))…", pl: "\(title): wczytywanie…")
    }

    func refreshing(_ progress: String) -> String {
        text(en: "Refreshing: \(progress)", pl: "Odświeżanie: \(progress)")
    }

    /// The phase of a refresh; nil before the daemon has reported any.
    func phase(_ phase: RefreshProgress.Phase?) -> String {
        switch phase {
        case nil: text(en: "asked for", pl: "zlecone")
        case .queued?: text(en: "queued", pl: "w kolejce")
        case .connect?: text(en: "connecting", pl: "łączenie")
        case .receive?: text(en: "receiving", pl: "odbieranie")
        case .read?: text(en: "reading", pl: "odczyt")
        case .write?: text(en: "writing", pl: "zapis")
        case let phase?: Escaping.line(phase.rawValue)
        }
    }

    func noRecords(_ title: String) -> String {
        text(en: "No \(inText(title)).", pl: "\(title): brak rekordów.")
    }

    /// That the upstream has none.
    ///
    /// - Parameter clock: the time of its answer; nil if this host is the truth.
    func upstreamHasNone(at clock: String?) -> String {
        guard let clock else { return text(en: "There are none yet.", pl: "Jeszcze ich nie ma.") }
        return text(
            en: "The upstream answered at \(clock) and has none.",
            pl: "Serwer odpowiedział o \(clock) i nie ma żadnych.")
    }

    /// That all records are archived.
    func allArchived(_ title: String, _ archived: Int64) -> String {
        text(
            en: "All \(inText(title)) are archived (\(number(archived))).",
            pl: "\(title): wszystkie są w archiwum (\(number(archived))).")
    }

    var archiveKeyShows: String { text(en: "t shows the archive too.", pl: "t pokazuje też archiwum.") }

    /// That nothing matches: `No units match /pmup.`
    ///
    /// - Parameters:
    ///   - terms: what was searched for; empty for all records.
    ///   - limits: the view, and whether only archived records are looked at; empty for neither.
    func noMatch(_ title: String, _ terms: String, within limits: String) -> String {
        let limits = limits.isEmpty ? "" : " (\(limits))"
        guard !terms.isEmpty else {
            return text(en: "No \(inText(title))\(limits).", pl: "\(title): brak rekordów\(limits).")
        }
        return text(
            en: "No \(inText(title)) match \(terms)\(limits).", pl: "\(title): nic nie pasuje do \(terms)\(limits).")
    }

    /// That a text for which nothing was found is the id of a record.
    func isID(_ id: String) -> String {
        let id = quoted(Escaping.line(id))
        return text(
            en: "\(id) is the id of a record: Enter shows it.",
            pl: "\(id) to identyfikator rekordu: Enter go pokazuje.")
    }

    var escClearsSearch: String { text(en: "Esc clears the search.", pl: "Esc czyści wyszukiwanie.") }
    var filterKeyChanges: String { text(en: "f changes the filter.", pl: "f zmienia filtr.") }
    var viewKeyChanges: String { text(en: "v chooses another view.", pl: "v zmienia widok.") }
    var archiveKeyChanges: String {
        text(en: "t shows those that are not archived.", pl: "t pokazuje rekordy spoza archiwum.")
    }

    func unableToLoad(_ title: String, _ reason: String?) -> String {
        let what = text(en: "Unable to load \(inText(title))", pl: "\(title): nie udało się wczytać")
        return reason.map { "\(what): \($0)." } ?? "\(what)."
    }

    /// That records are not shown: `Units is withheld: older than 30 days.`
    ///
    /// - Parameter message: what the daemon says of it; the cause stands behind its first colon.
    func withheld(_ title: String, because message: String) -> String {
        let end = message.firstRange(of: ": ")?.upperBound ?? message.startIndex
        let cause = FreshnessLine.clause(String(message[end...]))
        return text(en: "\(title) is withheld: \(cause).", pl: "\(title) – niepokazywane: \(cause).")
    }

    /// A text with a capital letter at its start.
    func capitalized(_ text: String) -> String { text.prefix(1).uppercased() + text.dropFirst() }

    var pressToTryAgain: String { text(en: "Press r to try again.", pl: "Naciśnij r, aby spróbować ponownie.") }
    func nextTry(at clock: String) -> String { text(en: "Next try \(clock).", pl: "Następna próba \(clock).") }

    // MARK: - The second row

    /// An age that steps by the minute.
    func age(_ ms: Int64) -> String { ms < 60_000 ? "<1 min" : span(ms) }

    func fresh(_ age: String) -> String { text(en: "Fresh: \(age)", pl: "Aktualne: \(age)") }
    func stale(_ age: String) -> String { text(en: "STALE: \(age)", pl: "NIEAKTUALNE: \(age)") }
    func expired(_ age: String) -> String { text(en: "EXPIRED: \(age)", pl: "PRZETERMINOWANE: \(age)") }
    /// That data is old though nothing has failed.
    ///
    /// - Parameter ttl: the time for which it counts as fresh, in milliseconds.
    func olderThanTTL(_ ttl: Int64) -> String {
        text(en: "older than its ttl of \(span(ttl))", pl: "starsze niż ttl, czyli \(span(ttl))")
    }
    var localTruth: String { text(en: "Fresh: kept on this host", pl: "Aktualne: prowadzone na tym hoście") }
    var builtInData: String { text(en: "BUILT-IN DATA", pl: "DANE WBUDOWANE") }
    var noUpstreamAnswered: String {
        text(en: "no upstream has answered", pl: "żaden serwer nie odpowiedział")
    }
    var noUpstreamConfigured: String {
        text(en: "no upstream is configured", pl: "nie skonfigurowano serwera")
    }
    func nextRefreshAt(_ clock: String) -> String {
        text(en: "next refresh \(clock)", pl: "następne odświeżenie \(clock)")
    }
    func nextTryAt(_ clock: String) -> String { text(en: "next try \(clock)", pl: "następna próba \(clock)") }
    func held(_ records: Int64, insteadOf old: Int64) -> String {
        text(
            en: "HELD: \(count(records, .records)) instead of \(number(old)) · A accepts",
            pl: "WSTRZYMANE: \(count(records, .records)) zamiast \(number(old)) · A przyjmuje")
    }
}
