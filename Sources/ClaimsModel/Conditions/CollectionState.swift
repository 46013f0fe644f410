// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// What a collection has to show.
public enum CollectionState: String, Sendable, Hashable, CaseIterable {
    /// The first fetch is under way, and there is nothing to show.
    case loading
    case ready
    /// The upstream answered with no records.
    case empty
    /// There is no data at all, and the last fetch failed.
    case failed
    /// There is neither an address nor a bundle.
    case unconfigured

    /// Whether a query on it gets an answer.
    public var hasData: Bool { self == .ready || self == .empty }
}
