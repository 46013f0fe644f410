// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

public import ClaimsClient
import ClaimsModel
import ClaimsProtocol

/// The state of a collection, from the `meta` of an answer.
public struct AnswerMeta: Sendable {
    /// The reason why the last refresh failed.
    public struct Failure: Sendable {
        /// The kind of the failure, which ``Advice`` branches on.
        public let kind: String
        /// The finer cause, such as `dns`; nil if there is none.
        public let reason: String?
        /// The status of the HTTP response, such as 404; nil if there was none.
        public let status: Int64?
        /// The site that failed; nil in a collection with one source.
        public let site: String?
        /// The reason as a sentence for people.
        public let message: String
        /// The time of the failure, in milliseconds since 1970.
        public let at: Int64?

        /// Makes a failure from its parts.
        public init(
            kind: String, reason: String? = nil, status: Int64? = nil, site: String? = nil, message: String,
            at: Int64? = nil
        ) {
            self.kind = kind
            self.reason = reason
            self.site = site
            self.status = status
            self.message = message
            self.at = at
        }
    }

    /// The number of a collection's sites, and of those of them that are not fresh.
    public struct Sites: Sendable {
        public let total: Int
        public let old: Int
    }

    /// The name of the collection; empty if the answer has none.
    public var collection: String
    /// The state: `ready`, `empty`, `loading`, `failed`, `unconfigured` or `withheld`.
    public var state: String
    /// The freshness of the data: `fresh`, `stale`, `expired` or `bundle`; nil without data.
    public var freshness: String?
    /// The origin of the data: `upstream`, `cache`, `bundle` or `local`; nil without data.
    public var source: String?
    /// The time at which the upstream last confirmed the data, in milliseconds since 1970.
    public var asOf: Int64?
    /// The age of the data, in milliseconds; nil if it is unknown.
    public var age: Int64?
    /// The number of upstream elements that are no records.
    public var quarantined: Int64 = 0
    /// The reason why the last refresh failed; nil if it did not fail.
    public var failure: Failure?
    /// The time of the next refresh, in milliseconds since 1970; nil if none is planned.
    public var nextRefresh: Int64?

    /// The numbers of its sites; nil in a collection with one source.
    public var sites: Sites?
    /// Whether the files of the definition have a mistake, so that the definition before it is in force.
    public var isDefinitionPrevious = false
    /// Whether the rules show a part of the records.
    public var isLimited = false

    /// Makes the state of a collection without data.
    public init(collection: String, state: String) {
        self.collection = collection
        self.state = state
    }

    /// Reads the `meta` of one collection; nil if the value is none.
    public init?(_ value: AnswerValue?) {
        guard let value, let state = value[Meta.state] else { return nil }
        self.init(collection: value[Meta.collection] ?? "", state: state)
        freshness = value[Meta.freshness]
        source = value[Meta.source]
        asOf = Self.instant(value[Meta.asOf])
        age = value[Meta.age]
        quarantined = value[Meta.quarantined] ?? 0
        nextRefresh = Self.instant(value[Meta.nextRefresh])
        isDefinitionPrevious = value[Meta.definition] == "previous"
        isLimited = value[Meta.isLimited] ?? false
        failure = Failure(value[Meta.lastError])
        if let counts = value[Meta.sites], let total = counts[SiteTotals.total] {
            sites = Sites(total: Int(total), old: Int(total - (counts[SiteTotals.fresh] ?? 0)))
        }
    }

    /// The state of every collection in a `meta`, or in an array of them; empty for a missing value.
    public static func all(in value: AnswerValue?) -> [AnswerMeta] {
        guard let value else { return [] }
        if let one = AnswerMeta(value) { return [one] }
        let list = value.elements.isEmpty ? value[SpanningMeta.collections] : value.elements
        return list.compactMap { AnswerMeta($0) }
    }

