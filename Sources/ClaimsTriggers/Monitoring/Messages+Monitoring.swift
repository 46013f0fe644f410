// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsTerminal

// The texts of `check`.

extension Messages {
    /// How many records match: `3 match`.
    func matching(_ count: Int64) -> String {
        self.count(count, Plural(en: ("matches", "match"), pl: ("pasuje", "pasują", "pasuje", "")))
    }

    /// A trigger with its state: `trigger documents: failing`.
    func checkedTrigger(_ name: String, _ state: String) -> String {
        text(en: "trigger \(name): \(state)", pl: "wyzwalacz \(name): \(state)")
    }

    /// That all collections are well.
    func allChecked(_ count: Int) -> String {
        if count == 0 {
            return text(
                en: "there is nothing to check: no collection is configured",
                pl: "nie ma czego sprawdzać: żadna kolekcja nie jest skonfigurowana")
        }
        let noun = Plural(
            en: ("collection is ok", "collections are ok"),
            pl: ("kolekcja jest w porządku", "kolekcje są w porządku", "kolekcji jest w porządku", ""))
        return self.count(count, noun)
    }
}
