// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

public import ClaimsModel
public import ClaimsStore
public import ClaimsUpstream

/// The outcome of trying a definition: what a refresh would do. Nothing of it is kept, and no secret is in it.
public struct TrialReport: Sendable {
    /// One request, and the number of elements of its page.
    public struct Request: Sendable {
        public let entry: RequestTrace.Entry
        /// nil for an answer that is no page of records.
        public let elements: Int?
    }

    /// A field, and how many records have a value of it.
    public struct Filled: Sendable {
        public let name: String
        public let filled: Int
        /// The number of values of a wrong type.
        public let wrong: Int
    }

    /// An element that would go to quarantine.
    public struct Refused: Sendable {
        public let pointer: String
        public let reason: String
        public let excerpt: String
    }

    public var outcome: TrialOutcome
    /// The site that was asked; nil in a collection without sites.
    public var site: String?
    public var requests: [Request] = []
    /// The reason why there are no records, or why the join gave nothing.
    public var failure: FetchFailure?
    /// The beginning of the body with which an upstream refused.
    public var refusal: String?
    public var counts = IntakeCounts()
    public var fields: [Filled] = []
    public var quarantined: [Refused] = []
    public var drift = DriftReport()
    /// The reason for which the guard would hold the answer back; nil where it would not.
    public var guardReason: Message?
    /// Whole objects of JSON: the first records as they would be served.
    public var sample: [[UInt8]] = []
    public var added: [String] = []
    public var updated: [String] = []
    public var removed: [String] = []

    public init(_ outcome: TrialOutcome) { self.outcome = outcome }
}
