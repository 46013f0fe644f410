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
    /// The freshness in the text.
    private let freshness: Freshness?
    /// Whether the records are withheld according to the text.
    private let isWithheld: Bool
    /// The times at which the text is true in a collection with sites, whose states change one by one; nil for any time.
    private let validity: Range<Int64>?

    /// - Parameters:
    ///   - now: milliseconds since 1970.
    ///   - isLimited: whether figures are left out that count records which a peer does not see.
    init(_ view: CollectionView, _ revision: Revision, language: String, now: Int64, isLimited: Bool = false) {
        let meta = view.meta(now: now, revision: revision, isLimited: isLimited)
        asOf = meta.asOf
        isLocal = view.isLocal
        freshness = meta.freshness
        isWithheld = meta.state == .withheld
        validity = meta.sites.map { _ in now..<max(now + 1, view.nextFreshnessChange(after: now) ?? .max) }
        var writer = JSONWriter()
        writer.beginObject()
        writer.member(Meta.collection, view.definition.name)
        writer.member(Meta.state, meta.state.rawValue)
        writer.member(Meta.freshness, meta.freshness?.rawValue)
        writer.member(Meta.source, meta.source?.rawValue)
        if let via = meta.via { writer.member(Meta.via, via) }
        writer.key(Meta.asOf)
        writer.instant(meta.asOf)
        writer.key(Meta.age)
        head = writer.bytes
        writer.null()
        let mark = writer.bytes.count
        writer.key(Meta.generation)
        writer.integer(meta.generation)
        writer.member(Meta.clock, meta.revision.text)
        if !meta.isLimited {
            writer.member(Meta.quarantined, Int64(meta.quarantined))
            writer.member(Meta.unsupported, Int64(meta.unsupported))
        }
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
        if meta.isLimited { writer.member(Meta.isLimited, true) }
        writer.endObject()
        tail = Array(writer.bytes[mark...])
    }

    /// Whether the text is still true at `now`, in milliseconds since 1970.
    func isValid(for view: CollectionView, at now: Int64) -> Bool {
        view.freshness(now: now) == freshness && view.isWithheld(now: now) == isWithheld
            && validity?.contains(now) != false
    }

    private static func write(_ sites: SourceSummary.SiteCounts, to writer: inout JSONWriter) {
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

    /// The age of the data in milliseconds; nil if it is unknown.
    func age(now: Int64) -> Int64? { isLocal ? 0 : asOf.map { max(0, now - $0) } }
}

extension JSONWriter {
    /// The members of an object that `body` writes, each with a comma before it: they follow a member that is written
    /// elsewhere.
    static func members(_ body: (inout JSONWriter) -> Void) -> [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        body(&writer)
        writer.endObject()
        return [ASCII.comma] + writer.bytes.dropFirst().dropLast()
    }

    /// Writes why a refresh failed, or null.
    mutating func failure(_ failure: Failure?, language: String) {
        guard let failure else { return null() }
        beginObject()
        member(RefreshFailure.kind, failure.kind.rawValue)
        if let reason = failure.reason { member(RefreshFailure.reason, reason.rawValue) }
        if let status = failure.status { member(RefreshFailure.status, status) }
        if let site = failure.site { member(RefreshFailure.site, site) }
        if let host = failure.host { member(RefreshFailure.host, host) }
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
