// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsModel
import ClaimsOutbox
import ClaimsPlatform
import ClaimsProtocol
import ClaimsQuery
import ClaimsRefresh
import ClaimsSnapshot
import ClaimsStore

/// `status`: the condition of the daemon and of each collection.
enum StatusHandler {
    static func answer(
        _ parameters: StatusParameters, from peer: Peer, _ context: RequestContext, to writer: inout JSONWriter
    ) throws(RequestError) -> Disposition {
        let seen = context.served.seen
        let catalog = seen.known
        let language = parameters.language ?? context.configuration.language
        writer.beginObject()
        writer.member(StatusResult.version, context.configuration.version)
        writer.member(StatusResult.uptime, Int64((SystemClock.monotonic - context.startedAt) / 1_000_000))
        writer.member(StatusResult.clock, catalog.revision.text)
        writer.member(StatusResult.clients, context.clientCount())
        writer.member(StatusResult.requests, context.answers.total)
        writer.member(StatusResult.memory, seen.seesDaemon ? ProcessMemory.anonymousBytes().map { Int64($0) } : nil)
        writer.member(StatusResult.disk, seen.seesDaemon ? context.services.diskBytes : nil)
        if seen.seesDaemon, let size = context.services.store.database.keptLogSize {
            writer.member(StatusResult.keptLog, Int64(size))
        }
        writer.member(StatusResult.configurationFolder, context.configuration.folder)
        writer.member(StatusResult.reload, context.configuration.reload)
        writer.key(StatusResult.collections)
        writer.beginArray()
        for view in catalog.views {
            writer.beginObject()
            writer.member(StatusResult.Collection.name, view.definition.name)
            writer.member(StatusResult.Collection.title, view.definition.title.text(language))
            writer.member(StatusResult.Collection.total, view.rows.count)
            writer.member(StatusResult.Collection.archived, view.rows.archivedCount)
            if view.limit == nil { write(view.condition, catalog.revision.epoch, to: &writer) }
            if peer.roles.has(.admin), let files = view.committed?.files {
                write(files, to: &writer)
                if view.condition.isMergeWaiting { writer.member(StatusResult.Collection.mergeWaiting, true) }
            }
            if view.limit == nil, view.definition.source.sites != nil {
                writer.key(StatusResult.Collection.sites)
                SiteStates.write(
                    view, now: context.served.now, scratch: context.queries.scratch, language: language, to: &writer)
            }
            if view.limit == nil, let held = view.heldSource?.held, view.definition.source.isConfigured {
                write(held, to: &writer)
            }
            if view.limit == nil || seen.seesDaemon, let hint = hint(for: view, context) {
                writer.member(StatusResult.Collection.hint, hint.text(language))
            }
            let upstream = view.definition.source
            if upstream.isConfigured {
                writer.member(StatusResult.Collection.ttl, upstream.ttl.wholeMilliseconds)
                writer.member(StatusResult.Collection.expires, upstream.expires.wholeMilliseconds)
            }
            writer.key(StatusResult.Collection.meta)
            context.served.writeMeta(view, language: parameters.language, to: &writer)
            writer.endObject()
        }
        writer.endArray()
        if seen.seesDaemon, catalog.views.contains(where: { $0.definition.writes?.destination == .upstream }) {
            write(
                OutboxSummary(catalog), context.services.outbox.troubledOrigins,
                now: context.served.now, language: language, to: &writer)
        }
        write(seen.seesDaemon ? context.services.refresher.hosts : [], to: &writer)
        write(seen.visible(context.configuration.problems.all), to: &writer)
        writer.key(StatusResult.removed)
        writer.beginArray()
        for collection in catalog.removed {
            writer.beginObject()
            writer.member(StatusResult.Removed.collection, collection.name)
            writer.member(StatusResult.Removed.records, collection.records)
            writer.key(StatusResult.Removed.until)
            if let until = collection.until(keptFor: context.configuration.removedKeep) {
                writer.instant(until)
            } else {
                writer.null()
            }
            writer.endObject()
        }
        writer.endArray()
        writer.key(StatusResult.drift)
        writer.beginObject()
        for view in seen.catalog.views where view.limit == nil {
            let drift = view.drift.unknown(to: view.definition)
            guard !drift.isEmpty else { continue }
            writer.key(view.definition.name)
            DriftWriter.write(drift, confirmedAt: view.sourceSummary.asOf, to: &writer)
        }
        writer.endObject()
        writer.endObject()
        return .answered
    }

