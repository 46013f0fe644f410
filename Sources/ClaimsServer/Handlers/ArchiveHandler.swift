// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsModel
import ClaimsPlatform
import ClaimsProtocol
import ClaimsQuery
import ClaimsStore

/// `archive` and `unarchive`: answered after the change is on disk.
enum ArchiveHandler {
    static func answer(
        _ arguments: borrowing Arguments, isArchiving: Bool, _ session: Session, _ context: ServingContext
    ) throws(RequestError) -> Disposition {
        try session.require(.archive, for: isArchiving ? "archive" : "unarchive")
        let view = try context.view(arguments)
        let definition = view.definition
        guard definition.isArchivable else {
            throw RequestError(
                .notArchivable, "\(definition.name) is not archivable", hint: "its definition says archive: false",
                details: [RequestError.detail("collection", definition.name)])
        }
        let isDryRun = try arguments.boolean(.dryRun) ?? false
        let order = ArchiveOrder(
            collection: definition.name, isArchiving: isArchiving, isDryRun: isDryRun, uid: session.peer.uid)
        let ids = try arguments.identifiers(.ids)
        let hasFilter = arguments.node(.filter) != nil
        guard (ids != nil) != hasFilter else {
            throw RequestError(
                .badParams, ids == nil ? "neither ids nor a filter is given" : "both ids and a filter are given",
                hint: "name the records in ids, or describe them in filter",
                details: [RequestError.detail("parameter", "ids")])
        }
        if let ids {
            guard ids.count <= Self.mostIDs else {
                throw RequestError(
                    .tooLarge, "\(ids.count) ids in one request",
                    hint: "send at most \(Self.mostIDs) at a time, or a filter")
            }
            let unique = ids.map { Array($0.utf8) }
            return .later(cancellation: nil) { [services = context.services, now = context.now] done in
                order.carry(out: unique, view, services, now: now, done: done)
            }
        }
        return try matching(arguments, order, context)
    }

    /// Finds the records of a filter on a worker, then changes them.
    private static func matching(
        _ arguments: borrowing Arguments, _ order: ArchiveOrder, _ context: ServingContext
    ) throws(RequestError) -> Disposition {
        var selection = try QuerySelection(arguments, sort: nil, context)
        selection.archived = .include
        guard let target = selection.targets.first, let workers = context.workers else {
            throw arguments.missing(.collection)
        }
        let timeout = selection.timeout
        return .later(cancellation: nil) {
            [services = context.services, now = context.now, asker = context.asker] done in
            workers.perform(for: asker) { worker in
                var query = PageQuery(predicate: target.predicate, order: target.order)
                query.archived = .include
                query.limit = target.snapshot.count
                do throws(QueryInterruption) {
                    let page = try target.snapshot.execute(
                        query, archive: target.view.archive, scratch: worker.scratch,
                        budget: QueryBudget(limit: timeout))
                    let ids = page.rows.map { target.snapshot.idBytes(Int($0)) }
                    order.carry(out: ids, target.view, services, now: now, done: done)
                } catch {
                    done(.failure(QueryLimits.timeoutError(timeout)))
                }
            }
        }
    }

    /// How many ids one request may name.
    private static let mostIDs = 100_000
}

/// An archive request, on its way to the store.
struct ArchiveOrder: Sendable {
    let collection: String
    let isArchiving: Bool
    let isDryRun: Bool
    /// Whose request it is.
    let uid: UInt32

    /// Has the store make the change, or tells what it would change.
    func carry(
        out ids: [[UInt8]], _ view: CollectionView, _ services: ServerServices, now: Int64,
        done: @escaping @Sendable (Disposition.Outcome) -> Void
    ) {
        if isDryRun { return done(.success(preview(ids, view, services.catalogs.current().clock))) }
        let change = ArchiveChange(collection: collection, ids: ids, isArchiving: isArchiving, uid: uid, at: now)
        services.change(change) { result in
            switch result {
            case .success(let outcome): done(.success(Self.text(of: outcome)))
            case .failure(let error): done(.failure(RequestError(error)))
            }
        }
    }

    private func preview(_ ids: [[UInt8]], _ view: CollectionView, _ clock: Clock) -> [UInt8] {
        var outcome = ArchiveChange.Outcome(clock: clock)
        var seen: Set<[UInt8]> = []
        for id in ids {
            let isMarked = view.archive.mark(id) != nil
            let exists = view.snapshot?.row(forID: id.rawSpan) != nil
            if !exists, !isMarked {
                outcome.missing.append(id)
            } else if isMarked != isArchiving, seen.insert(id).inserted {
                outcome.changed.append(id)
            } else {
                outcome.unchanged.append(id)
            }
        }
        return Self.text(of: outcome)
    }

    private static func text(of outcome: ArchiveChange.Outcome) -> [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        for (name, ids) in [
            ("changed", outcome.changed), ("unchanged", outcome.unchanged), ("missing", outcome.missing),
        ] {
            writer.key(name)
            writer.beginArray()
            for id in ids { writer.string(utf8: id.rawSpan) }
            writer.endArray()
        }
        writer.member("clock", outcome.clock.text)
        writer.endObject()
        return writer.bytes
    }
}

extension RequestError {
    /// An error of the store, as it is answered.
    init(_ error: StoreError) {
        switch error.code {
        case .storageFull:
            self.init(
                .storageFull, "there is no room to write the change", hint: "free room on the disk, and try again")
        case .notWritable:
            self.init(.storageFull, "the state folder cannot be written", hint: error.message)
        case .closed:
            self.init(
                .busy, "the daemon is stopping", hint: "try again in a moment",
                details: [RequestError.detail("retry_after_ms", 1_000)])
        default:
            self.init(.internal, "the change could not be stored: \(error.message)")
        }
    }
}
