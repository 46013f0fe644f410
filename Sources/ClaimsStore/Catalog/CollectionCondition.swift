// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// What is known of a collection beside its records. A value: commits and refreshes replace it as a whole.
public struct CollectionCondition: Sendable {
    /// As committed.
    public var row: CollectionRow
    /// As committed.
    public var source: SourceRow
    /// A fetch is under way.
    public var isRefreshing = false
    /// An upstream has confirmed the data since this process started.
    public var isConfirmed = false
    /// All checksums of the snapshot have been found right, or this process has made it.
    public var isVerified = false
    /// Why there is no snapshot although state.db has records.
    public var problem: StoreError?

    public init(row: CollectionRow, source: SourceRow = SourceRow()) {
        self.row = row
        self.source = source
    }
}