    /// The action that the collection needs from a person; nil if there is none.
    private static func hint(for view: CollectionView, _ context: RequestContext) -> TranslatedText? {
        if !view.definition.isLocal, !view.definition.source.isConfigured {
            return context.configuration.sourceHint(view.definition.name)
        }
        if let source = view.heldSource {
            let site = source.site.map { " --site \($0)" } ?? ""
            let command = "claimsctl refresh --collection \(view.definition.name)\(site) --accept --wait"
            return TranslatedText(en: "if that is right: \(command)", pl: "jeśli to się zgadza: \(command)")
        }
        if view.condition.isMergeWaiting, let snapshot = view.snapshot {
            let folder = Paths.parent(snapshot.path)
            return TranslatedText(
                en: "make room in \(folder): its changed records wait to be merged",
                pl: "zwolnij miejsce w \(folder): zmienione rekordy czekają na scalenie")
        }
        return nil
    }

    private static func write(
        _ outbox: OutboxSummary, _ paused: [TroubledOrigin], now: Int64, language: String, to writer: inout JSONWriter
    ) {
        typealias Outbox = StatusResult.Outbox
        writer.key(StatusResult.outbox)
        writer.beginObject()
        writer.member(Outbox.queued, outbox.queued)
        writer.member(Outbox.accepted, outbox.accepted)
        writer.member(Outbox.stuck, outbox.stuck)
        writer.member(Outbox.oldest, outbox.oldest.map { max(0, now - $0) })
        writer.key(Outbox.paused)
        OutboxText.write(paused, language: language, to: &writer)
        writer.endObject()
    }

    private static func write(_ hosts: [HostReport], to writer: inout JSONWriter) {
        typealias Host = StatusResult.Host
        writer.key(StatusResult.hosts)
        writer.beginArray()
        for host in hosts {
            writer.beginObject()
            writer.member(Host.host, host.host)
            writer.member(Host.concurrency, host.limits.concurrency)
            writer.member(Host.rate, host.limits.rate?.text)
            writer.member(Host.inFlight, host.inFlight)
            writer.member(Host.waiting, host.waiting)
            if let until = host.until {
                writer.key(Host.until)
                writer.instant(until)
            }
            writer.endObject()
        }
        writer.endArray()
    }

    private static func write(_ problems: [ConfigurationProblem], to writer: inout JSONWriter) {
        writer.key(StatusResult.problems)
        ProblemWriter.write(problems, to: &writer)
        writer.member(StatusResult.problemsTotal, problems.count)
    }

    private static func write(_ condition: CollectionCondition, _ epoch: UInt64, to writer: inout JSONWriter) {
        writer.key(StatusResult.Collection.history)
        writer.beginObject()
        writer.member(StatusResult.History.floor, Revision(epoch: epoch, seq: condition.row.floor).text)
        writer.key(StatusResult.History.oldest)
        writer.instant(condition.log.oldest)
        writer.member(StatusResult.History.changes, condition.log.changes)
        writer.member(StatusResult.History.bytes, condition.log.bytes)
        writer.endObject()
    }

    private static func write(_ files: FileStack, to writer: inout JSONWriter) {
        writer.key(StatusResult.Collection.layers)
        writer.beginArray()
        for layer in files.layers {
            writer.beginObject()
            writer.member(StatusResult.Layer.records, layer.entries)
            writer.member(StatusResult.Layer.bytes, layer.snapshot.fileSize)
            writer.endObject()
        }
        writer.endArray()
    }

