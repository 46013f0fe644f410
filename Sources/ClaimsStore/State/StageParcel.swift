// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// A chunk on its way to the store's thread, and then its room for the next one.
///
/// To fill a new one each time would cost more than to write its rows: memory of that size comes from the system.
final class StageParcel: Sendable {
    private let chunk = Mutex(StageChunk())

    /// Leaves a full chunk for an empty one.
    func exchange(_ other: inout StageChunk) {
        chunk.withLock { chunk in
            chunk.removeAll()
            swap(&chunk, &other)
        }
    }

    /// Writes all rows; to be called in a transaction.
    func write(_ connection: borrowing StateConnection, to target: StageChunk.Target) throws(StoreError) {
        try chunk.withLock { chunk throws(StoreError) in try chunk.write(connection, to: target) }
    }
}
