// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// How large a filter may be. What is beyond is `bad_filter`.
public struct FilterLimits: Sendable, Hashable {
    /// Bytes: of a text as it came, of a tree in its normal form.
    public var bytes: Int
    /// Terms, where each value of a list counts as one.
    public var terms: Int
    /// How deep `and`, `or`, `not` and parentheses may nest.
    public var depth: Int

    public init(bytes: Int = 4096, terms: Int = 256, depth: Int = 32) {
        self.bytes = bytes
        self.terms = terms
        self.depth = depth
    }

    public static let standard = FilterLimits()
}
