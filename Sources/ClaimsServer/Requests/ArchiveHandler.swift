// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsJSON
import ClaimsModel
import ClaimsPlatform
import ClaimsProtocol
import ClaimsQuery
import ClaimsSnapshot
import ClaimsStore

/// `archive` and `unarchive`: answered after the change is on disk.
enum ArchiveHandler {
    static func answer(
        _ parameters: ArchiveParameters, isArchiving: Bool, from peer: Peer, _ context: RequestContext
    ) throws(RequestError) -> Disposition {
        try peer.requireRole(of: isArchiving ? .archive : .unarchive)
        let view = try context.served.view(named: parameters.collection)
        let definition = view.definition
        try peer.requireAllowed("archive", by: definition)
        guard definition.isArchivable else {
            throw RequestError(
                .notArchivable,
                TranslatedText(
                    en: "\(definition.name) is not archivable",
                    pl: "rekordów kolekcji \(definition.name) nie można archiwizować"),
                hint: TranslatedText(
                    en: "its definition says archive: false", pl: "jej definicja zawiera archive: false"),
                details: [RequestError.detail("collection", definition.name)])
        }
        try context.served.requireShown(view, language: parameters.language)
        let order = ArchiveOrder(
            collection: definition.name, isArchiving: isArchiving, isDryRun: parameters.isDryRun, peer: peer)
        let ids = parameters.ids?.texts
        guard (ids != nil) != (parameters.filter != nil) else {
            throw RequestError(
                ArchiveParameters.ids,
                ids == nil
                    ? TranslatedText(en: "neither ids nor a filter is given", pl: "nie podano ani ids, ani filtra")
                    : TranslatedText(en: "both ids and a filter are given", pl: "podano zarówno ids, jak i filtr"),
                hint: TranslatedText(
                    en: "name the records in ids, or describe them in filter",
                    pl: "wymień rekordy w ids albo opisz je w filter"))
        }
        if let ids {
            guard ids.count <= ArchiveParameters.maxIDs else {
                throw .tooManyIDs(
                    ids.count,
                    hint: TranslatedText(
                        en: "send at most \(ArchiveParameters.maxIDs) at a time, or a filter",
                        pl: "wyślij naraz co najwyżej \(ArchiveParameters.maxIDs) albo filtr"))
            }
            let unique = view.currentIDs(ids)
            return .later(cancellation: nil) { [services = context.services, now = context.served.now] done in
                order.perform(on: unique, in: view, services, now: now, done: done)
            }
        }
        return try matching(parameters, order, from: peer, context)
    }

    /// Finds the records of a filter on a worker, then changes them.
    private static func matching(
        _ parameters: ArchiveParameters, _ order: ArchiveOrder, from peer: Peer, _ context: RequestContext
    ) throws(RequestError) -> Disposition {
        var selected = SelectionParameters()
        selected.filter = parameters.filter
        selected.archived = .include
        selected.timeZone = parameters.timeZone
        selected.timeout = parameters.timeout
        let selection = try QuerySelection(selected, collection: order.collection, context.queries)
        guard let target = selection.targets.first else {
            throw RequestError.nothingSelected
        }
        let timeout = selection.timeout
        return .later(cancellation: nil) {
            [workers = context.workers, services = context.services, now = context.served.now] done in
            workers.perform(for: peer) { worker in
                var query = PageQuery(predicate: target.predicate, order: target.order)
                query.archived = .include
                query.limit = target.rows.end
                do throws(QueryInterruption) {
                    let page = try target.rows.execute(
                        query, scratch: worker.scratch, budget: QueryBudget(limit: timeout))
                    let ids = page.rows.compactMap { target.rows.idBytes(Int($0)) }
                    order.perform(on: ids, in: target.view, services, now: now, done: done)
                } catch {
                    done(.failure(QueryLimits.timeoutError(timeout)))
                }
            }
        }
    }
}

/// An archive request that has been read.
struct ArchiveOrder: Sendable {
    let collection: String
    let isArchiving: Bool
    let isDryRun: Bool
    /// The peer that asks.
    let peer: Peer

    /// Makes the change in the store; a dry run only reports what it would change.
    ///
    /// - Parameters:
    ///   - now: the time of the change, in milliseconds since 1970.
    ///   - done: called once, on any thread, when the change is on disk or has failed.
    func perform(
        on ids: [[UInt8]], in view: CollectionView, _ services: ServerServices, now: Int64,
        done: @escaping @Sendable (RequestResult) -> Void
    ) {
        let definition = view.definition
        if isDryRun {
            let outcome = preview(ids, view, services.revision)
            record(outcome, of: definition)
            return done(.success(Self.text(of: outcome)))
        }
        var change = ArchiveChange(collection: collection, ids: ids, isArchiving: isArchiving, uid: peer.uid, at: now)
        change.sight = { [peer] in peer.recordSight(of: $0) }
        services.store.archive(change) { [collection, change] result in
            services.report(.archived(change, result))
            switch result {
            case .success(let outcome):
                record(outcome, of: definition)
                done(.success(Self.text(of: outcome)))
            case .failure(let error): done(.failure(RequestError(error, collection: collection)))
            }
        }
    }

    /// Counts the request, and the ids that are not there, if the collection is journaled.
    private func record(_ outcome: ArchiveChange.Outcome, of definition: Definition) {
        let method = isArchiving ? Method.archive : .unarchive
        peer.record(Look(method, misses: outcome.missing.count), of: definition)
    }

    private func preview(
        _ ids: [[UInt8]], _ view: CollectionView, _ revision: Revision
    ) -> ArchiveChange.Outcome {
        var outcome = ArchiveChange.Outcome(revision: revision)
        for id in ids {
            // A mark without a record may belong to a record that the peer did not see.
            let isMarked = view.limit == nil && view.archive.mark(id) != nil
            let exists = view.rows.row(forID: id.rawSpan).map { !view.rows.isUnlisted($0) } ?? false
            if !exists, !isMarked {
                outcome.missing.append(id)
            } else if (view.archive.mark(id) != nil) != isArchiving {
                outcome.changed.append(id)
            } else {
                outcome.unchanged.append(id)
            }
        }
        return outcome
    }

    private static func text(of outcome: ArchiveChange.Outcome) -> [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        for (member, ids) in [
            (ArchiveResult.changed, outcome.changed), (ArchiveResult.unchanged, outcome.unchanged),
            (ArchiveResult.missing, outcome.missing),
        ] {
            writer.key(member)
            writer.array(ofIDs: ids)
        }
        writer.member(ArchiveResult.clock, outcome.revision.text)
        writer.endObject()
        return writer.bytes
    }
}
