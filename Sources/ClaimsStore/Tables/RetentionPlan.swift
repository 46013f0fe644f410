// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// The part of a collection's log that is kept.
public struct RetentionLimits: Sendable, Hashable {
    /// The time before which commits are too old, in milliseconds since 1970.
    public var oldest: Int64
    /// A commit that so many changes follow is dropped.
    public var changes: Int
    /// A commit that so many bytes of values follow is dropped.
    public var bytes: Int

    public init(oldest: Int64, changes: Int, bytes: Int) {
        self.oldest = oldest
        self.changes = changes
        self.bytes = bytes
    }
}

/// The extent of a collection's log.
public struct LogExtent: Sendable, Equatable {
    /// The number of changes that the log tells.
    public var changes: Int
    /// The size of their values.
    public var bytes: Int
    /// The time of the oldest commit, in milliseconds since 1970; nil where there is none.
    public var oldest: Int64?

    public init(changes: Int = 0, bytes: Int = 0, oldest: Int64? = nil) {
        self.changes = changes
        self.bytes = bytes
        self.oldest = oldest
    }

    /// Adds a commit.
    ///
    /// - Parameter bytes: the size of its values; nil where they are not kept, so that the log begins after it.
    mutating func add(changes: Int, bytes: Int?, at now: Int64) {
        guard let bytes else { return self = LogExtent() }
        guard changes > 0 else { return }
        self.changes += changes
        self.bytes += bytes
        oldest = oldest ?? now
    }
}

/// Decides which commits of a collection are dropped: whole ones, the oldest first. It is told them in that order.
///
/// No commit is dropped for its own size.
struct RetentionPlan {
    /// A commit as it stands in the log.
    struct Commit: Equatable {
        /// The number of its last change.
        var end: UInt64
        var changes: Int
        var bytes: Int
        /// Milliseconds since 1970.
        var at: Int64
        /// Whether it is the newest generation, which age alone does not drop.
        var isNewestGeneration: Bool
    }

    private let limits: RetentionLimits
    /// The log from the next commit on.
    private(set) var extent: LogExtent
    /// The end of the last commit that is dropped; nil: none is.
    private(set) var floor: UInt64?

    /// - Parameter extent: all that the log has; its time is not looked at.
    init(_ limits: RetentionLimits, _ extent: LogExtent) {
        self.limits = limits
        self.extent = extent
    }

    /// Whether the commit is dropped. After the first one that is not, the caller asks no more.
    mutating func drops(_ commit: Commit) -> Bool {
        let (changes, bytes) = (extent.changes - commit.changes, extent.bytes - commit.bytes)
        let isOld = commit.at < limits.oldest && !commit.isNewestGeneration
        guard isOld || changes >= limits.changes || bytes >= limits.bytes else {
            extent.oldest = commit.at
            return false
        }
        extent = LogExtent(changes: changes, bytes: bytes)
        floor = commit.end
        return true
    }
}
