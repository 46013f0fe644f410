// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import ClaimsProtocol
import ClaimsQuery
import ClaimsStore

/// `history`: what happened to one record. A worker reads the log, never a loop.
enum HistoryHandler {
    static func answer(
        _ parameters: HistoryParameters, from peer: Peer, _ context: RequestContext
    ) throws(RequestError) -> Disposition {
        let view = try context.served.view(named: parameters.collection)
        try context.served.requireTold(view, language: parameters.language)
        let id = parameters.id.text
        let query = QueryHash.history(view.definition.name, id)
        let before = try parameters.cursor.map { text throws(RequestError) in
            try context.queries.cursors.number(text, query: query)
        }
        let operation = HistoryOperation(
            view: view, id: view.currentID(Array(id.utf8)),
            limit: parameters.limit.map { Int($0) } ?? PageParameters.defaultLimit, before: before,
            query: query, language: parameters.language, timeout: context.configuration.limits.request)
        return context.runOnWorker(operation, for: peer)
    }
}

extension QueryHash {
    /// The hash of the versions of a record, for their cursors.
    fileprivate static func history(_ collection: String, _ id: String) -> UInt64 {
        var hash = QueryHash()
        hash.add("history")
        hash.add(collection)
        hash.add(id)
        return hash.value
    }
}
