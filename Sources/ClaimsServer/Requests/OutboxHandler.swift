// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsJSON
import ClaimsModel
import ClaimsOutbox
import ClaimsPlatform
import ClaimsProtocol
import ClaimsQuery
import ClaimsSnapshot
import ClaimsStore

/// `outbox`: the operations that wait for upstreams, and people's decisions about them. Workers read it, never a loop.
enum OutboxHandler {
    static func answer(
        _ parameters: OutboxParameters, from peer: Peer, _ context: RequestContext
    ) throws(RequestError) -> Disposition {
        let selection = try OutboxSelection(parameters, context.queries)
        let services = context.services
        switch parameters.action {
        case .list, .get:
            let operation = OutboxListOperation(
                selection: selection, isWhole: parameters.action == .get, peer: peer, services: services,
                timeout: context.configuration.limits.request)
            return context.runOnWorker(operation, for: peer)
        case .wait: return wait(selection, from: peer, context)
        case .retry, .hold, .drop, .resolve:
            try peer.requireWriting()
            let caller = OutboxCaller(user: peer.uid, isAdmin: peer.roles.has(.admin))
            var order = OutboxOrder(
                try decision(parameters), about: selection.unsettled(context.served.seen, peer), by: caller,
                calendar: CivilCalendar(now: context.served.now))
            order.fields = parameters.fields?.object ?? order.fields
            order.givenID = parameters.id?.text
            order.sight = { peer.recordSight(of: $0) }
            order.isAllowed = { peer.isAllowed($0.name, by: $1) }
            return .later(cancellation: nil) { done in
                services.outbox.decide(order) { result in
                    switch result {
                    case .success(let reply):
                        done(.success(OutboxText.text(of: reply, services.revision)))
                    case .failure(.invalid(let problems)): done(.failure(.invalid(problems)))
                    case .failure(.limited(let collection)): done(.failure(.limitedView(collection)))
                    case .failure(.store(let error)):
                        done(.failure(RequestError(error, collection: selection.collection ?? "outbox")))
                    }
                }
            }
        }
    }

    private static func decision(_ parameters: OutboxParameters) throws(RequestError) -> OperationDecision {
        let action = parameters.action
        if parameters.fields != nil, action != .retry || parameters.ops?.names.count != 1 {
            throw RequestError(
                OutboxParameters.fields,
                TranslatedText(
                    en: "fields correct one operation of retry", pl: "fields poprawiają jedną operację akcji retry"))
        }
        if parameters.resolution != nil, action != .resolve {
            throw RequestError(
                OutboxParameters.resolution,
                TranslatedText(en: "only resolve takes as", pl: "parametr as dotyczy tylko akcji resolve"))
        }
        if parameters.id != nil, parameters.resolution != .done || parameters.ops?.names.count != 1 {
            throw RequestError(
                OutboxParameters.id,
                TranslatedText(
                    en: "an id is for one operation that is resolved as done",
                    pl: "id dotyczy jednej operacji rozstrzyganej jako done"))
        }
        if let id = parameters.id?.text, IDForm.objection(to: Array(id.utf8).rawSpan) != nil {
            throw RequestError(
                OutboxParameters.id,
                TranslatedText(
                    en: "no record can have this id",
                    pl: "żaden rekord nie może mieć tego identyfikatora"),
                hint: TranslatedText(
                    en: "an id is a text of 1 to \(IDForm.maxLength) bytes without control characters",
                    pl: "identyfikator to tekst od 1 do \(IDForm.maxLength) bajtów bez znaków sterujących"))
        }
        guard let decision = parameters.decision else {
            throw RequestError(
                OutboxParameters.resolution, TranslatedText(en: "resolve needs as", pl: "akcja resolve wymaga as"),
                hint: TranslatedText(
                    en: "mine after a conflict; done or again after a doubt",
                    pl: "mine po konflikcie; done albo again w razie wątpliwości"))
        }
        return decision
    }

