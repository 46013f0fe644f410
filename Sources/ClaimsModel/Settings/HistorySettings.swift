// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// How much of the past is kept; what is over either measure is dropped, the oldest first.
public struct HistorySettings: Sendable, Hashable {
    public var keep: Duration
    /// Changes of all collections.
    public var changes: Int

    public init(keep: Duration = .seconds(30 * 86_400), changes: Int = 100_000) {
        self.keep = keep
        self.changes = changes
    }
}
