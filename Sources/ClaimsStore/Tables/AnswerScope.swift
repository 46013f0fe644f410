// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// The records that an answer speaks for: those that it does not have are gone, or it says nothing of them.
public struct AnswerScope: Sendable, Hashable {
    /// The site whose records the answer has; nil for the only source of a collection.
    public var site: String?
    /// Whether the answer has only what has changed, and changes no other records than those that it names.
    public var isIncremental: Bool

    /// An answer with all records of the only source.
    public static let whole = AnswerScope()

    public init(site: String? = nil, isIncremental: Bool = false) {
        self.site = site
        self.isIncremental = isIncremental
    }
}
