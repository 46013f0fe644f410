// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// What makes a staged generation the current one.
public struct GenerationCommit: Sendable {
    /// The finished file; its identity and count are what is committed.
    public var snapshot: Snapshot
    public var source: SourceRow
    /// The key of the bundle that the records came from; 0: from an upstream.
    public var bundleKey: UInt64 = 0

    public init(snapshot: Snapshot, source: SourceRow, bundleKey: UInt64 = 0) {
        self.snapshot = snapshot
        self.source = source
        self.bundleKey = bundleKey
    }
}
