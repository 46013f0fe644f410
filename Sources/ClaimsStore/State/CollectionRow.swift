// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// What state.db knows of a collection's data: one row of `collection`.
public struct CollectionRow: Sendable, Equatable {
    /// The number that stands for the name in the other tables.
    public let number: Int64
    public let name: String
    /// 0: there is no data yet.
    public var generation: UInt64 = 0
    /// The name of the snapshot file; 0: there is no data.
    public var fileID: UInt64 = 0
    public var definitionHash: UInt64 = 0
    public var records = 0
    /// The first of the record keys that have not been given away.
    public var nextKey: Int64 = 1
    /// Not 0: the data came from the bundle that has this key, and no upstream has answered yet.
    public var bundleKey: UInt64 = 0
    public var quarantineBatch: Int64 = 0
    public var quarantined = 0
    public var joinBatch: Int64 = 0

    public init(number: Int64, name: String) {
        self.number = number
        self.name = name
    }

    public var isBundle: Bool { bundleKey != 0 }
    /// Whether there is anything to serve. An upstream may well have answered with no records.
    public var hasData: Bool { fileID != 0 }
}
