// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsJSON
import ClaimsModel
import ClaimsProtocol
import ClaimsStore

/// A collection that a query over all collections left out.
struct SkippedCollection: Sendable {
    let name: String
    let state: CollectionState
    /// The reason, as one sentence for people.
    let reason: String

    /// - Parameters:
    ///   - error: the error that a request about this collection alone would get.
    ///   - language: the language of the request; nil for the language of the settings.
    init(_ view: CollectionView, because error: RequestError, language: String?, _ served: ServedCatalog) {
        name = view.definition.name
        state = view.state(now: served.now)
        reason = error.text.text(language ?? served.configuration.language)
    }
}

/// Writes the meta object of an answer over several collections.
enum SpanningMetaWriter {
    /// Writes `{"clock","as_of","age_ms","freshness","collections":[META…],"skipped":[…]}`.
    ///
    /// `as_of`, `age_ms` and `freshness` belong to the oldest data in the answer.
    static func write(
        _ views: [CollectionView], skipped: [SkippedCollection], language: String?, _ served: ServedCatalog,
        to writer: inout JSONWriter
    ) {
        let revision = served.catalog.revision
        let metas = views.map { $0.meta(now: served.now, revision: revision) }
        let oldest = metas.compactMap(\.asOf).min()
        writer.beginObject()
        writer.member(SpanningMeta.clock, revision.text)
        writer.key(SpanningMeta.asOf)
        writer.instant(oldest)
        writer.member(SpanningMeta.age, oldest.map { max(0, served.now - $0) })
        writer.member(SpanningMeta.freshness, worst(metas.compactMap(\.freshness))?.rawValue)
        writer.key(SpanningMeta.collections)
        writer.beginArray()
        for view in views { served.writeMeta(view, language: language, to: &writer) }
        writer.endArray()
        writer.key(SpanningMeta.skipped)
        writer.beginArray()
        for collection in skipped {
            writer.beginObject()
            writer.member(SpanningMeta.SkippedCollection.collection, collection.name)
            writer.member(SpanningMeta.SkippedCollection.state, collection.state.rawValue)
            writer.member(SpanningMeta.SkippedCollection.reason, collection.reason)
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
