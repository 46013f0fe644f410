// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// What a held body would change.
public struct HeldSummary: Sendable, Equatable {
    public var before: Int
    public var after: Int
    public var added: Int
    public var updated: Int
    public var removed: Int
    public var quarantined: Int

    public init(before: Int, after: Int, added: Int, updated: Int, removed: Int, quarantined: Int) {
        self.before = before
        self.after = after
        self.added = added
        self.updated = updated
        self.removed = removed
        self.quarantined = quarantined
    }
}
