// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

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
