// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// A request to archive records, or to bring them back.
public struct ArchiveChange: Sendable {
    public var collection: String
    public var ids: [[UInt8]]
    /// Whether to archive them.
    public var isArchiving: Bool
    /// Whose request it is.
    public var uid: UInt32
    /// Milliseconds since 1970.
    public var at: Int64

    public init(collection: String, ids: [[UInt8]], isArchiving: Bool, uid: UInt32, at: Int64) {
        self.collection = collection
        self.ids = ids
        self.isArchiving = isArchiving
        self.uid = uid
        self.at = at
    }

    /// What became of each id.
    public struct Outcome: Sendable, Equatable {
        public var changed: [[UInt8]] = []
        public var unchanged: [[UInt8]] = []
        /// Neither a record nor an archive mark has the id.
        public var missing: [[UInt8]] = []
        public var clock: Clock

        public init(clock: Clock) {
            self.clock = clock
        }
    }
}
