// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsClient
import ClaimsModel
import ClaimsProtocol
import ClaimsTerminal

// Notices and questions of the layers. Titles and ids are escaped before they come here.

extension Messages {
    /// Whether a key says yes: y, and in Polish t as well.
    func isYes(_ key: Key) -> Bool {
        switch key {
        case .character("y"), .character("Y"): true
        case .character("t"), .character("T"): isPolish
        default: false
        }
    }

    var notConnected: String {
        text(en: "claimsd does not answer; nothing was done", pl: "claimsd nie odpowiada; nic nie zrobiono")
    }

    func textIsFull(_ bytes: Int) -> String {
        text(en: "no more than \(number(bytes)) bytes", pl: "nie więcej niż \(number(bytes)) B")
    }

    /// The reason and the hint of a refused request.
    func refused(_ refusal: Refusal) -> String {
        let hint = refusal.hint.map { " (\(Escaping.line($0)))" } ?? ""
        return Escaping.line(refusal.message) + hint
    }

    /// The reason why the daemon does not take a file, or does not give it, with what it would take.
    func transferRefused(_ refusal: Refusal) -> String {
        let problems = FieldProblemText.all(in: refusal.data)
        return problems.isEmpty ? refused(refusal) : problems.map(\.lineOfField).joined(separator: " · ")
    }

    func isGone(_ id: String) -> String {
        let id = Escaping.line(id)
        return text(en: "\(id) is not there any more", pl: "\(id): tego już nie ma")
    }

    var newRecord: String { text(en: "new record", pl: "nowy rekord") }

    /// The outcome of archiving: `Archived 7 · u undoes`.
    func archived(_ step: ArchiveStep, isUndo: Bool) -> String {
        let ids = Escaping.line(step.ids.joined(separator: ", "))
        let done =
            step.isArchive
            ? text(en: "Archived \(ids)", pl: "Przeniesiono do archiwum: \(ids)")
            : text(en: "Unarchived \(ids)", pl: "Przywrócono z archiwum: \(ids)")
        return isUndo ? done : done + text(en: " · u undoes", pl: " · u cofa")
    }

    var nothingToUndo: String {
        text(en: "Nothing was archived here that could be undone.", pl: "Nie ma tu nic do cofnięcia.")
    }

    var isUnderWay: String {
        text(en: "A change of this record is under way.", pl: "Zmiana tego rekordu już trwa.")
    }

    // MARK: - Copying and opening

    /// The notice about copying or opening; nil for the progress of a file.
    func notice(of outcome: CommandOutcome) -> Notice? {
        switch outcome {
        case .copied(let content):
            let content = excerpt(content)
            return Notice(kind: .done, text: text(en: "Copied: \(content)", pl: "Skopiowano: \(content)"))
        case .notCopied(let content, let reason):
            let content = excerpt(content)
            return Notice(
                kind: .wrong,
                text: text(en: "Not copied (\(reason)): \(content)", pl: "Nie skopiowano (\(reason)): \(content)"))
        case .opened(let target):
            let name = name(of: target)
            return Notice(kind: .done, text: text(en: "Opened \(name)", pl: "Otwarto: \(name)"))
        case .notOpened(let target, let reason):
            let name = name(of: target)
            return Notice(
                kind: .wrong, text: text(en: "\(name) was not opened: \(reason)", pl: "Nie otwarto \(name): \(reason)"))
        case .uploading, .uploaded, .notUploaded: return nil
        }
    }

    /// As much of a text as a line can show, on one line.
    private func excerpt(_ content: String) -> String {
        let start = content.prefix(Self.maxExcerptCharacters)
        return Escaping.line(String(start)) + (start.endIndex < content.endIndex ? "…" : "")
    }

    /// The maximum length of what a notice repeats; the widest terminals show no more.
    private static let maxExcerptCharacters = 500

    /// The maximum width of an address in a notice.
    private static let maxAddressCells = 32

    private func name(of target: OpenTarget) -> String {
        switch target {
        // The outcome stands behind it.
        case .address(let address): Fitting.truncate(Escaping.line(address), to: Self.maxAddressCells)
        case .attachment(_, _, let file): Escaping.line(file.name)
        }
    }

    var nothingToOpen: String {
        text(en: "The record has no file and no web address.", pl: "Rekord nie ma pliku ani adresu WWW.")
    }

