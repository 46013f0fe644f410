// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

extension MessageKey {
    /// The texts about a fleet. The switch in ``message`` sends only their keys here.
    var fleetMessage: TranslatedText {
        switch self {
        case .fleetDamaged:
            TranslatedText(
                en: "What {0} has published cannot be trusted: {1}",
                pl: "Nie można ufać temu, co opublikował host {0}: {1}")
        case .fleetAhead:
            TranslatedText(
                en:
                    "What {0} has published is dated over 5 minutes ahead of this clock; one of the two clocks is wrong",
                pl:
                    "To, co opublikował host {0}, ma datę ponad 5 minut późniejszą niż ten zegar; jeden z zegarów się myli"
            )
        case .fleetSilent:
            TranslatedText(
                en: "{0}, which asks the server for all hosts, has told nothing for {1} s",
                pl: "Host {0}, który pyta serwer za wszystkie hosty, milczy od {1} s")
        case .fleetHeadless:
            TranslatedText(
                en: "No host of the fleet has published this for {0} s",
                pl: "Od {0} s żaden host floty tego nie opublikował")
        case .fleetUnread:
            TranslatedText(en: "No address of the fleet answers: {0}", pl: "Żaden adres floty nie odpowiada: {0}")
        case .fleetFailed:
            TranslatedText(
                en: "{0}, which asks the server for all hosts, has failed: {1}",
                pl: "Hostowi {0}, który pyta serwer za wszystkie hosty, się nie powiodło: {1}")
        case .fleetMarks:
            TranslatedText(
                en: "The database of the archive marks cannot be used: {0}",
                pl: "Nie można użyć bazy danych ze znacznikami archiwum: {0}")
        case .fleetMarksReadOnly:
            TranslatedText(
                en: "The database of the archive marks may not be written now; {0} wait here",
                pl: "W bazie danych ze znacznikami archiwum nie można teraz zapisywać; tutaj czeka: {0}")
        case .fleetMarksForeign:
            TranslatedText(
                en: "The database has the archive marks of another fleet: {0}",
                pl: "Baza danych ma znaczniki archiwum innej floty: {0}")
        default: TranslatedText(en: "{0}", pl: "{0}")
        }
    }
}
