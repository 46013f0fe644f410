// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import ClaimsProtocol
import ClaimsQuery
import ClaimsRefresh
import ClaimsStore

/// `quarantine`: what an upstream sent that is no record. Workers read it, never a loop.
enum QuarantineHandler {
    static func answer(
        _ parameters: QuarantineParameters, from peer: Peer, _ context: RequestContext
    ) throws(RequestError) -> Disposition {
        let view = try context.served.view(named: parameters.collection)
        try context.served.requireTold(view, language: parameters.language)
        let name = view.definition.name
        let services = context.services
        let maxTimeout = context.configuration.limits.request
        switch parameters.action {
        case .list:
            let query = QueryHash.quarantine(name)
            let after = try parameters.cursor.map { text throws(RequestError) in
                try context.queries.cursors.number(text, query: query)
            }
            let operation = QuarantineListOperation(
                view: view, after: Int64(clamping: after ?? 0),
                limit: parameters.limit.map { Int($0) } ?? PageParameters.defaultLimit, query: query,
                database: services.store.database, timeout: maxTimeout)
            return context.runOnWorker(operation, for: peer)
        case .get:
            guard let entry = parameters.entry else {
                throw RequestError(
                    QuarantineParameters.entry,
                    ErrorText(en: "get needs an entry", pl: "akcja get wymaga numeru wpisu"),
                    hint: ErrorText(en: "the action list tells their numbers", pl: "numery podaje akcja list"))
            }
            let operation = QuarantineGetOperation(
                view: view, entry: entry, database: services.store.database, timeout: maxTimeout)
            return context.runOnWorker(operation, for: peer)
        case .retry:
            try peer.require(.admin, for: action("retry"))
            _ = try context.served.rows(of: view, language: parameters.language)
            guard !view.condition.row.isBundle else { throw .bundleHasNoRetry(name) }
            return .later(cancellation: nil) { [uid = peer.uid] done in
                services.refresher.retryQuarantined(parameters.entry, of: name) { result in
                    services.report(.retried(collection: name, user: uid, result))
                    done(QuarantineText.retried(result, parameters.entry, of: name))
                }
            }
        case .drop:
            try peer.require(.admin, for: action("drop"))
            guard !view.condition.row.isLocal else { throw .writtenHere(name) }
            return .later(cancellation: nil) { [workers = context.workers, uid = peer.uid] done in
                workers.perform(for: peer.requester) { _ in
                    let result = Result { () throws(StoreError) in
                        try services.store.dropQuarantined(parameters.entry, of: name)
                    }
                    if case .success(let dropped) = result {
                        services.report(.dropped(count: dropped.count, collection: name, user: uid))
                    }
                    done(QuarantineText.dropped(result, parameters.entry, of: name))
                }
            }
        }
    }

    private static func action(_ name: String) -> ErrorText {
        ErrorText(en: "quarantine with \(name)", pl: "quarantine z akcją \(name)")
    }
}

extension QueryHash {
    /// The hash of a list, for its cursors.
    fileprivate static func quarantine(_ collection: String) -> UInt64 {
        var hash = QueryHash()
        hash.add("quarantine")
        hash.add(collection)
        return hash.value
    }
}

extension RequestError {
    /// The error about giving up records whose only copy is in state.db.
    fileprivate static func writtenHere(_ collection: String) -> RequestError {
        RequestError(
            .conflict,
            ErrorText(
                en: "the records of \(collection) were written on this host, and are nowhere else",
                pl: "rekordy kolekcji „\(collection)” zapisano na tym komputerze i nie ma ich nigdzie indziej"),
            hint: ErrorText(
                en: "a definition that can read them serves them again",
                pl: "definicja, według której da się je odczytać, znów je udostępni"))
    }

    /// The error about an entry that is not in quarantine.
    static func entryNotFound(_ entry: Int64, of collection: String) -> RequestError {
        RequestError(
            .notFound,
            ErrorText(
                en: "\(collection) has no entry \(entry) in quarantine",
                pl: "w kwarantannie kolekcji \(collection) nie ma wpisu \(entry)"),
            hint: ErrorText(
                en: "to see which there are: claimsctl quarantine --collection \(collection)",
                pl: "aby zobaczyć, jakie tam są: claimsctl quarantine --collection \(collection)"))
    }

    /// The error of `retry` where the records come from a bundle.
    fileprivate static func bundleHasNoRetry(_ collection: String) -> RequestError {
        RequestError(
            .conflict,
            ErrorText(
                en: "the records of \(collection) come from a bundle, not from an upstream",
                pl: "rekordy kolekcji \(collection) pochodzą z pliku dołączonego do pakietu, a nie ze źródła"),
            hint: ErrorText(
                en: "a reload after a change of the bundle reads it again",
                pl: "po zmianie tego pliku przeładowanie usługi wczyta go ponownie"))
    }
}
