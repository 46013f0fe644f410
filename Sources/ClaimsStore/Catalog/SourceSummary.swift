// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

public import ClaimsModel
import ClaimsPlatform

/// The state of a collection's sources, summed up: one upstream, or its sites.
///
/// Each view has one, made once, so that an answer needs only a few comparisons. Times are in milliseconds since 1970.
public struct SourceSummary: Sendable {
    /// The number of sites in each state, as answers have it.
    public struct SiteCounts: Sendable, Equatable {
        public var total = 0
        public var fresh = 0
        public var stale = 0
        public var expired = 0
        /// The sites whose last refresh failed, or is held back. Each of them is also counted in another state.
        public var failed = 0
        /// The sites that have never answered.
        public var never = 0

        public init() {}
    }

    /// The time of a site's data.
    private struct SiteTime {
        let asOf: Int64?
        let fullAsOf: Int64?
        let hasFailed: Bool
    }

    /// The time when the oldest data was confirmed; nil if no upstream has confirmed any.
    public let asOf: Int64?
    /// The time when the bytes of the oldest answer arrived.
    public let fetchedAt: Int64?
    /// The time since when it is certain which records are gone: the time of the oldest answer with all records; nil if
    /// each answer has all.
    public let fullAsOf: Int64?
    /// The newest failure of a source whose last refresh failed.
    public let lastError: Failure?
    /// The time when the next source is due.
    public let due: Int64?
    /// The host of the fleet that sent the data of a source; nil if this host has asked the upstream.
    public let via: String?
    /// Whether every source has answered.
    public let isComplete: Bool
    /// Whether every source was asked and no source has data.
    public let hasFailed: Bool
    /// The maximal ages of fresh data, of stale data, and of the last answer with all records for fresh data.
    private let spans: (fresh: Int64, stale: Int64, full: Int64?)
    /// The sites in the order of the definition; empty for a collection with one source.
    private let sites: [SiteTime]

    init(_ definition: Definition, _ condition: CollectionCondition) {
        let source = definition.source
        spans = (
            source.ttl.wholeMilliseconds, source.expires.wholeMilliseconds,
            source.since.map { Self.double($0.full.wholeMilliseconds) }
        )
        let isIncremental = source.since != nil
        guard let list = source.sites else {
            let row = condition.source
            (fetchedAt, lastError, due, sites) = (row.fetchedAt, row.lastError, row.due, [])
            // The records of the sites before it are served until the source has answered.
            asOf = row.asOf ?? condition.sites.values.compactMap(\.asOf).min()
            fullAsOf = isIncremental ? row.full.asOf : nil
            via = row.position?.host
            isComplete = row.asOf != nil || condition.sites.isEmpty
            hasFailed = row.lastError != nil
            return
        }
        let rows = list.sites.map { condition.source(of: $0.name) }
        sites = rows.map {
            SiteTime(asOf: $0.asOf, fullAsOf: isIncremental ? $0.full.asOf : nil, hasFailed: $0.lastError != nil)
        }
        // The records of the source before them are served until one site has answered.
        asOf = rows.compactMap(\.asOf).min() ?? condition.source.asOf
        fetchedAt = rows.compactMap(\.fetchedAt).min() ?? condition.source.fetchedAt
        fullAsOf = isIncremental ? rows.compactMap(\.full.asOf).min() : nil
        due = rows.compactMap(\.due).min()
        via = rows.lazy.compactMap(\.position?.host).first
        isComplete = rows.allSatisfy { $0.asOf != nil }
        hasFailed = rows.allSatisfy { $0.asOf == nil && $0.lastError != nil }
        var newest: Failure?
        for row in rows {
            guard var failure = row.lastError, failure.at > newest?.at ?? .min else { continue }
            failure.site = row.site
            newest = failure
        }
        lastError = newest
    }

    private static func double(_ span: Int64) -> Int64 { span.multipliedReportingOverflow(by: 2).partialValue }

    /// The freshness of data that was confirmed at `asOf`.
    private func freshness(_ asOf: Int64, full: Int64?, now: Int64) -> Freshness {
        let age = Self.age(of: asOf, now: now)
        if age >= spans.stale { return .expired }
        if age >= spans.fresh { return .stale }
        // It is no longer certain which records are gone.
        if let span = spans.full, Self.age(of: full ?? asOf, now: now) >= span { return .stale }
        return .fresh
    }

    /// The worst freshness; nil if no upstream has confirmed any data.
    func freshness(now: Int64) -> Freshness? {
        guard let asOf else { return nil }
        let oldest = freshness(asOf, full: fullAsOf, now: now)
        return oldest == .fresh && !isComplete ? .stale : oldest
    }

    /// The number of sites in each state; nil for a collection with one source.
    public func siteCounts(now: Int64) -> SiteCounts? {
        guard !sites.isEmpty else { return nil }
        var counts = SiteCounts()
        counts.total = sites.count
        for site in sites {
            if site.hasFailed { counts.failed += 1 }
            guard let asOf = site.asOf else {
                counts.never += 1
                continue
            }
            switch freshness(asOf, full: site.fullAsOf, now: now) {
            case .fresh: counts.fresh += 1
            case .stale, .bundle: counts.stale += 1
            case .expired: counts.expired += 1
            }
        }
        return counts
    }

    /// The freshness of the data of one source; nil if it has never answered.
    public func freshness(of row: SourceRow, now: Int64) -> Freshness? {
        row.asOf.map { freshness($0, full: spans.full == nil ? nil : row.full.asOf, now: now) }
    }

    /// The times after `now` at which the freshness changes, of the whole collection or of a site.
    func changes(after now: Int64) -> [Int64] {
        var times = changes(asOf, fullAsOf, now)
        for site in sites { times += changes(site.asOf, site.fullAsOf, now) }
        return times
    }

    private func changes(_ asOf: Int64?, _ full: Int64?, _ now: Int64) -> [Int64] {
        guard let asOf else { return [] }
        var ends = [spans.fresh, spans.stale].map { asOf.addingReportingOverflow($0) }
        if let span = spans.full { ends.append((full ?? asOf).addingReportingOverflow(span)) }
        return ends.compactMap { $0.overflow || $0.partialValue <= now ? nil : $0.partialValue }
    }

    /// How old data is, in milliseconds. It is never negative, although the wall clock may step back.
    static func age(of time: Int64, now: Int64) -> Int64 { max(0, now.subtractingReportingOverflow(time).partialValue) }
}
