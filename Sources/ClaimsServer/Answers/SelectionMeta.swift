// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsModel
import ClaimsStore

/// The meta object of an answer: of the one collection, or of all that were asked.
enum SelectionMeta {
    /// Writes it.
    ///
    /// Over several collections it is `{"clock","as_of","age_ms","freshness","collections":[META…],"skipped":[…]}`, where
    /// `as_of`, `age_ms` and `freshness` are those of the oldest data in the answer.
    static func write(_ selection: QuerySelection, _ context: ServingContext, to writer: inout JSONWriter) {
        if !selection.isSpanning, let target = selection.targets.first {
            return context.writeMeta(target.view, language: selection.language, to: &writer)
        }
        let metas = selection.targets.map { $0.view.meta(now: context.now, clock: context.catalog.clock) }
        let oldest = metas.compactMap(\.asOf).min()
        writer.beginObject()
        writer.key("clock")
        writer.string(context.catalog.clock.text)
        writer.key("as_of")
        writer.instant(oldest)
        writer.member("age_ms", oldest.map { max(0, context.now - $0) })
        writer.member("freshness", worst(metas.compactMap(\.freshness))?.rawValue)
        writer.key("collections")
        writer.beginArray()
        for target in selection.targets { context.writeMeta(target.view, language: selection.language, to: &writer) }
        writer.endArray()
        writer.key("skipped")
        writer.beginArray()
        for skipped in selection.skipped {
            writer.beginObject()
            writer.member("collection", skipped.name)
            writer.member("state", skipped.state.rawValue)
            writer.member("reason", skipped.reason)
            writer.endObject()
        }
        writer.endArray()
        writer.endObject()
    }

    private static func worst(_ all: [Freshness]) -> Freshness? {
        let order: [Freshness] = [.expired, .bundle, .stale, .fresh]
        return order.first { all.contains($0) }
    }
}
