// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

extension MessageKey {
    /// The texts about operations. The switch in ``message`` sends only their keys here.
    var writingMessage: LocalizedText {
        switch self {
        case .writeInterrupted:
            LocalizedText(
                en: "The service ended before the server's answer came",
                pl: "Usługa zakończyła działanie, zanim nadeszła odpowiedź serwera")
        case .writeUnanswered:
            LocalizedText(
                en: "The server may have done it: {0}", pl: "Serwer mógł to wykonać: {0}")
        case .writeUnrepeatable:
            LocalizedText(
                en: "The server may have done it, and sending it again could do it twice",
                pl: "Serwer mógł to wykonać, a ponowne wysłanie mogłoby wykonać to drugi raz")
        case .writeWithoutID:
            LocalizedText(
                en: "The server answered {0} without the id of the new record",
                pl: "Serwer odpowiedział {0}, ale nie podał identyfikatora nowego rekordu")
        case .writeOfTakenID:
            LocalizedText(
                en: "The server gave the id '{0}', which another record has",
                pl: "Serwer podał identyfikator „{0}”, który ma już inny rekord")
        case .writeOfGone:
            LocalizedText(en: "The server no longer has the record", pl: "Serwer nie ma już tego rekordu")
        case .writeOverChanged:
            LocalizedText(
                en: "The record has changed at the server meanwhile: {0}",
                pl: "Rekord zmienił się w międzyczasie na serwerze: {0}")
        case .writeUnseen:
            LocalizedText(
                en: "The server accepted it, but does not show it",
                pl: "Serwer to przyjął, ale tego nie pokazuje")
        case .writeGuarded:
            LocalizedText(
                en: "More than {0} records were deleted within {1} s: an administrator must allow further ones",
                pl: "Usunięto ponad {0} rekordów w ciągu {1} s: na kolejne musi pozwolić administrator")
        case .writeReferenceDropped:
            LocalizedText(
                en: "It refers to the new record '{0}', which was given up",
                pl: "Odwołuje się do nowego rekordu „{0}”, z którego zrezygnowano")
        case .writeNotOffered:
            LocalizedText(
                en: "The definition no longer offers '{0}'",
                pl: "Definicja nie przewiduje już operacji „{0}”")
        case .writeUnfitting:
            LocalizedText(
                en: "The definition no longer allows these values: {0}",
                pl: "Definicja nie dopuszcza już tych wartości: {0}")
        case .writesFailing:
            LocalizedText(
                en: "Requests to the server fail one after the other",
                pl: "Kolejne żądania do serwera kończą się błędem")
        default: LocalizedText(en: "{0}", pl: "{0}")
        }
    }
}
