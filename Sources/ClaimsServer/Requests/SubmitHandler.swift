// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsJSON
import ClaimsModel
import ClaimsOutbox
import ClaimsPlatform
import ClaimsProtocol
import ClaimsStore

/// `submit`: one operation on one record; answered after it is on disk.
enum SubmitHandler {
    static func answer(
        _ parameters: SubmitParameters, from peer: Peer, _ context: RequestContext
    ) throws(RequestError) -> Disposition {
        let view = try context.served.view(named: parameters.collection)
        let action = try offered(parameters.action, in: view.definition, to: peer)
        var submission = try submission(parameters, action, of: view.definition, from: peer, context)
        submission.admit = context.services.outbox.admission(at: submission.calendar.now)
        let mayFreeFiles = submission.action == .delete || !submission.detached.isEmpty
        let services = context.services
        return .later(cancellation: nil) { [submission] done in
            services.store.submit(submission, with: services.attachments) { result in
                if mayFreeFiles, case .success(let outcome) = result, outcome.state == .done { services.sweep.ask() }
                switch result {
                case .success(let outcome):
                    peer.record(Look(.submit, at: outcome.id.rawSpan), of: view.definition)
                    done(.success(SubmitText(outcome, of: submission, in: view.definition).json))
                case .failure(let refusal):
                    done(.failure(RequestError(refusal, submission)))
                }
            }
        }
    }

    /// The action of that name, if the peer has the role for it and the definition offers it.
    private static func offered(
        _ name: String, in definition: Definition, to peer: Peer
    ) throws(RequestError) -> WriteAction {
        let rules = definition.writes
        let action = rules?.actions.first { $0.name == name }
        try peer.requireWriting(action, of: definition)
        guard let offered = rules?.offered(name) else {
            if let home = definition.home { throw .writtenElsewhere(definition.name, home) }
            throw .notOffered(name, among: rules?.offered.map(\.name) ?? [], of: definition.name)
        }
        return offered
    }

    private static func submission(
        _ parameters: SubmitParameters, _ action: WriteAction, of definition: Definition, from peer: Peer,
        _ context: RequestContext
    ) throws(RequestError) -> Submission {
        let id = parameters.id.map { Array($0.text.utf8) }
        if (id == nil) != (action.kind == .create) {
            throw RequestError(
                SubmitParameters.id,
                id == nil
                    ? TranslatedText(
                        en: "'\(action.name)' needs the id of a record", pl: "„\(action.name)” wymaga id rekordu")
                    : TranslatedText(en: "a new record has no id yet", pl: "nowy rekord nie ma jeszcze id"))
        }
        let rules = try context.queries.sharedZone(named: parameters.timeZone).rules
        let now = context.served.now
        let limits = context.configuration.limits
        var submission = Submission(
            try operation(parameters.op, now: now), OperationAction(action.name), on: id, of: definition.name,
            uid: peer.uid, calendar: CivilCalendar(now: now, startOfDay: { rules.startOfDay($0) }),
            limits: Submission.Limits(
                pending: limits.pending, pendingBytes: limits.pendingBytes,
                historyBytes: definition.history.applied(to: context.configuration.history).bytes))
        submission.fields = parameters.fields?.object ?? JSONObject()
        submission.uploads = parameters.attach?.names ?? []
        submission.detached = parameters.detach?.names ?? []
        submission.expected = parameters.expect?.object ?? JSONObject()
        submission.isDryRun = parameters.isDryRun
        submission.sight = { peer.recordSight(of: $0) }
        return submission
    }

    /// The identifier that the caller gave, or a new one.
    private static func operation(_ text: String?, now: Int64) throws(RequestError) -> OperationID {
        guard let text else {
            return OperationID(time: now, random: (RandomBytes.integer(), RandomBytes.integer()))
        }
        guard let id = OperationID(text) else {
            throw RequestError(
                SubmitParameters.op, TranslatedText(en: "op is not a UUID", pl: "op nie jest identyfikatorem UUID"),
                hint: TranslatedText(
                    en: "such as 0192f0c1-2b3d-7a54-8c1e-6f0a9d3b5e71",
                    pl: "na przykład 0192f0c1-2b3d-7a54-8c1e-6f0a9d3b5e71"))
        }
        return id
    }
}

/// Writes the result of `submit`.
struct SubmitText {
    private let outcome: SubmitOutcome
    private let submission: Submission
    private let definition: Definition

    init(_ outcome: SubmitOutcome, of submission: Submission, in definition: Definition) {
        self.outcome = outcome
        self.submission = submission
        self.definition = definition
    }

    var json: [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.member(SubmitResult.op, outcome.op.text)
        writer.key(SubmitResult.id)
        writer.string(utf8: outcome.id.rawSpan)
        writer.member(SubmitResult.action, outcome.action.name)
        writer.member(SubmitResult.state, outcome.state.rawValue)
        writer.member(SubmitResult.changed, outcome.changed.filter { definition.fieldIndex($0) != nil })
        if let record = outcome.record {
            writer.key(SubmitResult.record)
            writer.raw(ShownMembers(of: definition)?.object(record.rawSpan) ?? record)
        }
        if submission.isDryRun, let request {
            writer.key(SubmitResult.request)
            request.writePreview(to: &writer)
        }
        writer.member(SubmitResult.clock, outcome.revision.text)
        if outcome.isRepeated { writer.member(SubmitResult.isRepeated, true) }
        writer.endObject()
        return writer.bytes
    }

