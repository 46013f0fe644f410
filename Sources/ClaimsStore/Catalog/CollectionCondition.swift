// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// What is known of a collection beside its records. A value: commits and refreshes replace it as a whole.
package struct CollectionCondition: Sendable {
    /// As committed.
    package var row: CollectionRow
    /// As committed.
    package var source: SourceRow
    /// A fetch is under way.
    package var isRefreshing = false
    /// An upstream has confirmed the data since this process started.
    package var isConfirmed = false
    /// All checksums of the snapshot have been found right, or this process has made it.
    package var isVerified = false
    /// Why there is no snapshot although state.db has records.
    package var problem: StoreError?

    package init(row: CollectionRow, source: SourceRow = SourceRow()) {
        self.row = row
        self.source = source
    }
}
