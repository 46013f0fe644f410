// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

extension MessageKey {
    /// The texts about a fleet. The switch in ``message`` sends only their keys here.
    var fleetMessage: LocalizedText {
        switch self {
        case .fleetDamaged:
            LocalizedText(
                en: "What {0} has published cannot be trusted: {1}",
                pl: "Nie można ufać temu, co opublikował host {0}: {1}")
        case .fleetAhead:
            LocalizedText(
                en:
                    "What {0} has published is dated over 5 minutes ahead of this clock; one of the two clocks is wrong",
                pl:
                    "To, co opublikował host {0}, ma datę ponad 5 minut późniejszą niż ten zegar; jeden z zegarów się myli"
            )
        case .fleetSilent:
            LocalizedText(
                en: "{0}, which asks the server for all hosts, has told nothing for {1} s",
                pl: "Host {0}, który pyta serwer za wszystkie hosty, milczy od {1} s")
        case .fleetUnread:
            LocalizedText(en: "No address of the fleet answers: {0}", pl: "Żaden adres floty nie odpowiada: {0}")
        case .fleetFailed:
            LocalizedText(
                en: "{0}, which asks the server for all hosts, has failed: {1}",
                pl: "Hostowi {0}, który pyta serwer za wszystkie hosty, się nie powiodło: {1}")
        default: LocalizedText(en: "{0}", pl: "{0}")
        }
    }
}
