// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// Rows of a refresh on their way to state.db: texts end to end, and what they belong to.
struct StageChunk: Sendable {
    struct Version: Sendable {
        var key: Int64
        var id: Range<Int>
        var upstream: Range<Int>
        var firstSeen: Int64
        var changedAt: Int64
    }

    struct Change: Sendable {
        var ordinal: Int64
        var operation: StaticString
        var id: Range<Int>
        var fields: Range<Int>?
    }

    struct Quarantined: Sendable {
        var pointer: String
        var reason: String
        var bytes: Range<Int>
        /// Of the bytes as they came; what is kept may be less.
        var size: Int
        var digest: UInt64
    }

    struct JoinValue: Sendable {
        var number: Int64
        var value: Range<Int>
    }

    /// At this many bytes or rows a chunk is sent. Writing it takes a few milliseconds.
    static let bytes = 1 << 20
    static let rows = 4096

    var text: [UInt8] = []
    var versions: [Version] = []
    /// Versions of this refresh that a later record with the same id took the place of.
    var withdrawn: [Int64] = []
    /// Versions of earlier generations that this one ends.
    var removals: [Int64] = []
    var changes: [Change] = []
    /// The ordinals of changes that turned out to be none.
    var withdrawnChanges: [Int64] = []
    var quarantined: [Quarantined] = []
    var joinValues: [JoinValue] = []

    var isEmpty: Bool { rowCount == 0 }
    var isFull: Bool { text.count >= Self.bytes || rowCount >= Self.rows }

    private var rowCount: Int {
        versions.count + withdrawn.count + removals.count + changes.count + withdrawnChanges.count + quarantined.count
            + joinValues.count
    }

    /// Empties the chunk, and keeps its room.
    mutating func removeAll() {
        text.removeAll(keepingCapacity: true)
        versions.removeAll(keepingCapacity: true)
        withdrawn.removeAll(keepingCapacity: true)
        removals.removeAll(keepingCapacity: true)
        changes.removeAll(keepingCapacity: true)
        withdrawnChanges.removeAll(keepingCapacity: true)
        quarantined.removeAll(keepingCapacity: true)
        joinValues.removeAll(keepingCapacity: true)
    }

    /// Appends bytes, and says where they are.
    mutating func add(_ bytes: RawSpan) -> Range<Int> {
        let start = text.count
        unsafe bytes.withUnsafeBytes { unsafe text.append(contentsOf: $0) }
        return start..<text.count
    }
}
