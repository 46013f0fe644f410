// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

public import ClaimsModel
public import ClaimsStore
public import ClaimsUpstream

/// A client's order to try the definition of a collection.
public struct TrialOrder: Sendable {
    /// The name of the collection, which need not be served.
    public let collection: String
    /// The site to ask; nil if none is named.
    public let site: String?
    /// Whether only changes are asked for.
    public let isIncremental: Bool
    /// Registers the work to do when the answer is not needed any more; done at once if that is so already.
    public let whenCancelled: @Sendable (@escaping @Sendable () -> Void) -> Void
    /// Called with the progress of the trial, on any thread, before its result; nil if it is not wanted.
    public var watcher: (@Sendable (SourceID, RefreshProgress) -> Void)?

    public init(
        _ collection: String, site: String? = nil, isIncremental: Bool = false,
        whenCancelled: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void = { _ in }
    ) {
        self.collection = collection
        self.site = site
        self.isIncremental = isIncremental
        self.whenCancelled = whenCancelled
    }
}

/// The outcome of an order to try a definition.
public enum TrialResult: Sendable {
    /// The trial was made.
    case made(TrialReport)
    /// The files have mistakes or name no source, and nothing was asked.
    case invalid([ConfigurationProblem])
}

/// The reason why a definition is not tried, or why its trial has no result.
public enum TrialRefusal: Error, Sendable, Equatable {
    /// Another trial is under way.
    case busy
    /// The trial was cancelled, or took too long.
    case ended
    /// No file defines the collection of that name.
    case noFile(String, among: [String])
    /// The collection has no such site.
    case noSite(String, among: [String])
    /// The collection cannot be asked for changes alone.
    case noSince(String)
    /// It is not known from which position the collection is to be asked for changes.
    case noPosition(String)
}

/// The outcome of trying a definition: the effects that a refresh would have. Nothing of it is kept, and it has no
/// secrets.
public struct TrialReport: Sendable {
    /// One request, and the number of elements of its page.
    public struct Request: Sendable {
        public let entry: RequestTrace.Entry
        /// nil for an answer that is no page of records.
        public let elements: Int?
    }

    /// A field, and the number of records that have a value of it.
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
    /// The reason for which the guard would hold the answer back; nil if it would not.
    public var guardReason: Message?
    /// Whole objects of JSON: the first records as they would be served.
    public var sample: [[UInt8]] = []
    public var added: [String] = []
    public var updated: [String] = []
    public var removed: [String] = []

    public init(_ outcome: TrialOutcome) { self.outcome = outcome }
}
