// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsClient
import ClaimsModel
import ClaimsProtocol
import ClaimsTerminal

// Texts about operations of the outbox.

extension Messages {
    func verbsTitle(_ title: String) -> String { text(en: "Operation: \(title)", pl: "Operacja: \(title)") }

    func title(of decision: OperationDecision) -> String {
        switch decision {
        case .retry: text(en: "Try again now", pl: "Spróbuj teraz ponownie")
        case .correct: text(en: "Try again with other values", pl: "Spróbuj z innymi wartościami")
        case .hold: text(en: "Hold back", pl: "Wstrzymaj")
        case .drop: text(en: "Give up", pl: "Porzuć")
        case .resolveMine: text(en: "Mine counts", pl: "Moje się liczy")
        case .resolveDone: text(en: "It was done", pl: "Zostało wykonane")
        case .resolveAgain: text(en: "Send once more", pl: "Wyślij jeszcze raz")
        }
    }

    func note(of decision: OperationDecision) -> String {
        switch decision {
        case .retry: text(en: "past its waiting time", pl: "bez dalszego czekania")
        case .correct: text(en: "in a form", pl: "w formularzu")
        case .hold: text(en: "until somebody tries it again", pl: "aż ktoś spróbuje ponownie")
        case .drop: text(en: "it is not sent, and goes from here", pl: "nie będzie wysłana i zniknie stąd")
        case .resolveMine: text(en: "over the record as it is now", pl: "na rekordzie w obecnej postaci")
        case .resolveDone: text(en: "the upstream has it already", pl: "serwer już to ma")
        case .resolveAgain: text(en: "it may then be done twice", pl: "może zostać wykonana dwa razy")
        }
    }

    func question(_ decision: OperationDecision, _ title: String) -> String {
        switch decision {
        case .retry, .correct: text(en: "Try '\(title)' again?", pl: "Ponowić „\(title)”?")
        case .hold: text(en: "Hold '\(title)' back?", pl: "Wstrzymać „\(title)”?")
        case .drop: text(en: "Give up '\(title)'?", pl: "Porzucić „\(title)”?")
        case .resolveMine:
            text(en: "Write '\(title)' over what is there now?", pl: "Zapisać „\(title)” na obecnej wersji?")
        case .resolveDone: text(en: "Has the upstream done '\(title)'?", pl: "Czy serwer wykonał „\(title)”?")
        case .resolveAgain:
            text(
                en: "Send '\(title)' once more? It may be done twice.",
                pl: "Wysłać „\(title)” jeszcze raz? Może zostać wykonane dwa razy.")
        }
    }

    func notInState(_ state: String) -> String {
        text(en: "not while the operation is \(state)", pl: "nie w tym stanie operacji: \(state)")
    }

    /// The outcome of a decision about an operation.
    func outcome(of decision: OperationDecision?, _ answer: AnswerValue) -> Notice {
        if let refused = answer[OutboxResult.refused].first {
            let state = state(refused[OutboxResult.Refused.state] ?? "")
            return Notice(
                kind: .wrong,
                text: text(
                    en: "Not done: the operation is \(state), or not yours.",
                    pl: "Nie wykonano: operacja jest w stanie „\(state)” albo należy do kogoś innego."))
        }
        guard !answer[OutboxResult.changed].isEmpty else {
            return Notice(
                kind: .wrong, text: text(en: "There is no such operation any more.", pl: "Nie ma już tej operacji."))
        }
        let done =
            switch decision {
            case .retry, .correct: text(en: "It is tried again.", pl: "Operacja jest ponawiana.")
            case .hold: text(en: "It is held back.", pl: "Operacja jest wstrzymana.")
            case .drop: text(en: "It was given up.", pl: "Operacja jest porzucona.")
            case .resolveMine, .resolveDone, .resolveAgain, nil: text(en: "Resolved.", pl: "Rozstrzygnięto.")
            }
        return Notice(kind: .done, text: done)
    }
}
