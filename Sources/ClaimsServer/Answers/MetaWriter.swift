// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsJSON
import ClaimsModel
import ClaimsProtocol
import ClaimsStore

/// The meta object of one collection as text; only the age is written anew for each answer.
struct MetaText: ~Copyable {
    /// The object up to its age.
    let head: [UInt8]
    /// The rest of the object after its age.
    let tail: [UInt8]
    /// When the upstream last confirmed the data, in milliseconds since 1970.
    private let asOf: Int64?
    /// Whether this host is the truth, so that the data has no age.
    private let isLocal: Bool
    /// The freshness that the text tells.
    private let freshness: Freshness?
    /// Whether the text tells that the records are withheld.
    private let isWithheld: Bool
    /// The times at which the text is true in a collection with sites, whose states change one by one; nil for any time.
    private let validity: Range<Int64>?

    /// - Parameter now: milliseconds since 1970.
    init(_ view: CollectionView, _ revision: Revision, language: String, now: Int64) {
        let meta = view.meta(now: now, revision: revision)
        asOf = meta.asOf
        isLocal = view.definition.isLocal
        freshness = meta.freshness
        isWithheld = meta.state == .withheld
        validity = meta.sites.map { _ in now..<max(now + 1, view.nextFreshnessChange(after: now) ?? .max) }
        var writer = JSONWriter()
        writer.beginObject()
        writer.member(Meta.collection, view.definition.name)
        writer.member(Meta.state, meta.state.rawValue)
        writer.member(Meta.freshness, meta.freshness?.rawValue)
        writer.member(Meta.source, meta.source?.rawValue)
        writer.key(Meta.asOf)
        writer.instant(meta.asOf)
        writer.key(Meta.age)
        head = writer.bytes
        writer.null()
        let mark = writer.bytes.count
        writer.key(Meta.generation)
        writer.integer(meta.generation)
        writer.member(Meta.clock, meta.revision.text)
        writer.member(Meta.quarantined, Int64(meta.quarantined))
        writer.member(Meta.unsupported, Int64(meta.unsupported))
        writer.key(Meta.lastError)
        writer.failure(meta.lastError, language: language)
        writer.key(Meta.nextRefresh)
        writer.instant(meta.nextRefresh)
        if view.definition.source.since != nil {
            writer.key(Meta.fullAsOf)
            writer.instant(meta.fullAsOf)
        }
        if let sites = meta.sites { Self.write(sites, to: &writer) }
        if view.definition.isPrevious { writer.member(Meta.definition, "previous") }
        if let pending = meta.pending {
            writer.key(Meta.pending)
            writer.beginObject()
            writer.member(PendingCounts.queued, pending[.queued] ?? 0)
            writer.member(PendingCounts.accepted, pending[.accepted] ?? 0)
            writer.member(PendingCounts.stuck, pending[.stuck] ?? 0)
            writer.endObject()
        }
        writer.endObject()
        tail = Array(writer.bytes[mark...])
    }

    /// Whether the text is still true at `now`, in milliseconds since 1970.
    func isValid(for view: CollectionView, at now: Int64) -> Bool {
        view.freshness(now: now) == freshness && view.isWithheld(now: now) == isWithheld
            && validity?.contains(now) != false
    }

    private static func write(_ sites: SourceStanding.SiteCounts, to writer: inout JSONWriter) {
        writer.key(Meta.sites)
        writer.beginObject()
        writer.member(SiteTotals.total, sites.total)
        writer.member(SiteTotals.fresh, sites.fresh)
        writer.member(SiteTotals.stale, sites.stale)
        writer.member(SiteTotals.expired, sites.expired)
        writer.member(SiteTotals.failed, sites.failed)
        writer.member(SiteTotals.never, sites.never)
        writer.endObject()
    }

    /// Writes the object as of `now`, in milliseconds since 1970.
    func write(now: Int64, to writer: inout JSONWriter) {
        writer.raw(head, age(now: now), tail)
    }

    /// The age of the data in milliseconds; nil where it is unknown.
    func age(now: Int64) -> Int64? { isLocal ? 0 : asOf.map { max(0, now - $0) } }
}

/// A collection that a query over all collections left out.
struct SkippedCollection: Sendable {
    let name: String
    let state: CollectionState
    /// The reason, as one sentence for people.
    let reason: String
}

/// Writes the meta object of an answer over several collections.
enum SpanningMetaWriter {
    /// Writes `{"clock","as_of","age_ms","freshness","collections":[META…],"skipped":[…]}`.
    ///
    /// `as_of`, `age_ms` and `freshness` are those of the oldest data in the answer.
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

extension RequestError {
    /// The `not_found` error of `detail`, with the id and the collection's meta.
    static func recordNotFound(
        id: String, in view: CollectionView, language: String?, _ served: ServedCatalog
    ) -> RequestError {
        RequestError(
            .notFound,
            ErrorText(
                en: "no \(view.definition.singular) has this id",
                pl: "w kolekcji \(view.definition.name) nie ma rekordu o tym identyfikatorze"),
            details: [
                RequestError.detail("id", id),
                ("meta", served.meta(view, language: language)),
            ])
    }