    private static func wait(
        _ selection: OutboxSelection, from peer: Peer, _ context: RequestContext
    ) -> Disposition {
        let cancellation = Cancellation()
        let services = context.services
        // A peer does not wait for an operation that it does not see.
        let scoped = context.served.seen
        let seen = Set(
            scoped.catalog.unsettledOperations.lazy.filter { scoped.sees($0, of: peer.uid) }.map(\.id))
        let named = selection.unsettled(scoped, peer)
        let operations = named.filter { seen.contains($0) }
        return .watched(cancellation) { [workers = context.workers, watch = context.watch] report, done in
            watch.add(
                OutboxWait(
                    operations: operations, timeout: OutboxSelection.maxWait,
                    isCancelled: { cancellation.isCancelled },
                    progress: { report(ProgressNotification.method, OutboxText.members(of: $0)) },
                    done: { isInTime in
                        guard isInTime else { return done(.failure(.outboxTimeout)) }
                        let operation = OutboxListOperation(
                            selection: selection.only(named), isWhole: false, peer: peer, services: services,
                            timeout: OutboxSelection.maxWait)
                        workers.run(operation, for: peer, cancellation: cancellation, done: done)
                    }))
        }
    }
}

extension RequestError {
    fileprivate static let outboxTimeout = RequestError(
        .timeout,
        TranslatedText(
            en: "some operations are still queued after 10 minutes",
            pl: "po 10 minutach część operacji nadal czeka"),
        hint: TranslatedText(
            en: "list tells what they wait for; wait again to go on",
            pl: "akcja list podaje, na co czekają; wywołaj wait ponownie, aby czekać dalej"))
}

extension Peer {
    /// Checks that the peer may write to some collection.
    ///
    /// - Throws: `forbidden`, naming the role.
    fileprivate func requireWriting() throws(RequestError) {
        if scopes.isEmpty {
            try require(.write, for: TranslatedText(en: "to change operations", pl: "zmiana operacji"))
        }
    }
}

/// The operations that a request of `outbox` is about.
struct OutboxSelection: Sendable {
    /// The maximal time of `wait`.
    static let maxWait: Duration = .seconds(600)

    /// The operations that the request names; nil if the other properties select them.
    private(set) var operations: [OperationID]?
    let collection: String?
    let states: Set<OperationState>?
    let limit: Int
    let before: Int64?
    let language: String
    /// The hash of the list, for cursors.
    let query: UInt64

    init(_ parameters: OutboxParameters, _ context: QueryContext) throws(RequestError) {
        operations = try parameters.ops.map { names throws(RequestError) in
            try names.names.map { name throws(RequestError) in
                guard let id = OperationID(name) else { throw .notAnOperation(name) }
                return id
            }
        }
        collection = try parameters.collection.map { name throws(RequestError) in
            try context.served.view(named: name).definition.name
        }
        states = try parameters.state.map { name throws(RequestError) in try Self.states(name) }
        let isList = parameters.action == .list || parameters.action == .get
        if !isList, operations == nil, collection == nil, states == nil {
            throw RequestError(
                OutboxParameters.ops,
                TranslatedText(en: "no operations are named", pl: "nie wskazano żadnych operacji"),
                hint: TranslatedText(
                    en: "name them in ops, or select them by collection or state",
                    pl: "wymień je w ops albo wybierz przez collection lub state"))
        }
        limit = parameters.limit.map { Int($0) } ?? PageParameters.defaultLimit
        language = parameters.language ?? context.served.configuration.language
        let hashed = QueryHash.list("outbox", collection ?? "", parameters.state ?? "")
        query = hashed
        before = try parameters.cursor.map { text throws(RequestError) in
            Int64(clamping: try context.cursors.number(text, query: hashed))
        }
    }

    private static func states(_ name: String) throws(RequestError) -> Set<OperationState> {
        if name == OutboxParameters.stuck { return Set(OperationState.allCases.filter(\.isStuck)) }
        if name == OutboxParameters.unsettled { return Set(OperationState.allCases.filter { !$0.isSettled }) }
        if let state = OperationState(rawValue: name) { return [state] }
        let names = OperationState.allCases.map(\.rawValue) + [OutboxParameters.unsettled, OutboxParameters.stuck]
        let list = names.joined(separator: ", ")
        throw RequestError(
            OutboxParameters.state, TranslatedText(en: "unknown state '\(name)'", pl: "nieznany stan „\(name)”"),
            hint: Suggestion.question(name, among: names)
                ?? TranslatedText(en: "the states are \(list)", pl: "stany to \(list)"))
    }

