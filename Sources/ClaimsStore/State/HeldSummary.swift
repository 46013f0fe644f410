// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// What a held body would change.
package struct HeldSummary: Sendable, Equatable {
    package var before: Int
    package var after: Int
    package var added: Int
    package var updated: Int
    package var removed: Int
    package var quarantined: Int

    package init(before: Int, after: Int, added: Int, updated: Int, removed: Int, quarantined: Int) {
        self.before = before
        self.after = after
        self.added = added
        self.updated = updated
        self.removed = removed
        self.quarantined = quarantined
    }
}
