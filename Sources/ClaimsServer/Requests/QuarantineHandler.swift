// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsJSON
import ClaimsModel
import ClaimsProtocol
import ClaimsQuery
import ClaimsRefresh
import ClaimsSnapshot
import ClaimsStore

/// `quarantine`: the elements of an upstream's answers that are no records. Workers read it, never a loop.
enum QuarantineHandler {
    static func answer(
        _ parameters: QuarantineParameters, from peer: Peer, _ context: RequestContext
    ) throws(RequestError) -> Disposition {
        let view = try context.served.wholeView(named: parameters.collection)
        try context.served.requireShown(view, language: parameters.language)
        let name = view.definition.name
        let services = context.services
        let maxTimeout = context.configuration.limits.request
        switch parameters.action {
        case .list:
            let query = QueryHash.list("quarantine", name)
            let after = try parameters.cursor.map { text throws(RequestError) in
                try context.queries.cursors.number(text, query: query)
            }
            let operation = QuarantineListOperation(
                view: view, after: Int64(clamping: after ?? 0),
                limit: parameters.limit.map { Int($0) } ?? PageParameters.defaultLimit, query: query,
                database: services.store.database, timeout: maxTimeout, peer: peer)
            return context.runOnWorker(operation, for: peer)
        case .get:
            guard let entry = parameters.entry else {
                throw RequestError(
                    QuarantineParameters.entry,
                    TranslatedText(en: "get needs an entry", pl: "akcja get wymaga numeru wpisu"),
                    hint: TranslatedText(en: "the action list tells their numbers", pl: "numery podaje akcja list"))
            }
            let operation = QuarantineGetOperation(
                view: view, entry: entry, database: services.store.database, timeout: maxTimeout, peer: peer)
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
                workers.perform(for: peer) { _ in
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

    private static func action(_ name: String) -> TranslatedText {
        TranslatedText(en: "quarantine with \(name)", pl: "quarantine z akcją \(name)")
    }
}

extension RequestError {
    /// The error about giving up records whose only copy is in state.db.
    fileprivate static func writtenHere(_ collection: String) -> RequestError {
        RequestError(
            .conflict,
            TranslatedText(
                en: "the records of \(collection) were written on this host, and are nowhere else",
                pl: "rekordy kolekcji „\(collection)” zapisano na tym komputerze i nie ma ich nigdzie indziej"),
            hint: TranslatedText(
                en: "a definition that can read them serves them again",
                pl: "definicja, według której da się je odczytać, znów je udostępni"))
    }

    /// The error about an entry that is not in quarantine.
    static func entryNotFound(_ entry: Int64, of collection: String) -> RequestError {
        RequestError(
            .notFound,
            TranslatedText(
                en: "\(collection) has no entry \(entry) in quarantine",
                pl: "w kwarantannie kolekcji \(collection) nie ma wpisu \(entry)"),
            hint: TranslatedText(
                en: "to see which there are: claimsctl quarantine --collection \(collection)",
                pl: "aby zobaczyć, jakie tam są: claimsctl quarantine --collection \(collection)"))
    }

    /// The error of `retry` if the records come from a bundle.
    fileprivate static func bundleHasNoRetry(_ collection: String) -> RequestError {
        RequestError(
            .conflict,
            TranslatedText(
                en: "the records of \(collection) come from a bundle, not from an upstream",
                pl: "rekordy kolekcji \(collection) pochodzą z pliku dołączonego do pakietu, a nie ze źródła"),
            hint: .reloadReadsBundle)
    }
}

/// `quarantine` with `list`: one page of entries.
struct QuarantineListOperation: QueryOperation {
    let view: CollectionView
    /// The number of the last entry of the page before; 0 for the first page.
    let after: Int64
    let limit: Int
    /// The hash of the list, for cursors.
    let query: UInt64
    let database: StateDatabase
    let timeout: Duration
    let peer: Peer
    static let takesTimeout = false

    func run(_ context: QueryContext, budget: QueryBudget, to writer: inout JSONWriter) throws(QueryFailure) {
        let page = try QueryFailure.reading(view.definition.name) { () throws(StoreError) in
            try database.quarantine(of: view.condition.row.number, after: after, limit: limit)
        }
        writer.beginObject()
        writer.key(QuarantineResult.entries)
        writer.beginArray()
        for entry in page.entries {
            writer.beginObject()
            QuarantineText.write(entry, to: &writer)
            writer.endObject()
        }
        writer.endArray()
        writer.member(QuarantineResult.total, page.total)
        if page.hasMore, let last = page.entries.last {
            writer.member(
                QuarantineResult.next, context.cursors.encode(number: UInt64(clamping: last.number), query: query))
        }
        writer.endObject()
        QuarantineText.recordShown(page.entries, to: peer, of: view.definition)
    }
}

/// `quarantine` with `get`: one entry with its bytes.
struct QuarantineGetOperation: QueryOperation {
    let view: CollectionView
    let entry: Int64
    let database: StateDatabase
    let timeout: Duration
    let peer: Peer
    static let takesTimeout = false

    func run(_ context: QueryContext, budget: QueryBudget, to writer: inout JSONWriter) throws(QueryFailure) {
        let found = try QueryFailure.reading(view.definition.name) { () throws(StoreError) in
            try database.quarantined(entry, of: view.condition.row.number)
        }
        guard let found else { throw .refused(.entryNotFound(entry, of: view.definition.name)) }
        writer.beginObject()
        QuarantineText.write(found, to: &writer)
        writer.member(QuarantineResult.isTruncated, found.isTruncated)
        if let text = String(validating: found.bytes, as: UTF8.self) {
            writer.member(QuarantineResult.bytes, text)
        } else {
            writer.member(QuarantineResult.base64, Base64.encode(found.bytes))
        }
        writer.endObject()
        QuarantineText.recordShown([found], to: peer, of: view.definition)
    }
}

/// Writes the results of `quarantine`.
enum QuarantineText {
    /// The bytes of an excerpt.
    static let maxExcerptBytes = 120

    /// Counts entries as records that were shown, if the collection is journaled.
    static func recordShown(_ entries: [QuarantineEntry], to peer: Peer, of definition: Definition) {
        var look = Look(.quarantine)
        for entry in entries { look.shown.append(Array((entry.id ?? "").utf8).rawSpan) }
        peer.record(look, of: definition)
    }

    /// Writes the members of an entry.
    static func write(_ entry: QuarantineEntry, to writer: inout JSONWriter) {
        writer.member(QuarantineResult.Entry.entry, entry.number)
        if let site = entry.site { writer.member(QuarantineResult.Entry.site, site) }
        writer.member(QuarantineResult.Entry.pointer, entry.pointer)
        writer.member(QuarantineResult.Entry.reason, entry.reason)
        if let id = entry.id { writer.member(QuarantineResult.Entry.id, id) }
        writer.member(QuarantineResult.Entry.size, entry.size)
        writer.member(QuarantineResult.Entry.excerpt, excerpt(entry.bytes))
        writer.key(QuarantineResult.Entry.firstSeen)
        writer.instant(entry.firstSeen)
        writer.key(QuarantineResult.Entry.lastSeen)
        writer.instant(entry.lastSeen)
    }

    /// The beginning of the bytes, with whole characters; invalid UTF-8 is replaced.
    private static func excerpt(_ bytes: [UInt8]) -> String {
        guard bytes.count > maxExcerptBytes else { return String(decoding: bytes, as: UTF8.self) }
        var end = maxExcerptBytes
        while end > maxExcerptBytes - 4, bytes[end] & 0xC0 == 0x80 { end -= 1 }
        return String(decoding: bytes[..<end], as: UTF8.self)
    }

    /// The answer to `retry`.
    static func retried(
        _ result: Result<QuarantineOutcome, StoreError>, _ entry: Int64?, of collection: String
    ) -> RequestResult {
        switch result {
        case .failure(let error): return .failure(RequestError(error, collection: collection))
        case .success(let outcome):
            if let entry, outcome.accepted.isEmpty, outcome.refused.isEmpty {
                return .failure(.entryNotFound(entry, of: collection))
            }
            var writer = JSONWriter()
            writer.beginObject()
            writer.key(QuarantineResult.accepted)
            writer.beginArray()
            for accepted in outcome.accepted {
                writer.beginObject()
                writer.member(QuarantineResult.Accepted.entry, accepted.entry)
                writer.member(QuarantineResult.Accepted.id, accepted.id)
                writer.endObject()
            }
            writer.endArray()
            writer.key(QuarantineResult.refused)
            writer.beginArray()
            for refused in outcome.refused {
                writer.beginObject()
                writer.member(QuarantineResult.Refused.entry, refused.entry)
                writer.member(QuarantineResult.Refused.reason, refused.reason)
                writer.endObject()
            }
            writer.endArray()
            writer.member(QuarantineResult.clock, outcome.revision.text)
            writer.endObject()
            return .success(writer.bytes)
        }
    }

    /// The answer to `drop`.
    static func dropped(
        _ result: Result<[Int64], StoreError>, _ entry: Int64?, of collection: String
    ) -> RequestResult {
        switch result {
        case .failure(let error): return .failure(RequestError(error, collection: collection))
        case .success(let dropped):
            if let entry, dropped.isEmpty { return .failure(.entryNotFound(entry, of: collection)) }
            var writer = JSONWriter()
            writer.beginObject()
            writer.key(QuarantineResult.dropped)
            writer.beginArray()
            for entry in dropped { writer.integer(entry) }
            writer.endArray()
            writer.endObject()
            return .success(writer.bytes)
        }
    }
}
