// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsModel
import ClaimsProtocol
import ClaimsSnapshot
import ClaimsStore

/// `refreshes`: the last attempts to refresh collections. A worker reads the log, never a loop.
enum RefreshesHandler {
    static func answer(
        _ parameters: RefreshesParameters, from peer: Peer, _ context: RequestContext
    ) throws(RequestError) -> Disposition {
        let view = try parameters.collection.map { name throws(RequestError) in
            try context.served.knownView(named: name)
        }
        let operation = RefreshesOperation(
            view: view, limit: parameters.limit.map { Int($0) } ?? RefreshesParameters.defaultLimit,
            timeout: context.configuration.limits.request)
        return context.runOnWorker(operation, for: peer)
    }
}

/// `refreshes`: reads the log of refreshes. It waits for the disk, so that only workers run it.
struct RefreshesOperation: QueryOperation {
    /// The collection that the request names; nil for all.
    let view: CollectionView?
    let limit: Int
    let timeout: Duration
    static let takesTimeout = false

    func run(_ context: QueryContext, budget: QueryBudget, to writer: inout JSONWriter) throws(QueryFailure) {
        let name = view?.definition.name ?? "refreshes"
        let seen = context.served.seen
        let refreshes = try QueryFailure.reading(name) { () throws(StoreError) in
            let log = try context.changeLog()
            guard view == nil, !seen.isWhole else {
                return try log.reader.refreshes(of: view?.condition.row.number, limit: limit)
            }
            var all: [LoggedRefresh] = []
            for view in seen.known.views {
                all += try log.reader.refreshes(of: view.condition.row.number, limit: limit)
            }
            return Array(all.sorted { $0.number > $1.number }.prefix(limit))
        }
        writer.beginObject()
        writer.key(RefreshesResult.refreshes)
        writer.beginArray()
        for refresh in refreshes {
            Self.write(refresh, isLimited: !seen.isWhole && !seen.seesAllFigures(of: refresh.collection), to: &writer)
        }
        writer.endArray()
        writer.endObject()
    }

    /// - Parameter isLimited: whether the peer does not see the total.
    private static func write(_ refresh: LoggedRefresh, isLimited: Bool, to writer: inout JSONWriter) {
        typealias Attempt = RefreshesResult.Attempt
        writer.beginObject()
        writer.member(Attempt.number, refresh.number)
        writer.member(Attempt.collection, refresh.collection)
        writer.key(Attempt.at)
        writer.instant(refresh.at)
        writer.member(Attempt.duration, refresh.duration)
        writer.member(Attempt.outcome, refresh.outcome.rawValue)
        writer.member(Attempt.kind, refresh.kind?.rawValue)
        writer.member(Attempt.site, refresh.site)
        if isLimited { return writer.endObject() }
        writer.member(Attempt.bytes, refresh.bytes)
        writer.key(Attempt.records)
        if let records = refresh.records { writer.integer(records) } else { writer.null() }
        writer.member(Attempt.added, refresh.added)
        writer.member(Attempt.updated, refresh.updated)
        writer.member(Attempt.removed, refresh.removed)
        writer.member(Attempt.quarantined, refresh.quarantined)
        writer.endObject()
    }
}