    /// The request that the upstream would be sent; nil if this host is the truth.
    private var request: ComposedRequest? {
        // A request has values of the upstream's object, as in the answer of `detail`.
        guard !definition.isLocal, !definition.hasSights, let write = outcome.write else { return nil }
        let subject = WriteSubject(id: outcome.id, operation: outcome.op.text)
        return try? WriteComposer(definition).request(of: write, for: subject, over: outcome.base)
    }
}

extension RequestError {
    /// The error about a write on a host of a fleet that is not the home of the records.
    static func writtenElsewhere(_ collection: String, _ home: String) -> RequestError {
        RequestError(
            .notAllowed,
            TranslatedText(
                en: "the records of \(collection) are written on \(home)",
                pl: "rekordy kolekcji \(collection) zapisuje się na hoście \(home)"),
            hint: TranslatedText(en: "ask there: claimsctl -H \(home)", pl: "zrób to tam: claimsctl -H \(home)"))
    }

    /// The error about an action that a collection does not offer.
    static func notOffered(_ action: String, among offered: [String], of collection: String) -> RequestError {
        let list = offered.joined(separator: ", ")
        let known =
            offered.isEmpty
            ? TranslatedText(
                en: "\(collection) is only read here: its definition names no writes.to",
                pl: "kolekcję \(collection) można tu tylko czytać: jej definicja nie podaje writes.to")
            : TranslatedText(en: "it offers \(list)", pl: "dostępne działania to \(list)")
        return .notAllowed(action, filter: nil, hint: Suggestion.question(action, among: offered) ?? known)
    }

    /// The answer to a submission that is refused.
    init(_ refusal: SubmitRefusal, _ submission: Submission) {
        let name = submission.collection
        switch refusal {
        case .noCollection:
            self = .unknownCollection(
                name, hint: TranslatedText(en: "it was removed meanwhile", pl: "w międzyczasie została usunięta"))
        case .notOffered(let offered): self = .notOffered(submission.action.name, among: offered, of: name)
        case .knownOperation:
            self.init(
                .conflict,
                TranslatedText(
                    en: "the operation \(submission.op.text) is known with another content, or of another user",
                    pl: "operacja \(submission.op.text) jest już znana z inną treścią albo od innego użytkownika"),
                hint: TranslatedText(en: "take a new op", pl: "użyj nowego op"),
                details: [RequestError.detail("op", submission.op.text)])
        case .recordExists:
            self.init(
                .conflict,
                TranslatedText(
                    en: "\(name) has a record with the id \(submission.op.text) already",
                    pl: "w kolekcji \(name) jest już rekord o id \(submission.op.text)"),
                hint: TranslatedText(en: "take a new op", pl: "użyj nowego op"),
                details: [RequestError.detail("op", submission.op.text)])
        case .invalid(let problems): self = .invalid(problems)
        case .noData:
            self.init(
                .noData,
                TranslatedText(
                    en: "no upstream of \(name) has answered yet, so there is no record to change",
                    pl: "żadne źródło kolekcji \(name) jeszcze nie odpowiedziało, więc nie ma rekordu do zmiany"),
                details: [RequestError.detail("collection", name)])
        case .withheld:
            self.init(
                .noData,
                TranslatedText(
                    en: "\(name) is withheld until its upstream has answered, so there is no record to change",
                    pl:
                        "kolekcja \(name) nie jest pokazywana, póki nie odpowie jej źródło, więc nie ma rekordu do zmiany"
                ),
                hint: TranslatedText(
                    en: "refresh with wait to try again",
                    pl: "wywołaj refresh z parametrem wait, żeby spróbować ponownie"),
                details: [RequestError.detail("collection", name)])
        case .notFound:
            let id = String(decoding: submission.id ?? [], as: UTF8.self)
            self.init(
                .notFound,
                TranslatedText(en: "\(name) has no record '\(id)'", pl: "w kolekcji \(name) nie ma rekordu „\(id)”"),
                details: [RequestError.detail("id", id)])
            look = .missed(name)
        case .outsideRows:
            self = .notAllowed(
                submission.action.name, filter: nil,
                hint: TranslatedText(
                    en: "the rules of \(name) would not show you the record as it would be",
                    pl: "reguły kolekcji \(name) nie pokazałyby Ci rekordu w tej postaci"))
        case .notMatching(let filter): self = .notAllowed(submission.action.name, filter: filter)
        case .unexpected(let mismatches):
            self = .unexpected(
                expected: JSONObject(mismatches.map { .init($0.field, $0.expected) }),
                served: JSONObject(mismatches.map { .init($0.field, $0.served) }))
            look = .shown(name, id: submission.id ?? [])
        case .full:
            self.init(
                .outboxFull,
                TranslatedText(
                    en: "\(name) has as many unsettled operations as it may have",
                    pl: "kolekcja \(name) ma już tyle nierozliczonych operacji, ile może mieć"),
                hint: TranslatedText(
                    en: "look at them with outbox; limits.pending and limits.pending_bytes bound them",
                    pl: "przejrzyj je metodą outbox; ograniczają je limits.pending i limits.pending_bytes"))
        case .busy:
            self.init(
                .busy,
                TranslatedText(
                    en: "records of \(name) are written faster than they can be stored",
                    pl: "rekordy kolekcji \(name) są zapisywane szybciej, niż można je utrwalić"),
                hint: TranslatedText(en: "try again in a moment", pl: "spróbuj ponownie za chwilę"),
                details: [RequestError.detail("retry_after_ms", Int64(100))])
        case .store(let error): self.init(error, collection: name)
        }
    }
}
