// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// What state.db knows of a collection's data: one row of `collection`.
package struct CollectionRow: Sendable, Equatable {
    /// The number that stands for the name in the other tables.
    package let number: Int64
    package let name: String
    /// 0: there is no data yet.
    package var generation: UInt64 = 0
    /// The name of the snapshot file; 0: there is no data.
    package var fileID: UInt64 = 0
    package var definitionHash: UInt64 = 0
    package var records = 0
    /// The first of the record keys that have not been given away.
    package var nextKey: Int64 = 1
    /// Not 0: the data came from the bundle that has this key, and no upstream has answered yet.
    package var bundleKey: UInt64 = 0
    package var quarantineBatch: Int64 = 0
    package var quarantined = 0
    package var joinBatch: Int64 = 0

    package init(number: Int64, name: String) {
        self.number = number
        self.name = name
    }

    package var isBundle: Bool { bundleKey != 0 }
    /// Whether there is anything to serve. An upstream may well have answered with no records.
    package var hasData: Bool { fileID != 0 }
}
