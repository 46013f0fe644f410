// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsModel
import ClaimsPlatform
import ClaimsProtocol
import ClaimsStore

/// `status`: how the daemon and each collection fare.
enum StatusHandler {
    static func answer(
        _ arguments: borrowing Arguments, _ context: ServingContext, to writer: inout JSONWriter
    ) throws(RequestError) -> Disposition {
        let language = try arguments.string(.language)
        let catalog = context.catalog
        writer.beginObject()
        writer.member("version", context.configuration.version)
        writer.member("uptime_ms", (Clocks.monotonic - context.startedAt) / 1_000_000)
        writer.member("clock", catalog.clock.text)
        writer.member("clients", context.registry.count)
        writer.member("memory_bytes", ProcessMemory.anonymousBytes())
        writer.member("disk_bytes", context.services.diskBytes())
        writer.key("collections")
        writer.beginArray()
        for view in catalog.views {
            writer.beginObject()
            writer.member("name", view.definition.name)
            writer.member("title", view.definition.title)
            writer.member("total", view.snapshot?.count ?? 0)
            writer.member("archived", view.archive.count)
            if let held = view.condition.source.held { write(held, to: &writer) }
            if let hint = hint(for: view) { writer.member("hint", hint) }
            writer.key("meta")
            context.writeMeta(view, language: language, to: &writer)
            writer.endObject()
        }
        writer.endArray()
        writer.key("drift")
        writer.beginObject()
        for view in catalog.views {
            let drift = view.condition.source.drift
            guard !drift.isEmpty else { continue }
            writer.key(view.definition.name)
            DriftWriter.write(drift, to: &writer)
        }
        writer.endObject()
        writer.endObject()
        return .answered
    }

    /// What somebody has to do about the collection, where it does not mend itself.
    private static func hint(for view: CollectionView) -> String? {
        let name = view.definition.name
        if view.definition.source.url == nil {
            return "write { source: { url: \"https://…\" } } to collections.d/\(name).json5 in the configuration folder"
        }
        if view.condition.source.held != nil { return "look at what would change, then refresh with accept" }
        return nil
    }

    private static func write(_ held: SourceRow.Held, to writer: inout JSONWriter) {
        writer.key("held")
        writer.beginObject()
        writer.key("since")
        writer.instant(held.since)
        writer.member("before", held.summary.before)
        writer.member("after", held.summary.after)
        writer.member("added", held.summary.added)
        writer.member("updated", held.summary.updated)
        writer.member("removed", held.summary.removed)
        writer.member("quarantined", held.summary.quarantined)
        writer.endObject()
    }
}