    private static func write(_ held: SourceRow.Held, to writer: inout JSONWriter) {
        writer.key(StatusResult.Collection.held)
        writer.beginObject()
        writer.key(StatusResult.Held.since)
        writer.instant(held.since)
        writer.member(StatusResult.Held.before, held.summary.before)
        writer.member(StatusResult.Held.after, held.summary.after)
        writer.member(StatusResult.Held.added, held.summary.added)
        writer.member(StatusResult.Held.updated, held.summary.updated)
        writer.member(StatusResult.Held.removed, held.summary.removed)
        writer.member(StatusResult.Held.quarantined, held.summary.quarantined)
        writer.endObject()
    }
}

extension ServerServices {
    /// The size of state and cache on disk, in bytes.
    fileprivate var diskBytes: Int64 {
        folders.reduce(attachments.keptBytes) { $0 + Int64(Directory.size($1)) }
    }
}

/// The unsettled operations of all collections.
private struct OutboxSummary {
    private(set) var queued = 0
    private(set) var accepted = 0
    private(set) var stuck = 0
    /// The time at which the oldest operation was submitted, in milliseconds since 1970; nil if there is none.
    private(set) var oldest: Int64?

    init(_ catalog: Catalog) {
        for operation in catalog.unsettledOperations {
            switch operation.state.pending {
            case .queued?: queued += 1
            case .accepted?: accepted += 1
            case .stuck?: stuck += 1
            case nil: continue
            }
            oldest = min(oldest ?? .max, operation.submittedAt)
        }
    }
}

/// Writes the state of each site of a collection.
enum SiteStates {
    private typealias State = StatusResult.SiteState

    /// Writes `[{"site","total","freshness","as_of","last_error","next_refresh"}]`, in the order of the definition.
    static func write(
        _ view: CollectionView, now: Int64, scratch: QueryScratch, language: String, to writer: inout JSONWriter
    ) {
        let totals = totals(of: view, scratch: scratch)
        writer.beginArray()
        for site in view.definition.sources.compactMap(\.site) {
            let row = view.condition.source(of: site)
            writer.beginObject()
            writer.member(State.site, site)
            writer.member(State.total, totals[site] ?? 0)
            writer.member(State.freshness, view.sourceSummary.freshness(of: row, now: now)?.rawValue)
            writer.key(State.asOf)
            writer.instant(row.asOf)
            if view.definition.source.since != nil {
                writer.key(State.fullAsOf)
                writer.instant(row.full.asOf)
            }
            writer.key(State.lastError)
            var failure = row.lastError
            failure?.site = site
            writer.failure(failure, language: language)
            writer.key(State.nextRefresh)
            writer.instant(row.due)
            writer.endObject()
        }
        writer.endArray()
    }

    /// The number of each site's records, archived ones included: one pass over the lists of the field's values.
    private static func totals(of view: CollectionView, scratch: QueryScratch) -> [String: Int] {
        guard let field = view.definition.source.sites?.field else { return [:] }
        var query = PageQuery(predicate: .constant(true), order: view.definition.defaultOrder)
        query.archived = .include
        query.facets = [field]
        query.limit = 0
        // Without a budget nothing interrupts it.
        let counts = (try? view.rows.execute(query, scratch: scratch, budget: .unlimited))?.facets.first ?? []
        var totals: [String: Int] = [:]
        for count in counts {
            guard let row = count.row, let (snapshot, own) = view.rows.layer(of: row) else { continue }
            let site = snapshot.idBytes(own).prefix { $0 != SiteList.separator }
            totals[String(decoding: site, as: UTF8.self)] = count.count
        }
        return totals
    }
}

extension CollectionView {
    /// The drift of the upstream, or of all sites.
    var drift: DriftReport {
        if definition.source.sites == nil { return condition.source.drift }
        return .uniting(definition.sources.map { condition.source(of: $0.site).drift })
    }

    /// The source whose answer the guard holds back: the first one of several sites; nil if there is none.
    var heldSource: SourceRow? {
        definition.sources.map { condition.source(of: $0.site) }.first { $0.held != nil }
    }
}
