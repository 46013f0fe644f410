// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsModel
import ClaimsProtocol
import ClaimsStore

extension RequestError {
    /// The error about an action that a collection does not offer.
    static func notOffered(_ action: String, among offered: [String], of collection: String) -> RequestError {
        let list = offered.joined(separator: ", ")
        let known =
            offered.isEmpty
            ? ErrorText(
                en: "\(collection) is only read here: its definition names no writes.to",
                pl: "kolekcję \(collection) można tu tylko czytać: jej definicja nie podaje writes.to")
            : ErrorText(en: "it offers \(list)", pl: "dostępne działania to \(list)")
        return .notAllowed(action, filter: nil, hint: Suggestion.question(action, among: offered) ?? known)
    }

    /// The error about a role that a definition grants.
    ///
    /// - Parameter setting: the key of the definition that names the users and groups.
    static func notAmongWriters(_ subject: String, setting: String, of collection: String) -> RequestError {
        RequestError(
            .forbidden,
            ErrorText(
                en: "\(subject) needs the role 'write:\(collection)', which your user does not have",
                pl: "\(subject) wymaga roli „write:\(collection)”, której Twój użytkownik nie ma"),
            hint: ErrorText(
                en: "an administrator grants it in collections.d/\(collection).json5: \(setting)",
                pl: "nadaje ją administrator w pliku collections.d/\(collection).json5: \(setting)"),
            details: [detail("role", "write:\(collection)")])
    }

    /// The answer to a submission that is refused.
    init(_ refusal: SubmitRefusal, _ submission: Submission, _ catalog: Catalog, language: String) {
        let name = submission.collection
        switch refusal {
        case .noCollection:
            self = .unknownCollection(
                name, hint: ErrorText(en: "it was removed meanwhile", pl: "w międzyczasie została usunięta"))
        case .notOffered(let offered): self = .notOffered(submission.action.name, among: offered, of: name)
        case .knownOperation:
            self.init(
                .conflict,
                ErrorText(
                    en: "the operation \(submission.op.text) is known with another content, or of another user",
                    pl: "operacja \(submission.op.text) jest już znana z inną treścią albo od innego użytkownika"),
                hint: ErrorText(en: "take a new op", pl: "użyj nowego op"),
                details: [RequestError.detail("op", submission.op.text)])
        case .recordExists:
            self.init(
                .conflict,
                ErrorText(
                    en: "\(name) has a record with the id \(submission.op.text) already",
                    pl: "w kolekcji \(name) jest już rekord o id \(submission.op.text)"),
                hint: ErrorText(en: "take a new op", pl: "użyj nowego op"),
                details: [RequestError.detail("op", submission.op.text)])
        case .invalid(let problems): self = .invalid(problems)
        case .noData:
            self.init(
                .noData,
                ErrorText(
                    en: "no upstream of \(name) has answered yet, so there is no record to change",
                    pl: "żadne źródło kolekcji \(name) jeszcze nie odpowiedziało, więc nie ma rekordu do zmiany"),
                details: [RequestError.detail("collection", name)])
        case .withheld:
            self.init(
                .noData,
                ErrorText(
                    en: "\(name) is withheld until its upstream has answered, so there is no record to change",
                    pl:
                        "kolekcja \(name) nie jest pokazywana, póki nie odpowie jej źródło, więc nie ma rekordu do zmiany"
                ),
                hint: ErrorText(
                    en: "refresh with wait to try again",
                    pl: "wywołaj refresh z parametrem wait, żeby spróbować ponownie"),
                details: [RequestError.detail("collection", name)])
        case .notFound:
            let id = String(decoding: submission.id ?? [], as: UTF8.self)
            self.init(
                .notFound,
                ErrorText(en: "\(name) has no record '\(id)'", pl: "w kolekcji \(name) nie ma rekordu „\(id)”"),
                details: [RequestError.detail("id", id)])
        case .notMatching(let filter): self = .notAllowed(submission.action.name, filter: filter)
        case .unexpected(let mismatches):
            self = .unexpected(
                expected: JSONObject(mismatches.map { .init($0.field, $0.expected) }),
                served: JSONObject(mismatches.map { .init($0.field, $0.served) }))
        case .full:
            self.init(
                .outboxFull,
                ErrorText(
                    en: "\(name) has as many unsettled operations as it may have",
                    pl: "kolekcja \(name) ma już tyle nierozliczonych operacji, ile może mieć"),
                hint: ErrorText(
                    en: "look at them with outbox; limits.pending and limits.pending_bytes bound them",
                    pl: "przejrzyj je metodą outbox; ograniczają je limits.pending i limits.pending_bytes"))
        case .busy:
            self.init(
                .busy,
                ErrorText(
                    en: "records of \(name) are written faster than they can be stored",
                    pl: "rekordy kolekcji \(name) są zapisywane szybciej, niż można je utrwalić"),
                hint: ErrorText(en: "try again in a moment", pl: "spróbuj ponownie za chwilę"),
                details: [RequestError.detail("retry_after_ms", Int64(100))])
        case .store(let error): self.init(error, collection: name)
        }
    }
}
