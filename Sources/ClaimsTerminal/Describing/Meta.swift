// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

public import ClaimsClient
import ClaimsModel

/// How a collection stands, as every answer's `meta` tells.
public struct Meta: Sendable {
    public struct Failure: Sendable {
        public let kind: String
        public let status: Int64?
        public let message: String
        /// When, in milliseconds since 1970.
        public let at: Int64?

        public init(kind: String, status: Int64? = nil, message: String, at: Int64? = nil) {
            self.kind = kind
            self.status = status
            self.message = message
            self.at = at
        }
    }

    public var collection: String
    public var state: String
    public var freshness: String?
    public var source: String?
    public var asOf: Int64?
    /// In milliseconds.
    public var age: Int64?
    public var quarantined: Int64 = 0
    public var unsupported: Int64 = 0
    public var failure: Failure?
    public var nextRefresh: Int64?

    public init(collection: String, state: String) {
        self.collection = collection
        self.state = state
    }

    /// Reads one collection's `meta`.
    public init?(_ value: AnswerValue?) {
        guard let value, let state = value["state"]?.string else { return nil }
        self.init(collection: value["collection"]?.string ?? "", state: state)
        freshness = value["freshness"]?.string
        source = value["source"]?.string
        asOf = Self.instant(value["as_of"])
        age = value["age_ms"]?.integer
        quarantined = value["quarantined"]?.integer ?? 0
        unsupported = value["unsupported"]?.integer ?? 0
        nextRefresh = Self.instant(value["next_refresh"])
        if let error = value["last_error"] {
            failure = Failure(
                kind: error["kind"]?.string ?? "other", status: error["status"]?.integer,
                message: error["message"]?.string ?? "", at: Self.instant(error["at"]))
        }
    }

    /// All the collections an answer speaks of: one, or, over all collections, each.
    public static func all(in value: AnswerValue?) -> [Meta] {
        guard let value else { return [] }
        if let one = Meta(value) { return [one] }
        let list = value.elements.isEmpty ? value["collections"]?.elements ?? [] : value.elements
        return list.compactMap { Meta($0) }
    }

    /// The collections that an answer over all of them had to leave out, with the reason in words.
    public static func skipped(in value: AnswerValue?) -> [(collection: String, reason: String)] {
        (value?["skipped"]?.elements ?? []).compactMap { entry in
            // What nobody has set up is not missed.
            guard let collection = entry["collection"]?.string, entry["state"]?.string != "unconfigured" else {
                return nil
            }
            return (collection, entry["reason"]?.string ?? "there is no data")
        }
    }

    /// There are records, or it is certain that there are none.
    public var hasData: Bool { state == "ready" || state == "empty" }

    private static func instant(_ value: AnswerValue?) -> Int64? {
        value?.string.flatMap { Instant.parse($0)?.ms }
    }
}
