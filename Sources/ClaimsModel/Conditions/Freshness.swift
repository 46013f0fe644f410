// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// How old data is by its collection's own measure. Without data there is none.
public enum Freshness: String, Sendable, Hashable, CaseIterable {
    case fresh, stale, expired
    /// What came with the program; no upstream has answered yet.
    case bundle

    /// The freshness of data that an upstream confirmed `age` ago.
    public init(age: Duration, source: Source) {
        self = age < source.ttl ? .fresh : age < source.expires ? .stale : .expired
    }
}