    /// The same request about these operations.
    func only(_ operations: [OperationID]) -> OutboxSelection {
        var selection = self
        selection.operations = operations
        return selection
    }

    /// The operations that the request names, or the unsettled ones that it selects.
    func unsettled(_ seen: ScopedCatalog, _ peer: Peer) -> [OperationID] {
        if let operations { return operations }
        return seen.catalog.unsettledOperations.filter { operation in
            seen.sees(operation, of: peer.uid) && (collection == nil || operation.collection == collection)
                && (states?.contains(operation.state) ?? true)
        }.map(\.id)
    }
}

extension RequestError {
    fileprivate static func notAnOperation(_ name: String) -> RequestError {
        RequestError(
            OutboxParameters.ops,
            TranslatedText(en: "'\(name)' is not the UUID of an operation", pl: "„\(name)” nie jest UUID operacji"))
    }
}

/// `outbox` with `list`, `get` and `wait`: one page of operations, or the named ones.
struct OutboxListOperation: QueryOperation {
    let selection: OutboxSelection
    /// Whether values and attempts are written.
    let isWhole: Bool
    let peer: Peer
    let services: ServerServices
    let timeout: Duration
    static let takesTimeout = false

    func run(_ context: QueryContext, budget: QueryBudget, to writer: inout JSONWriter) throws(QueryFailure) {
        let seen = context.served.seen
        let page = try QueryFailure.reading(selection.collection ?? "outbox") { () throws(StoreError) in
            try read(seen)
        }
        var text = OutboxText(peer: peer, isWhole: isWhole, language: selection.language, served: context.served)
        text.nextTry = { [outbox = services.outbox] in outbox.nextTry(of: $0) }
        writer.beginObject()
        writer.key(OutboxResult.operations)
        writer.beginArray()
        for operation in page.operations { text.write(operation, to: &writer) }
        writer.endArray()
        writer.member(OutboxResult.total, page.total)
        if page.hasMore, let last = page.operations.last {
            let number = UInt64(clamping: last.operation.number)
            writer.member(OutboxResult.next, context.cursors.encode(number: number, query: selection.query))
        }
        if let named = selection.operations {
            let found = Set(page.operations.map(\.operation.id))
            let missing = named.filter { !found.contains($0) }
            if !missing.isEmpty { writer.member(OutboxResult.missing, missing.map(\.text)) }
        }
        writer.key(OutboxResult.paused)
        OutboxText.write(
            seen.seesDaemon ? services.outbox.troubledOrigins : [], language: selection.language, to: &writer)
        writer.endObject()
        recordShown(page.operations.map(\.operation), seen)
    }

    /// Counts the records of the operations, if the collection is journaled.
    private func recordShown(_ operations: [ClaimsModel.Operation], _ seen: ScopedCatalog) {
        for view in seen.catalog.views where view.definition.isJournaled {
            var look = Look(.outbox)
            for operation in operations where operation.collection == view.definition.name {
                look.shown.append(Array(operation.record.utf8).rawSpan)
            }
            if look.shown.count > 0 || selection.collection == view.definition.name {
                peer.record(look, of: view.definition)
            }
        }
    }

    private func read(_ seen: ScopedCatalog) throws(StoreError) -> OperationPage {
        if let named = selection.operations {
            var found: [StoredOperation] = []
            for id in named {
                guard let stored = try services.store.operation(id),
                    seen.sees(stored.operation, of: peer.uid),
                    selection.collection == nil || stored.operation.collection == selection.collection,
                    selection.states?.contains(stored.operation.state) ?? true
                else { continue }
                found.append(stored)
            }
            return OperationPage(
                operations: found.sorted { $0.operation.number > $1.operation.number }, total: found.count,
                hasMore: false)
        }
        var views = seen.isWhole ? nil : seen.catalog.views
        if let name = selection.collection {
            guard let view = seen.catalog[name] else {
                throw StoreError(.noCollection, "list operations", detail: name)
            }
            views = [view]
        }
        let parts = views.map { views in
            OperationParts(
                whole: views.filter { $0.limit == nil }.map(\.condition.row.number),
                own: views.filter { $0.limit != nil }.map(\.condition.row.number), user: peer.uid)
        }
        return try services.store.database.operations(
            of: parts, in: selection.states ?? [], before: selection.before, limit: selection.limit)
    }
}
