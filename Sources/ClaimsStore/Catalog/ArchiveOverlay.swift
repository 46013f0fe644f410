// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsJSON
public import ClaimsSnapshot

/// The archive marks of one collection, as they apply to one snapshot: which rows are archived, by which user, and when.
///
/// The overlay is immutable; each commit of marks makes a new one. It also keeps the marks of ids that no row has, so
/// that a record that comes back is archived again.
public final class ArchiveOverlay: Sendable {
    /// The rows of the snapshot that are archived.
    public let rows: RowBitmap
    /// The number of changes that this process has made to the marks; 0 after loading.
    public let markVersion: UInt64
    private let marks: ArchiveMarks

    /// Makes an overlay without marks.
    public init() {
        rows = RowBitmap()
        markVersion = 0
        marks = ArchiveMarks()
    }

    private init(marks: ArchiveMarks, rows: RowBitmap, markVersion: UInt64) {
        self.marks = marks
        self.markVersion = markVersion
        self.rows = rows
    }

    private convenience init(snapshot: Snapshot?, marks: ArchiveMarks, markVersion: UInt64) {
        var rows = RowBitmap()
        if let snapshot {
            marks.forEach { id, _ in
                if let row = snapshot.row(forID: id.rawSpan) { rows.set(row, of: snapshot.count, to: true) }
            }
        }
        self.init(marks: marks, rows: rows, markVersion: markVersion)
    }

    /// Builds the overlay of `marks` over a snapshot, looking up each id in it.
    public static func build(snapshot: Snapshot?, marks: [ArchiveMarkChange]) -> ArchiveOverlay {
        var table: [[UInt8]: ArchiveMark] = [:]
        for change in marks { table[change.id] = change.mark }
        return ArchiveOverlay(snapshot: snapshot, marks: ArchiveMarks(table), markVersion: 0)
    }

    /// Returns an overlay with the same marks over another snapshot.
    public func rebuilt(for snapshot: Snapshot?) -> ArchiveOverlay {
        ArchiveOverlay(snapshot: snapshot, marks: marks, markVersion: markVersion)
    }

    /// Returns an overlay with `changes` applied, over the same snapshot.
    public func applying(_ changes: [ArchiveMarkChange], to snapshot: Snapshot?) -> ArchiveOverlay {
        var marks = marks
        var rows = rows
        for change in changes {
            marks[change.id] = change.mark
            if let snapshot, let row = snapshot.row(forID: change.id.rawSpan) {
                rows.set(row, of: snapshot.count, to: change.mark != nil)
            }
        }
        return ArchiveOverlay(marks: marks, rows: rows, markVersion: markVersion + 1)
    }

    /// Whether no id has a mark.
    var isEmpty: Bool { marks.isEmpty }

    public func contains(_ row: Int) -> Bool { rows.contains(row) }

    /// Returns the mark of an id, whether or not a row has that id; nil for an id that is not archived.
    public func mark(_ id: [UInt8]) -> ArchiveMark? { marks[id] }
}

/// The archive marks of a collection by id. A value that is cheap to change: most of it is shared with the one before.
struct ArchiveMarks: Sendable {
    /// So many changes are kept beside the large table before a new one is made.
    private static let maxChanges = 1024

    private var table: [[UInt8]: ArchiveMark]
    /// The differences from the table; nil: not archived any more.
    private var changes: [[UInt8]: ArchiveMark?] = [:]

    init(_ marks: [[UInt8]: ArchiveMark] = [:]) {
        table = marks
    }

    subscript(id: [UInt8]) -> ArchiveMark? {
        get {
            if let change = changes[id] { return change }
            return table[id]
        }
        set {
            changes[id] = .some(newValue)
            if changes.count > Self.maxChanges { settle() }
        }
    }

    /// Whether there are no marks, and none was taken back lately.
    var isEmpty: Bool { table.isEmpty && changes.isEmpty }

    /// Calls `body` for each mark, in no order.
    func forEach(_ body: ([UInt8], ArchiveMark) -> Void) {
        for (id, mark) in table where changes[id] == nil { body(id, mark) }
        for case (let id, let mark?) in changes { body(id, mark) }
    }

    private mutating func settle() {
        for (id, mark) in changes { table[id] = mark }
        changes = [:]
    }
}