    var openTitle: String { text(en: "Open", pl: "Otwórz") }

    // MARK: - Operations

    /// The outcome of an operation that was submitted: `Changed Pump: status · queued`.
    ///
    /// - Parameters:
    ///   - title: the title of the record.
    ///   - collection: the collection of the record, for the headings of its fields; nil if it is gone.
    func submitted(_ answer: AnswerValue, title: String, of collection: CollectionDescription? = nil) -> Notice {
        let action = answer[SubmitResult.action] ?? ""
        let names = answer[SubmitResult.changed].map { collection?.column($0.text).heading ?? $0.text }
        let changed = Escaping.line(names.joined(separator: ", "))
        let state = answer[SubmitResult.state] ?? ""
        var done: String
        switch action {
        case "create": done = text(en: "Added: \(title)", pl: "Dodano: \(title)")
        case "delete": done = text(en: "Deleted: \(title)", pl: "Usunięto: \(title)")
        case "update" where changed.isEmpty && state == OperationState.done.rawValue:
            return Notice(kind: .news, text: text(en: "Nothing differs.", pl: "Nic się nie różni."))
        case "update":
            done =
                text(en: "Changed \(title)", pl: "Zmieniono \(title)") + (changed.isEmpty ? "" : ": \(changed)")
        default: done = text(en: "Done with \(title)", pl: "Wykonano: \(title)")
        }
        if answer[SubmitResult.isRepeated] == true {
            done += text(en: " (it had arrived before)", pl: " (dotarło już wcześniej)")
        }
        guard state != OperationState.done.rawValue else { return Notice(kind: .done, text: done) }
        let isHeld = state == OperationState.held.rawValue
        return Notice(kind: isHeld ? .wrong : .done, text: "\(done) · \(self.state(state))")
    }

    /// The state of an operation in words.
    func state(_ state: String) -> String {
        switch OperationState(rawValue: state) {
        case .queued: text(en: "queued", pl: "czeka na wysłanie")
        case .sending: text(en: "being sent", pl: "w trakcie wysyłania")
        case .accepted: text(en: "accepted", pl: "przyjęta")
        case .held: text(en: "held", pl: "wstrzymana")
        case .uncertain: text(en: "uncertain", pl: "niepewna")
        case .conflict: text(en: "in conflict", pl: "w konflikcie")
        case .rejected: text(en: "rejected", pl: "odrzucona")
        case .unconfirmed: text(en: "unconfirmed", pl: "niepotwierdzona")
        case .confirmed: text(en: "confirmed", pl: "potwierdzona")
        case .done: text(en: "done", pl: "wykonana")
        case .dropped: text(en: "dropped", pl: "porzucona")
        case nil: Escaping.line(state)
        }
    }
}

// Titles of sheets, and questions.

extension Messages {
    var noView: String { text(en: "all records", pl: "wszystkie rekordy") }
    func viewsTitle(_ collection: String) -> String {
        text(en: "View of \(collection)", pl: "Widok: \(collection)")
    }
    var defaultOrder: String { text(en: "default", pl: "domyślny") }
    /// The title of a collection within a message: in English in small letters.
    func inText(_ title: String) -> String {
        let second = title.unicodeScalars.dropFirst().first
        guard !isPolish, let first = title.first, second?.properties.isUppercase != true else { return title }
        return first.lowercased() + title.dropFirst()
    }

    func ordersTitle(_ collection: String) -> String {
        text(
            en: "Sort \(inText(collection)) by (Enter takes, - reverses)",
            pl: "Porządek: \(collection) (Enter wybiera, - odwraca)")
    }

    func deleteQuestion(_ title: String) -> String { text(en: "Delete '\(title)'?", pl: "Usunąć „\(title)”?") }

    func acceptQuestion(_ records: Int64, insteadOf old: Int64) -> String {
        text(
            en: "Take \(count(records, .records)) instead of \(number(old))?",
            pl: "Przyjąć \(count(records, .records)) zamiast \(number(old))?")
    }

}

extension RecordFile {
    /// The kind and size of the file: `image/png, 1.2 MiB`.
    func note(_ messages: Messages) -> String {
        Escaping.line(type.isEmpty ? "" : "\(type), ") + messages.size(size)
    }
}
