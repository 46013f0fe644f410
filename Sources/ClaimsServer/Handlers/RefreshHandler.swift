// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsModel
import ClaimsPlatform
import ClaimsProtocol
import ClaimsStore

/// `refresh`: asks the upstream now.
enum RefreshHandler {
    static func answer(
        _ arguments: borrowing Arguments, _ session: Session, _ context: ServingContext, to writer: inout JSONWriter
    ) throws(RequestError) -> Disposition {
        let language = try arguments.string(.language)
        let isForced = try arguments.boolean(.force) ?? false
        let isAccepted = try arguments.boolean(.accept) ?? false
        if isForced { try session.require(.admin, for: "refresh with force") }
        if isAccepted { try session.require(.admin, for: "refresh with accept") }
        let waits = try arguments.boolean(.wait) ?? false
        let names: [String]
        if let name = try arguments.string(.collection) {
            let view = try context.view(named: name)
            guard view.definition.source.url != nil else {
                guard view.snapshot == nil else {
                    throw RequestError(
                        .conflict, "\(view.definition.name) has no source to refresh from",
                        hint: "name one in collections.d/\(view.definition.name).json5 in the configuration folder")
                }
                throw NoData.error(for: view, context: context, language: language)
            }
            names = [view.definition.name]
        } else {
            names = context.catalog.views.filter { $0.definition.source.url != nil }.map(\.definition.name)
        }
        let order = RefreshOrder(collections: names, waits: waits, isForced: isForced, isAccepted: isAccepted)
        let services = context.services
        let configured = context.configuration.language
        let clock = context.configuration.clock
        return .later(cancellation: Cancellation()) { done in
            services.refresh(order) { reports in
                let now = clock.now()
                done(.success(text(of: reports, services.catalogs.current(), language ?? configured, now)))
            }
        }
    }

    private static func text(
        of reports: [RefreshOutcome], _ catalog: Catalog, _ language: String, _ now: Int64
    ) -> [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.key("collections")
        writer.beginArray()
        for report in reports {
            writer.beginObject()
            writer.member("collection", report.collection)
            writer.member("outcome", report.outcome)
            writer.member("added", report.added)
            writer.member("updated", report.updated)
            writer.member("removed", report.removed)
            writer.member("quarantined", report.quarantined)
            if let until = report.until {
                writer.key("until")
                writer.instant(until)
            }
            writer.key("meta")
            if let view = catalog[report.collection] {
                MetaText(view, catalog.clock, language: language, now: now).write(now: now, to: &writer)
            } else {
                writer.null()
            }
            writer.endObject()
        }
        writer.endArray()
        writer.endObject()
        return writer.bytes
    }
}
