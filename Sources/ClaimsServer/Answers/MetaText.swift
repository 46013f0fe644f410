// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsModel
import ClaimsStore

/// The meta object of one collection, written once and used until something in it changes; only the age is set anew.
struct MetaText: ~Copyable {
    /// The object up to its age, and from there on.
    let head: [UInt8]
    let tail: [UInt8]
    /// When the upstream last confirmed the data, in milliseconds since 1970.
    private let asOf: Int64?
    /// The freshness that is written down.
    private let freshness: Freshness?

    /// - Parameter now: milliseconds since 1970.
    init(_ view: CollectionView, _ clock: Clock, language: String, now: Int64) {
        let meta = view.meta(now: now, clock: clock)
        asOf = meta.asOf
        freshness = meta.freshness
        var writer = JSONWriter()
        writer.beginObject()
        writer.member("collection", view.definition.name)
        writer.member("state", meta.state.rawValue)
        writer.member("freshness", meta.freshness?.rawValue)
        writer.member("source", meta.source?.rawValue)
        writer.key("as_of")
        writer.instant(meta.asOf)
        writer.key("age_ms")
        head = writer.bytes
        writer.null()
        let mark = writer.bytes.count
        writer.member("generation", meta.generation)
        writer.member("clock", meta.clock.text)
        writer.member("quarantined", meta.quarantined)
        writer.member("unsupported", meta.unsupported)
        writer.key("last_error")
        if let failure = meta.lastError {
            writer.beginObject()
            writer.member("kind", failure.kind.rawValue)
            if let status = failure.status { writer.member("status", status) }
            writer.member("message", failure.message.text(language))
            writer.key("at")
            writer.instant(failure.at)
            writer.endObject()
        } else {
            writer.null()
        }
        writer.key("next_refresh")
        writer.instant(meta.nextRefresh)
        writer.endObject()
        tail = Array(writer.bytes[mark...])
    }

    /// Whether the text still tells the truth.
    func isValid(for view: CollectionView, at now: Int64) -> Bool { view.freshness(now: now) == freshness }

    /// Writes the object as of now.
    func write(now: Int64, to writer: inout JSONWriter) {
        writer.raw(head, age(now: now), tail)
    }

    /// How old the data is, in milliseconds; nil where nobody knows.
    func age(now: Int64) -> Int64? { asOf.map { max(0, now - $0) } }
}

extension JSONWriter {
    /// Milliseconds since 1970 as RFC 3339, or null.
    mutating func instant(_ milliseconds: Int64?) {
        guard let milliseconds else { return null() }
        var text: [UInt8] = []
        Instant(ms: milliseconds).append(to: &text)
        string(utf8: text.rawSpan)
    }
}