    /// The collections that an answer leaves out, each with the reason in words.
    ///
    /// An unconfigured collection is not among them.
    public static func skipped(
        in value: AnswerValue?, _ messages: Messages
    ) -> [(collection: String, reason: String)] {
        typealias Skipped = SpanningMeta.SkippedCollection
        return (value?[SpanningMeta.skipped] ?? []).compactMap { entry in
            // A collection that was never set up needs no mention.
            guard let collection = entry[Skipped.collection], entry[Skipped.state] != "unconfigured" else {
                return nil
            }
            return (collection, entry[Skipped.reason] ?? messages.noData)
        }
    }

    /// Whether the daemon has records of the collection, or knows that there are none.
    public var hasData: Bool { state == "ready" || state == "empty" || isAbandoned }
    /// Whether the collection has data, and no source any more to ask for newer.
    public var isAbandoned: Bool { state == "unconfigured" && freshness != nil }

    private static func instant(_ value: AnswerValue?) -> Int64? {
        value?.string.flatMap { Instant.parse($0)?.ms }
    }
}

extension AnswerMeta.Failure {
    /// The reason as a part of a sentence, behind the name of the site that failed.
    public var clause: String {
        let reason = FreshnessLine.clause(message)
        return site.map { "\(Escaping.line($0)): \(reason)" } ?? reason
    }

    /// Reads the `last_error` of an answer; nil if there is none.
    init?(_ error: AnswerValue?) {
        guard let error, error.string == nil, let kind = error[RefreshFailure.kind] else { return nil }
        self.init(
            kind: kind, reason: error[RefreshFailure.reason], status: error[RefreshFailure.status],
            site: error[RefreshFailure.site],
            message: error[RefreshFailure.message] ?? "",
            at: (error[RefreshFailure.at] as AnswerValue?)?.string.flatMap { Instant.parse($0)?.ms })
    }
}

/// The condition of a collection in one word, for all that reports it: triggers, `check` and `metrics`. The raw value is
/// its name in their output.
///
/// ```swift
/// let condition = AnswerMeta(entry[StatusResult.Collection.meta]).map { Condition($0) }
/// ```
public enum Condition: String, CaseIterable, Sendable, Hashable {
    /// The definition names no source, and there is no data.
    case unconfigured
    /// The definition names no source any more, and data of before is served.
    case abandoned
    /// There is data, but it is too old to be shown.
    case withheld
    /// The first fetch is under way, and there is no data yet.
    case loading
    /// There is no data, and the last fetch failed.
    case failed
    /// The data is older than `source.expires`.
    case expired
    /// The guard holds back what the upstream answered, and data of before is served.
    case held
    /// The data is older than `source.ttl`, or it is built in and the upstream could not be read.
    case stale
    case ok

    /// The condition that a `meta` describes: the first that applies, in the order of the cases.
    ///
    /// A state that this version does not know counts as one with data, whose freshness decides.
    public init(_ meta: AnswerMeta) {
        self =
            switch meta.state {
            case "unconfigured": meta.isAbandoned ? .abandoned : .unconfigured
            case "withheld": .withheld
            case "loading": .loading
            case "failed": .failed
            default: Self.ofData(meta)
            }
    }

    private static func ofData(_ meta: AnswerMeta) -> Condition {
        if meta.freshness == "expired" { return .expired }
        if meta.failure?.kind == "held" { return .held }
        switch meta.freshness {
        case "stale": return .stale
        case "bundle": return meta.failure == nil ? .ok : .stale
        default: return .ok
        }
    }
}

/// The sequence of a clock, `EPOCH.SEQ` or `EPOCH.SEQ-MORE`: the number of the last change that it knows.
public enum ClockSequence {
    /// The sequence; nil for a text that is no clock.
    public static func of(_ clock: String) -> Int64? {
        guard let dot = clock.utf8.firstIndex(of: UInt8(ascii: ".")) else { return nil }
        return Int64(clock[clock.index(after: dot)...].prefix { $0 != "-" })
    }
}
