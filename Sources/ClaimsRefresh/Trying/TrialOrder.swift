// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

public import ClaimsModel

/// A client's order to try the definition of a collection.
public struct TrialOrder: Sendable {
    /// The name of the collection, which need not be served.
    public let collection: String
    /// The site to ask; nil if none is named.
    public let site: String?
    /// Whether only changes are asked for.
    public let isIncremental: Bool
    /// Takes what is to be done when nobody waits for the answer any more; done at once if that is so already.
    public let whenCancelled: @Sendable (@escaping @Sendable () -> Void) -> Void
    /// Called with how far the trial is, on any thread, before its result; nil if nobody asks.
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
    /// It is not known since when the collection is to be asked for changes.
    case noPosition(String)
}