    /// The `no_data` error of a collection without a snapshot: its state, and what to do about it.
    static func noData(_ view: CollectionView, language: String?, _ served: ServedCatalog) -> RequestError {
        let name = view.definition.name
        let meta = view.meta(now: served.now, revision: served.catalog.revision)
        let text: ErrorText
        let hint: ErrorText
        switch meta.state {
        case .unconfigured:
            text = ErrorText(en: "\(name) has no source", pl: "kolekcja \(name) nie ma źródła")
            hint = served.configuration.sourceHint(name)
        case .failed where !view.definition.source.isConfigured:
            text = ErrorText(
                en: "\(name) has no records that can be served, and no source",
                pl: "kolekcja \(name) nie ma rekordów, które można podać, ani źródła")
            hint = served.configuration.sourceHint(name)
        case .failed:
            let failed = ErrorText(
                en: "\(name) could not be fetched", pl: "nie udało się pobrać kolekcji \(name)")
            text = meta.lastError.map { failed.joined(": ", ErrorText($0.message)) } ?? failed
            hint = ErrorText(
                en: "refresh with wait to try again", pl: "wywołaj refresh z parametrem wait, żeby spróbować ponownie")
        case .withheld: (text, hint) = withheld(view, meta)
        default:
            text = ErrorText(
                en: "\(name) is being fetched for the first time",
                pl: "kolekcja \(name) jest pobierana po raz pierwszy")
            hint = ErrorText(
                en: "refresh with wait to hear when it is there",
                pl: "wywołaj refresh z parametrem wait, żeby się dowiedzieć, kiedy będzie gotowa")
        }
        return RequestError(
            .noData, text, hint: hint, details: [("meta", served.meta(view, language: language))])
    }

    /// Why the records of a collection are withheld, and the remedy.
    private static func withheld(_ view: CollectionView, _ meta: CollectionMeta) -> (text: ErrorText, hint: ErrorText) {
        let name = view.definition.name
        let refresh = ErrorText(
            en: "refresh with wait to try again", pl: "wywołaj refresh z parametrem wait, żeby spróbować ponownie")
        if meta.asOf == nil {
            let text = ErrorText(
                en: "\(name) is withheld: nobody knows how old it is",
                pl: "kolekcja \(name) nie jest pokazywana: nie wiadomo, z kiedy są dane")
            return (text, refresh)
        }
        if meta.freshness != .expired {
            let text = ErrorText(
                en: "\(name) is withheld: it is newer than this host's clock",
                pl: "kolekcja \(name) nie jest pokazywana: dane są z przyszłości według zegara tego komputera")
            let hint = ErrorText(
                en: "set the clock, or refresh with wait", pl: "ustaw zegar albo wywołaj refresh z wait")
            return (text, hint)
        }
        let span = ErrorText(span: view.definition.source.withhold ?? .zero)
        let old = ErrorText(
            en: "\(name) is withheld: older than \(span.english)",
            pl: "kolekcja \(name) nie jest pokazywana: dane mają ponad \(span.polish)")
        return (old, refresh)
    }
}

extension ErrorText {
    /// A span of time as in definitions, with a blank before each unit; days are written out.
    fileprivate init(span: Duration) {
        let day: Int64 = 86_400
        let seconds = span.components.seconds
        guard seconds % day == 0, seconds > day else {
            let text = TimeSpan.text(of: span).reduce(into: "") { text, character in
                if character.isLetter, text.last?.isNumber ?? false { text += " " }
                text.append(character)
            }
            self.init(en: text, pl: text)
            return
        }
        self.init(en: "\(seconds / day) days", pl: "\(seconds / day) dni")
    }
}

extension ErrorText {
    /// A message about a failure, in both languages.
    init(_ message: Message) {
        self.init(en: message.text("en"), pl: message.text("pl"))
    }
}

extension JSONWriter {
    /// Writes why a refresh failed, or null.
    mutating func failure(_ failure: Failure?, language: String) {
        guard let failure else { return null() }
        beginObject()
        member(RefreshFailure.kind, failure.kind.rawValue)
        if let reason = failure.reason { member(RefreshFailure.reason, reason.rawValue) }
        if let status = failure.status { member(RefreshFailure.status, status) }
        if let site = failure.site { member(RefreshFailure.site, site) }
        member(RefreshFailure.message, failure.message.text(language))
        key(RefreshFailure.at)
        instant(failure.at)
        endObject()
    }

    /// Writes milliseconds since 1970 as RFC 3339, or null.
    mutating func instant(_ milliseconds: Int64?) {
        guard let milliseconds else { return null() }
        var text: [UInt8] = []
        Instant(ms: milliseconds).append(to: &text)
        string(utf8: text.rawSpan)
    }
}
