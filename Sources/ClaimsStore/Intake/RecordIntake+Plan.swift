// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

public import ClaimsModel
public import ClaimsSnapshot

extension RecordIntake {
    /// The inputs of an intake beside the body.
    public struct Plan: Sendable {
        public var definition: Definition
        /// The values of the second request, by their key; nil where the source has no join.
        public var joined: JoinTable?
        /// The snapshot being served, of the same definition; nil where all records are new.
        public var base: Snapshot?
        /// Whether fields that a join fills may differ although the record's own bytes do not.
        public var isJoinChanged: Bool
        /// Whether a record that comes with the same bytes as before may be taken unread; otherwise the request, or what
        /// its answer means, is another one than before.
        public var trustsBytes = true
        /// Whether the records of sources leave that the definition does not have any more.
        public var dropsOtherSources = false
        /// Whether the answer may have several pages, so that two may share elements where the data moves meanwhile.
        public var hasPages = false
        /// The ids of the records whose delete the upstream has accepted from this host: that they are gone is no loss.
        public var ownDeletions: Set<[UInt8]> = []
        /// Whether records are stored in state.db. Those of a bundle are not.
        public var isStored: Bool
        /// Milliseconds since 1970.
        public var now: Int64
        public var recordLimit: Int
        /// Called every few records; true ends the reading with `.cancelled`.
        public var isCancelled: @Sendable () -> Bool
        /// Called every few records with the number of elements that have been read.
        public var observe: @Sendable (Int) -> Void

        public init(
            definition: Definition, joined: JoinTable? = nil, base: Snapshot? = nil, isJoinChanged: Bool = false,
            isStored: Bool = true, now: Int64, recordLimit: Int,
            isCancelled: @escaping @Sendable () -> Bool = { false },
            observe: @escaping @Sendable (Int) -> Void = { _ in }
        ) {
            self.definition = definition
            self.joined = joined
            self.base = base
            self.isJoinChanged = isJoinChanged
            self.isStored = isStored
            self.now = now
            self.recordLimit = recordLimit
            self.isCancelled = isCancelled
            self.observe = observe
        }
    }
}
