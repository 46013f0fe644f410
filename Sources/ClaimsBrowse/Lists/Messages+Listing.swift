// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import ClaimsTerminal

// Notices about lists and refreshes. Titles come from the daemon and are escaped here.

extension Messages {
    var refreshing: String { text(en: "Refreshing…", pl: "Odświeżanie…") }

    var nothingHeld: String { text(en: "Nothing is held back.", pl: "Nic nie jest wstrzymane.") }

    func unknownCollection(_ name: String) -> String {
        let name = quoted(Escaping.line(name))
        return text(en: "There is no collection \(name).", pl: "Nie ma kolekcji \(name).")
    }

    func collectionGone(_ title: String) -> String {
        let title = Escaping.line(title)
        return text(en: "\(title) is not served any more.", pl: "\(title): ta kolekcja nie jest już dostępna.")
    }

    /// That a reload has taken a part of a query away.
    func gone(_ lack: ListQuery.Lack) -> String {
        switch lack {
        case .view(let view): viewGone(view)
        case .order(let order): orderGone(order)
        }
    }

    private func viewGone(_ view: String) -> String {
        let view = quoted(Escaping.line(view))
        return text(en: "The view \(view) is gone.", pl: "Widoku \(view) już nie ma.")
    }

    private func orderGone(_ order: String) -> String {
        let order = quoted(Escaping.line(order))
        return text(en: "The order \(order) is gone.", pl: "Porządku \(order) już nie ma.")
    }

    func filterGone(_ filter: String, because reason: String) -> String {
        let (filter, reason) = (quoted(Escaping.line(filter)), Escaping.line(reason))
        return text(en: "The filter \(filter) was taken out: \(reason)", pl: "Usunięto filtr \(filter): \(reason)")
    }

    func archivedMode(_ mode: ArchivedMode) -> String {
        switch mode {
        case .exclude: text(en: "Archived records are hidden.", pl: "Rekordy z archiwum są ukryte.")
        case .include: text(en: "Archived records are shown.", pl: "Rekordy z archiwum są pokazane.")
        case .only: text(en: "Only archived records are shown.", pl: "Pokazane są tylko rekordy z archiwum.")
        }
    }

    var notArchivable: String {
        text(
            en: "Records of this collection cannot be archived: 'archive' is off in its definition.",
            pl: "Rekordów tej kolekcji nie można archiwizować: „archive” jest wyłączone w definicji.")
    }

    /// The outcome of a refresh: of one collection whole, of several by their number.
    func refreshed(_ summaries: [RefreshSummary], _ time: LocalTime) -> Notice {
        if summaries.count == 1 { return refreshed(summaries[0], time) }
        let failed = summaries.filter { $0.isFailure }
        guard !failed.isEmpty else {
            let changed = summaries.count { $0.outcome == .updated }
            let all = count(summaries.count, .collections)
            return Notice(
                kind: .done,
                text: text(
                    en: "Refreshed \(all), \(number(changed)) with changes.",
                    pl: "Odświeżono \(all), ze zmianami: \(number(changed))."))
        }
        let titles = failed.map { Escaping.line($0.title) }
        return Notice(
            kind: .wrong,
            text: text(
                en: "Not refreshed: \(list(titles)).", pl: "Nie odświeżono: \(list(titles))."))
    }

    private func refreshed(_ summary: RefreshSummary, _ time: LocalTime) -> Notice {
        let title = Escaping.line(summary.title)
        if summary.isJoinMissing {
            let reason = FreshnessLine.clause(summary.reason ?? "")
            return Notice(
                kind: .wrong,
                text: text(
                    en: "\(title) was refreshed, but \(reason)", pl: "\(title): odświeżono, ale \(reason)"))
        }
        switch summary.outcome {
        case .updated:
            let parts = [
                (summary.added, text(en: "added", pl: "dodane")),
                (summary.updated, text(en: "changed", pl: "zmienione")),
                (summary.removed, text(en: "removed", pl: "usunięte")),
            ]
            let told = parts.filter { $0.0 > 0 }.map { number, name in
                text(en: "\(self.number(number)) \(name)", pl: "\(name): \(self.number(number))")
            }
            let changes =
                told.isEmpty ? text(en: "nothing else changed", pl: "poza tym bez zmian") : told.joined(separator: ", ")
            return Notice(
                kind: .done, text: text(en: "\(title) refreshed: \(changes).", pl: "\(title), odświeżono: \(changes)."))
        case .unchanged:
            return Notice(
                kind: .done, text: text(en: "\(title): nothing has changed.", pl: "\(title): nic się nie zmieniło."))
        case .held:
            return Notice(
                kind: .wrong,
                text: text(
                    en: "\(title): too much would go; it is held. A accepts.",
                    pl: "\(title): znikłoby zbyt wiele; wstrzymano. A przyjmuje."))
        case .skipped:
            let until = summary.until.map(time.clock)
            return Notice(
                kind: .news,
                text: text(
                    en: "\(title) cannot be refreshed now\(until.map { ", not before \($0)" } ?? "").",
                    pl: "\(title): teraz nie można odświeżyć\(until.map { ", nie wcześniej niż \($0)" } ?? "")."))
        case .started, .failed, nil:
            let reason = summary.reason.map(FreshnessLine.clause) ?? summary.word
            return Notice(
                kind: .wrong,
                text: text(en: "\(title) was not refreshed: \(reason)", pl: "\(title): nie odświeżono: \(reason)"))
        }
    }
}

extension RefreshSummary {
    /// Whether the data is none the newer.
    var isFailure: Bool { outcome?.isFailure == true }
}
