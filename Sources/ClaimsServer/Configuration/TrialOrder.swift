// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// A client's order to try the definition of a collection.
public struct TrialOrder: Sendable {
    /// The name of the collection, which need not be served.
    public let collection: String
    /// The site to ask; nil if none is named.
    public let site: String?
    /// Whether only changes are asked for.
    public let isIncremental: Bool
    /// The language of messages.
    public let language: String
    /// Takes what is to be done when nobody waits for the answer any more; done at once if that is so already.
    public let whenCancelled: @Sendable (@escaping @Sendable () -> Void) -> Void
}
