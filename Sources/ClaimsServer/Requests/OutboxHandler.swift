// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsModel
import ClaimsPlatform
import ClaimsProtocol
import ClaimsQuery
import ClaimsStore

/// `outbox`: what waits for upstreams, and what people decide about it. Workers read it, never a loop.
enum OutboxHandler {
    static func answer(
        _ parameters: OutboxParameters, from peer: Peer, _ context: RequestContext
    ) throws(RequestError) -> Disposition {
        let selection = try OutboxSelection(parameters, context)
        let services = context.services
        switch parameters.action {
        case .list, .get:
            let operation = OutboxListOperation(
                selection: selection, isWhole: parameters.action == .get, peer: peer, services: services.writing,
                timeout: context.configuration.limits.request)
            return context.runOnWorker(operation, for: peer)
        case .wait: return wait(selection, from: peer, context)
        case .retry, .hold, .drop, .resolve:
            try peer.requireWriting()
            let decision = try decision(parameters)
            let calendar = CivilCalendar(now: context.served.now)
            let order = OutboxOrder(
                decision, about: selection.unsettled(context.served.catalog), uid: peer.uid,
                isAdmin: peer.roles.has(.admin), calendar: calendar)
            return .later(cancellation: nil) { done in
                services.writing.decide(order) { result in
                    switch result {
                    case .success(let reply):
                        done(.success(OutboxText.text(of: reply, services.catalogs.current().revision)))
                    case .failure(.invalid(let problems)): done(.failure(.invalid(problems)))
                    case .failure(.store(let error)):
                        done(.failure(RequestError(error, collection: selection.collection ?? "outbox")))
                    }
                }
            }
        }
    }

    private static func decision(_ parameters: OutboxParameters) throws(RequestError) -> OutboxOrder.Decision {
        let action = parameters.action
        if parameters.fields != nil, action != .retry || parameters.ops?.names.count != 1 {
            throw RequestError(
                OutboxParameters.fields,
                ErrorText(
                    en: "fields correct one operation of retry", pl: "fields poprawiają jedną operację akcji retry"))
        }
        if parameters.resolution != nil, action != .resolve {
            throw RequestError(
                OutboxParameters.resolution,
                ErrorText(en: "only resolve takes as", pl: "parametr as dotyczy tylko akcji resolve"))
        }
        if parameters.id != nil, parameters.resolution != .done || parameters.ops?.names.count != 1 {
            throw RequestError(
                OutboxParameters.id,
                ErrorText(
                    en: "an id is for one operation that is resolved as done",
                    pl: "id dotyczy jednej operacji rozstrzyganej jako done"))
        }
        switch action {
        case .hold: return .hold
        case .drop: return .drop
        case .resolve:
            switch parameters.resolution {
            case .mine?: return .resolveMine
            case .done?: return .resolveDone(id: parameters.id?.text)
            case .again?: return .resolveAgain
            case nil:
                throw RequestError(
                    OutboxParameters.resolution, ErrorText(en: "resolve needs as", pl: "akcja resolve wymaga as"),
                    hint: ErrorText(
                        en: "mine after a conflict; done or again after a doubt",
                        pl: "mine po konflikcie; done albo again w razie wątpliwości"))
            }
        case .retry, .list, .get, .wait: return .retry(corrected: parameters.fields?.object)
        }
    }

    private static func wait(
        _ selection: OutboxSelection, from peer: Peer, _ context: RequestContext
    ) -> Disposition {
        let cancellation = Cancellation()
        let services = context.services.writing
        let operations = selection.unsettled(context.served.catalog)
        return .watched(cancellation) { [workers = context.workers] tell, done in
            services.wait(
                OutboxWait(
                    operations: operations, timeout: OutboxSelection.maxWait,
                    isCancelled: { cancellation.isCancelled },
                    progress: { tell(ProgressNotification.method, OutboxText.members(of: $0)) },
                    done: { isInTime in
                        guard isInTime else { return done(.failure(.outboxTimeout)) }
                        let operation = OutboxListOperation(
                            selection: selection.only(operations), isWhole: false, peer: peer, services: services,
                            timeout: OutboxSelection.maxWait)
                        workers.run(operation, for: peer.requester, cancellation: cancellation, done: done)
                    }))
        }
    }
}

/// The operations that a request of `outbox` is about.
struct OutboxSelection: Sendable {
    /// How long `wait` may take.
    static let maxWait: Duration = .seconds(600)

    /// The operations that the request names; nil where the other properties select them.
    private(set) var operations: [OperationID]?
    let collection: String?
    let states: Set<OperationState>?
    let limit: Int
    let before: Int64?
    let language: String
    /// The hash of the list, for cursors.
    let query: UInt64

    init(_ parameters: OutboxParameters, _ context: RequestContext) throws(RequestError) {
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
                ErrorText(en: "no operations are named", pl: "nie wskazano żadnych operacji"),
                hint: ErrorText(
                    en: "name them in ops, or select them by collection or state",
                    pl: "wymień je w ops albo wybierz przez collection lub state"))
        }
        limit = parameters.limit.map { Int($0) } ?? PageParameters.defaultLimit
        language = parameters.language ?? context.configuration.language
        var hash = QueryHash()
        hash.add("outbox")
        hash.add(collection ?? "")
        hash.add(parameters.state ?? "")
        query = hash.value
        let hashed = query
        before = try parameters.cursor.map { text throws(RequestError) in
            Int64(clamping: try context.queries.cursors.number(text, query: hashed))
        }
    }

    private static func states(_ name: String) throws(RequestError) -> Set<OperationState> {
        if name == OutboxParameters.stuck { return Set(OperationState.allCases.filter(\.isStuck)) }
        if let state = OperationState(rawValue: name) { return [state] }
        let names = OperationState.allCases.map(\.rawValue) + [OutboxParameters.stuck]
        let list = names.joined(separator: ", ")
        throw RequestError(
            OutboxParameters.state, ErrorText(en: "unknown state '\(name)'", pl: "nieznany stan „\(name)”"),
            hint: Suggestion.question(name, among: names)
                ?? ErrorText(en: "the states are \(list)", pl: "stany to \(list)"))
    }

    /// The same request about these operations.
    func only(_ operations: [OperationID]) -> OutboxSelection {
        var selection = self
        selection.operations = operations
        return selection
    }

    /// The operations that the request names, or the unsettled ones that it selects.
    func unsettled(_ catalog: Catalog) -> [OperationID] {
        if let operations { return operations }
        return catalog.unsettledOperations.filter { operation in
            (collection == nil || operation.collection == collection) && (states?.contains(operation.state) ?? true)
        }.map(\.id)
    }
}

extension RequestError {
    fileprivate static func notAnOperation(_ name: String) -> RequestError {
        RequestError(
            OutboxParameters.ops,
            ErrorText(en: "'\(name)' is not the UUID of an operation", pl: "„\(name)” nie jest UUID operacji"))
    }

    fileprivate static let outboxTimeout = RequestError(
        .timeout,
        ErrorText(
            en: "some operations are still queued after 10 minutes",
            pl: "po 10 minutach część operacji nadal czeka"),
        hint: ErrorText(
            en: "list tells what they wait for; wait again to go on",
            pl: "akcja list podaje, na co czekają; wywołaj wait ponownie, aby czekać dalej"))
}

extension Peer {
    /// Checks that the peer may write to some collection.
    ///
    /// - Throws: `forbidden`, naming the role.
    fileprivate func requireWriting() throws(RequestError) {
        if scopes.isEmpty { try require(.write, for: ErrorText(en: "to change operations", pl: "zmiana operacji")) }
    }
}
