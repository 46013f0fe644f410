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
    let snapshot: Snapshot?
    let archive: ArchiveOverlay
    /// Its place among those of its context; nil where it has none.
    let number: Int?
    /// The name, and the singular, as requests write them.
    let name: [UInt8]
    let singular: [UInt8]
    /// The member `provenance` of each record as far as all have it in common; it ends in `first_seen`'s key.
    let origin: [UInt8]
    /// The number of the generation, as provenance ends with it.
    let generation: [UInt8]
    private let clock: Clock
    private let language: String
    private var texts: Texts

    /// What changes as time goes by.
    private struct Texts: ~Copyable {
        var meta: MetaText
        var ending: DetailEnding
        /// As of when the ending tells the age.
        var time: Int64?
    }

    /// - Parameters:
    ///   - language: the language of the meta object's sentences.
    ///   - now: in milliseconds since 1970.
    init(_ view: CollectionView, number: Int?, clock: Clock, language: String, now: Int64) {
        self.view = view
        self.number = number
        snapshot = view.snapshot
        archive = view.archive
        self.clock = clock
        self.language = language
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
        let meta = MetaText(view, clock, language: language, now: now)
        let ending = DetailEnding(origin: origin, generation: generation, meta: meta)
        texts = Texts(meta: meta, ending: ending)
    }

    /// Writes the meta object as of `now`, in milliseconds since 1970.
    func writeMeta(now: Int64, to writer: inout JSONWriter) {
        update(&texts, now: now)
        texts.meta.write(now: now, to: &writer)
    }

    /// Lends what follows a record in an answer of `detail`, as of `now`, in milliseconds since 1970.
    @inline(__always)
    func withEnding<Result>(now: Int64, _ body: (inout DetailEnding) -> Result) -> Result {
        lend(&texts, now: now, body)
    }

    @inline(__always)
    private func lend<Result>(
        _ texts: inout Texts, now: Int64, _ body: (inout DetailEnding) -> Result
    ) -> Result {
        if now != texts.time {
            update(&texts, now: now)
            texts.ending.set(age: texts.meta.age(now: now))
            texts.time = now
        }
        return body(&texts.ending)
    }

    private func update(_ texts: inout Texts, now: Int64) {
        guard !texts.meta.isValid(for: view, at: now) else { return }
        texts.meta = MetaText(view, clock, language: language, now: now)
        texts.ending = DetailEnding(origin: origin, generation: generation, meta: texts.meta)
        texts.time = nil
    }
}
