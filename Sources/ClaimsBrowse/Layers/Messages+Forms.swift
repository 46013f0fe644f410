// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import ClaimsTerminal

// Texts of the forms.

extension Messages {
    /// The heading of a form: `New document`, `Edit: Gym contract`, `Resubmit: Gym contract`.
    ///
    /// - Parameter record: the title of the record; nil if one is made.
    func formTitle(_ action: OfferedAction, of collection: CollectionDescription, record: String?) -> String {
        let title = record ?? Escaping.line(collection.title)
        switch action.name {
        case "create":
            let singular = Escaping.line(collection.singular)
            return text(en: "New \(singular)", pl: "\(title): nowy rekord")
        case "update": return text(en: "Edit: \(title)", pl: "Edycja: \(title)")
        default: return "\(Escaping.line(action.title)): \(title)"
        }
    }

    func correctionTitle(_ title: String) -> String {
        text(en: "Other values for: \(title)", pl: "Inne wartości dla: \(title)")
    }

    var stillSending: String {
        text(
            en: "A file is still being sent; the preview follows.",
            pl: "Plik jest jeszcze wysyłany; podgląd pojawi się potem.")
    }

    var nothingChanged: String { text(en: "Nothing was changed yet.", pl: "Niczego jeszcze nie zmieniono.") }

    var changedMeanwhile: String {
        text(
            en: "Somebody has changed the record meanwhile; ^S writes your values over it.",
            pl: "Ktoś zmienił rekord w międzyczasie; ^S zapisze twoje wartości.")
    }

    var leaveQuestion: String {
        text(en: "Leave the form? What you typed is lost.", pl: "Opuścić formularz? Wpisane dane przepadną.")
    }

    var leaveUnansweredQuestion: String {
        text(
            en: "Leave? No answer has come; it may have been done.",
            pl: "Opuścić? Nie ma odpowiedzi; mogło zostać wykonane.")
    }
}
