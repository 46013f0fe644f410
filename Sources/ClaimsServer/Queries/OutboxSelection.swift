// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsModel
import ClaimsPlatform
import ClaimsProtocol
import ClaimsQuery
import ClaimsStore

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
                ErrorText(en: "no operations are named", pl: "nie wskazano żadnych operacji"),
                hint: ErrorText(
                    en: "name them in ops, or select them by collection or state",
                    pl: "wymień je w ops albo wybierz przez collection lub state"))
        }
        limit = parameters.limit.map { Int($0) } ?? PageParameters.defaultLimit
        language = parameters.language ?? context.served.configuration.language
        var hash = QueryHash()
        hash.add("outbox")
        hash.add(collection ?? "")
        hash.add(parameters.state ?? "")
        query = hash.value
        let hashed = query
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
}
