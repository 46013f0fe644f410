// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsModel
import ClaimsStore

/// What answers about one collection have in common, written once for each state of the catalog.
///
/// Not shared: it belongs to the context that made it.
final class ViewSlot {
    let view: CollectionView
    /// The name, and the singular, as requests write them.
    let name: [UInt8]
    let singular: [UInt8]
    /// The member `provenance` of each record as far as all have it in common; it ends in `first_seen`'s key.
    let origin: [UInt8]
    /// The number of the generation, as provenance ends with it.
    let generation: [UInt8]
    private let clock: Clock
    private let language: String
    private var meta: MetaText

    /// - Parameters:
    ///   - language: the language of the meta object's sentences.
    ///   - now: in milliseconds since 1970.
    init(_ view: CollectionView, clock: Clock, language: String, now: Int64) {
        self.view = view
        self.clock = clock
        self.language = language
        meta = MetaText(view, clock, language: language, now: now)
        name = Array(view.definition.name.utf8)
        singular = Array(view.definition.singular.utf8)
        var writer = JSONWriter()
        writer.key("provenance")
        writer.beginObject()
        writer.member("source", view.source?.rawValue)
        writer.key("fetched_at")
        writer.instant(view.condition.source.fetchedAt)
        writer.key("first_seen")
        origin = writer.bytes
        writer = JSONWriter()
        writer.integer(view.condition.row.generation)
        generation = writer.bytes
    }

    /// Writes the meta object as of `now`, in milliseconds since 1970.
    func writeMeta(now: Int64, to writer: inout JSONWriter) {
        if !meta.isValid(for: view, at: now) { meta = MetaText(view, clock, language: language, now: now) }
        meta.write(now: now, to: &writer)
    }
}
