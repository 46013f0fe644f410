// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsModel
import ClaimsProtocol
import ClaimsQuery
import ClaimsSnapshot
import ClaimsStore

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
            writer.member(State.freshness, view.standing.freshness(of: row, now: now)?.rawValue)
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

    /// The number of each site's records, archived ones included: one look at the lists of the field's values.
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

    /// The source whose answer the guard holds back: the first one of several sites; nil where there is none.
    var heldSource: SourceRow? {
        definition.sources.map { condition.source(of: $0.site) }.first { $0.held != nil }
    }
}
