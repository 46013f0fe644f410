// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import ClaimsTerminal

// Marks, tabs and short notes of the screen.

extension Messages {
    var searching: String { text(en: "Searching…", pl: "Szukam…") }
    func inOrder(_ order: String) -> String { text(en: "by \(order)", pl: "porządek: \(order)") }
    func inView(_ view: String) -> String { text(en: "view \(view)", pl: "widok \(view)") }

    /// That records have come since the list was asked for: `12 newer · g shows`.
    func newer(_ number: Int) -> String {
        text(en: "\(self.number(number)) newer · g shows", pl: "\(count(number, .newer)) · g pokazuje")
    }

    var rebuilt: String { text(en: "rebuilt · g shows", pl: "zbudowano od nowa · g pokazuje") }

    func notLive(_ reason: String?) -> String {
        let what = text(en: "not live", pl: "nie na żywo")
        return reason.map { "\(what): \($0)" } ?? what
    }

    /// The reason why a record has left the list, as the feed gives it.
    func removed(_ reason: String) -> String {
        switch reason {
        // Nothing is known where the list was followed anew.
        case "", "gone": text(en: "gone", pl: "usunięty")
        case "quarantined": text(en: "unreadable now", pl: "teraz nieczytelny")
        case "archived": text(en: "archived", pl: "w archiwum")
        case "unarchived": text(en: "unarchived", pl: "przywrócony")
        case "renamed": text(en: "has a new id", pl: "ma nowy identyfikator")
        case "no_longer_matches": text(en: "no match any more", pl: "już nie pasuje")
        default: Escaping.line(reason)
        }
    }

    func mouse(isOn: Bool) -> String {
        isOn
            ? text(
                en: "The mouse is on. Shift marks text; m turns it off.",
                pl: "Mysz jest włączona. Shift zaznacza tekst; m ją wyłącza.")
            : text(en: "The mouse is off.", pl: "Mysz jest wyłączona.")
    }

    func tooSmall(columns: Int, rows: Int) -> String {
        text(
            en: "Too small: \(columns) by \(rows) cells are needed.",
            pl: "Za małe okno: potrzeba \(columns) na \(rows) znaków.")
    }

    // MARK: - Lines of input

    var searchLabel: String { text(en: "Search", pl: "Szukaj") }
    var filterLabel: String { text(en: "Filter", pl: "Filtr") }
    var recordIDLabel: String { text(en: "Id of the new record", pl: "Identyfikator nowego rekordu") }
    var inputKeys: String {
        text(en: "Enter keeps it  Esc brings back what was", pl: "Enter zachowuje  Esc przywraca poprzednie")
    }
    var filterKeys: String {
        text(
            en: "Tab completes  Enter keeps it  Esc brings back what was",
            pl: "Tab uzupełnia  Enter zachowuje  Esc przywraca poprzednie")
    }
    var sheetKeys: String {
        text(en: "Enter takes it  ↑↓ choose  Esc leaves", pl: "Enter wybiera  ↑↓ zmienia  Esc wychodzi")
    }
    var helpKeys: String { text(en: "↑↓ scroll  Esc leaves", pl: "↑↓ przewija  Esc wychodzi") }
    var yesOrNo: String { text(en: "y/N", pl: "t/N") }
    var questionKeys: String { text(en: "y yes  any other key no", pl: "t tak  inny klawisz nie") }
    var dealKeys: String {
        text(en: "Enter details  D another  Esc leaves", pl: "Enter szczegóły  D następna  Esc wychodzi")
    }
}

extension Plural {
    /// Records that have come since a list was asked for.
    fileprivate static let newer = Plural(
        en: ("newer", "newer"), pl: ("nowy", "nowe", "nowych", "nowego"))
}
