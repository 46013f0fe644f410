// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// A request to archive records, or to bring them back.
package struct ArchiveChange: Sendable {
    package var collection: String
    package var ids: [[UInt8]]
    /// Whether to archive them.
    package var isArchiving: Bool
    /// Whose request it is.
    package var uid: UInt32
    /// Milliseconds since 1970.
    package var at: Int64

    package init(collection: String, ids: [[UInt8]], isArchiving: Bool, uid: UInt32, at: Int64) {
        self.collection = collection
        self.ids = ids
        self.isArchiving = isArchiving
        self.uid = uid
        self.at = at
    }

    /// What became of each id.
    package struct Outcome: Sendable, Equatable {
        package var changed: [[UInt8]] = []
        package var unchanged: [[UInt8]] = []
        /// Neither a record nor an archive mark has the id.
        package var missing: [[UInt8]] = []
        package var clock: Clock

        package init(clock: Clock) {
            self.clock = clock
        }
    }
}
