// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON

extension StageChunk {
    /// Where the rows of a refresh go.
    struct Target: Sendable {
        var collection: Int64
        var generation: UInt64
        var quarantineBatch: Int64
        /// The batch that is in force, for the times of first sight.
        var currentQuarantineBatch: Int64
        var joinBatch: Int64
        /// When the refresh began.
        var at: Int64
    }

    /// Writes all rows; to be called in a transaction.
    func write(_ connection: borrowing StateConnection, to target: Target) throws(StoreError) {
        try writeVersions(connection, to: target)
        for key in withdrawn {
            connection.statements.deleteVersion.bind(1, key)
            try connection.statements.deleteVersion.run()
        }
        for key in removals {
            connection.statements.addRemoval.bind(1, key)
            connection.statements.addRemoval.bind(2, bits: target.generation)
            try connection.statements.addRemoval.run()
        }
        for change in changes { try write(change, connection, to: target) }
        for ordinal in withdrawnChanges {
            connection.statements.deleteChange.bind(1, target.collection)
            connection.statements.deleteChange.bind(2, bits: target.generation)
            connection.statements.deleteChange.bind(3, ordinal)
            try connection.statements.deleteChange.run()
        }
        for entry in quarantined { try write(entry, connection, to: target) }
        for value in joinValues {
            connection.statements.addJoinValue.bind(1, target.collection)
            connection.statements.addJoinValue.bind(2, target.joinBatch)
            connection.statements.addJoinValue.bind(3, value.number)
            connection.statements.addJoinValue.bind(4, text: Array(text[value.value]))
            try connection.statements.addJoinValue.run()
        }
    }

    private func writeVersions(_ connection: borrowing StateConnection, to target: Target) throws(StoreError) {
        connection.statements.addVersion.bind(2, bits: target.generation)
        for version in versions {
            connection.statements.addVersion.bind(1, version.key)
            connection.statements.addVersion.bind(5, version.firstSeen)
            connection.statements.addVersion.bind(6, version.changedAt)
            // The chunk stays where it is until the next binding.
            try unsafe text.rawSpan.withUnsafeBytes { bytes throws(StoreError) in
                let id = unsafe UnsafeRawBufferPointer(rebasing: bytes[version.id])
                let upstream = unsafe UnsafeRawBufferPointer(rebasing: bytes[version.upstream])
                unsafe connection.statements.addVersion.bind(3, inPlace: id)
                unsafe connection.statements.addVersion.bind(4, inPlace: upstream)
                try connection.statements.addVersion.run()
            }
        }
        // Nothing may keep pointing into this chunk.
        connection.statements.addVersion.bind(3, String?.none)
        connection.statements.addVersion.bind(4, String?.none)
    }

    private func write(
        _ change: Change, _ connection: borrowing StateConnection, to target: Target
    ) throws(StoreError) {
        connection.statements.addChange.bind(1, target.collection)
        connection.statements.addChange.bind(2, bits: target.generation)
        connection.statements.addChange.bind(3, change.ordinal)
        connection.statements.addChange.bind(4, change.operation.description)
        connection.statements.addChange.bind(5, text: Array(text[change.id]))
        if let fields = change.fields {
            connection.statements.addChange.bind(6, text: Array(text[fields]))
        } else {
            connection.statements.addChange.bind(6, String?.none)
        }
        try connection.statements.addChange.run()
    }

    private func write(
        _ entry: Quarantined, _ connection: borrowing StateConnection, to target: Target
    ) throws(StoreError) {
        connection.statements.addQuarantined.bind(1, target.collection)
        connection.statements.addQuarantined.bind(2, target.quarantineBatch)
        connection.statements.addQuarantined.bind(3, target.currentQuarantineBatch)
        connection.statements.addQuarantined.bind(4, entry.pointer)
        connection.statements.addQuarantined.bind(5, entry.reason)
        connection.statements.addQuarantined.bind(6, blob: Array(text[entry.bytes]))
        connection.statements.addQuarantined.bind(7, Int64(entry.size))
        connection.statements.addQuarantined.bind(8, bits: entry.digest)
        connection.statements.addQuarantined.bind(9, target.at)
        try connection.statements.addQuarantined.run()
    }
}
