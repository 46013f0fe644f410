// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON

/// Which rows of one snapshot are archived, by whom and when. Immutable: each commit makes another.
///
/// It also keeps the marks of ids that are in no row, for the day they come back.
public final class ArchiveOverlay: Sendable {
    public struct Mark: Sendable, Hashable {
        /// Milliseconds since 1970.
        public let at: Int64
        public let uid: UInt32

        public init(at: Int64, uid: UInt32) {
            self.at = at
            self.uid = uid
        }
    }

    /// A new mark, or none any more.
    public struct Change: Sendable {
        public let id: [UInt8]
        public let mark: Mark?

        public init(id: [UInt8], mark: Mark?) {
            self.id = id
            self.mark = mark
        }
    }

    /// One bit a row, the lowest first; empty if no row is archived.
    public let bits: [UInt64]
    /// The rows whose bit is set.
    public let count: Int
    /// Rises with each change of marks in this process.
    public let revision: UInt64
    private let marks: ArchiveMarks

    /// No marks.
    public init() {
        bits = []
        count = 0
        revision = 0
        marks = ArchiveMarks()
    }

    private init(snapshot: Snapshot?, marks: ArchiveMarks, revision: UInt64) {
        var builder = BitBuilder(rows: snapshot?.count ?? 0)
        if let snapshot {
            marks.forEach { id, _ in
                if let row = snapshot.row(forID: id.rawSpan) { builder.set(row, true) }
            }
        }
        self.marks = marks
        self.revision = revision
        bits = builder.bits
        count = builder.count
    }

    private init(marks: ArchiveMarks, builder: BitBuilder, revision: UInt64) {
        self.marks = marks
        self.revision = revision
        bits = builder.count == 0 ? [] : builder.bits
        count = builder.count
    }

    /// Looks all marks up in a snapshot.
    public static func build(snapshot: Snapshot?, marks: [Change]) -> ArchiveOverlay {
        var table: [[UInt8]: Mark] = [:]
        for change in marks { table[change.id] = change.mark }
        return ArchiveOverlay(snapshot: snapshot, marks: ArchiveMarks(table), revision: 0)
    }

    /// The same marks over another snapshot.
    public func rebuilt(for snapshot: Snapshot?) -> ArchiveOverlay {
        ArchiveOverlay(snapshot: snapshot, marks: marks, revision: revision)
    }

    /// Other marks over the same snapshot.
    public func applying(_ changes: [Change], to snapshot: Snapshot?) -> ArchiveOverlay {
        var marks = marks
        var builder = BitBuilder(rows: snapshot?.count ?? 0, bits: bits, count: count)
        for change in changes {
            marks[change.id] = change.mark
            if let row = snapshot?.row(forID: change.id.rawSpan) { builder.set(row, change.mark != nil) }
        }
        return ArchiveOverlay(marks: marks, builder: builder, revision: revision + 1)
    }

    public func contains(_ row: Int) -> Bool {
        let word = row >> 6
        return word < bits.count && bits[word] >> UInt64(row & 63) & 1 != 0
    }

    /// The mark of an id, whether or not a row has it.
    public func mark(_ id: [UInt8]) -> Mark? { marks[id] }

    private struct BitBuilder {
        let rows: Int
        var bits: [UInt64]
        var count: Int

        init(rows: Int, bits: [UInt64] = [], count: Int = 0) {
            self.rows = rows
            self.bits = bits
            self.count = count
        }

        mutating func set(_ row: Int, _ on: Bool) {
            guard row >= 0, row < rows else { return }
            if bits.isEmpty { bits = [UInt64](repeating: 0, count: (rows + 63) / 64) }
            let bit: UInt64 = 1 << UInt64(row & 63)
            guard (bits[row >> 6] & bit != 0) != on else { return }
            bits[row >> 6] ^= bit
            count += on ? 1 : -1
        }
    }
}
