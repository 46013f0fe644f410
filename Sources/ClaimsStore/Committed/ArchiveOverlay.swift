// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsJSON
public import ClaimsSnapshot

/// The archive marks of one collection, applied to its files: the archived rows, with user and time.
///
/// The overlay is immutable; each commit of marks makes a new one. It also keeps the marks of ids without a row, so
/// that a record that comes back is archived again.
public final class ArchiveOverlay: Sendable {
    /// The archived rows of one file.
    private struct Layer {
        let fileID: UInt64
        var rows: RowBitmap
    }

    /// The number of changes that this process has made to the marks; 0 after loading.
    public let markVersion: UInt64
    private let layers: [Layer]
    private let marks: ArchiveMarks

    /// Makes an overlay without marks.
    public init() {
        layers = []
        markVersion = 0
        marks = ArchiveMarks()
    }

    private init(marks: ArchiveMarks, layers: [Layer], markVersion: UInt64) {
        self.marks = marks
        self.markVersion = markVersion
        self.layers = layers
    }

    /// Builds the overlay of `marks` over a snapshot, looking up each id in it.
    public static func build(snapshot: Snapshot?, marks: [ArchiveMarkChange]) -> ArchiveOverlay {
        build(over: snapshot.map { FileStack($0) }, marks: marks)
    }

    /// Builds the overlay of `marks` over some files, looking up each id in them.
    static func build(over files: FileStack?, marks: [ArchiveMarkChange]) -> ArchiveOverlay {
        var table: [[UInt8]: ArchiveMark] = [:]
        for change in marks { table[change.id] = change.mark }
        return ArchiveOverlay(marks: ArchiveMarks(table), layers: [], markVersion: 0).rebuilt(over: files)
    }

    /// Returns an overlay with the same marks over another snapshot.
    public func rebuilt(for snapshot: Snapshot?) -> ArchiveOverlay { rebuilt(over: snapshot.map { FileStack($0) }) }

    /// Returns an overlay with the same marks over other files. Ids are looked up only in files that it does not know.
    func rebuilt(over files: FileStack?) -> ArchiveOverlay {
        let layers = (files?.snapshots ?? []).map { snapshot in
            let fileID = snapshot.identity.fileID
            return self.layers.first { $0.fileID == fileID } ?? Layer(fileID: fileID, rows: rows(marks, in: snapshot))
        }
        return ArchiveOverlay(marks: marks, layers: layers, markVersion: markVersion)
    }

    private func rows(_ marks: ArchiveMarks, in snapshot: Snapshot) -> RowBitmap {
        var rows = RowBitmap()
        if marks.count > snapshot.count {
            for row in 0..<snapshot.count where marks[snapshot.idBytes(row)] != nil {
                rows.set(row, of: snapshot.count, to: true)
            }
        } else {
            marks.forEach { id, _ in
                if let row = snapshot.row(forID: id.rawSpan) { rows.set(row, of: snapshot.count, to: true) }
            }
        }
        return rows
    }

    /// Returns an overlay with `changes` applied, over the same snapshot.
    public func applying(_ changes: [ArchiveMarkChange], to snapshot: Snapshot?) -> ArchiveOverlay {
        applying(changes, over: snapshot.map { FileStack($0) })
    }

    /// Returns an overlay with `changes` applied, over the same files.
    func applying(_ changes: [ArchiveMarkChange], over files: FileStack?) -> ArchiveOverlay {
        var marks = marks
        var layers = rebuilt(over: files).layers
        for change in changes { marks[change.id] = change.mark }
        for (index, snapshot) in (files?.snapshots ?? []).enumerated() {
            for change in changes {
                if let row = snapshot.row(forID: change.id.rawSpan) {
                    layers[index].rows.set(row, of: snapshot.count, to: change.mark != nil)
                }
            }
        }
        return ArchiveOverlay(marks: marks, layers: layers, markVersion: markVersion + 1)
    }

    /// The rows of the oldest file that are archived.
    public var rows: RowBitmap { layers.first?.rows ?? RowBitmap() }

    /// The archived rows of a snapshot, which is a file of the overlay or a small snapshot in memory.
    func rows(of snapshot: Snapshot) -> RowBitmap {
        if let layer = layers.first(where: { $0.fileID == snapshot.identity.fileID }) { return layer.rows }
        return marks.isEmpty ? RowBitmap() : rows(marks, in: snapshot)
    }

    /// Whether no id has a mark.
    var isEmpty: Bool { marks.isEmpty }

    public func contains(_ row: Int) -> Bool { rows.contains(row) }

    /// Returns the mark of an id, whether or not a row has that id; nil for an id that is not archived.
    public func mark(_ id: [UInt8]) -> ArchiveMark? { marks[id] }
}

/// The archive marks of a collection by id. A value that is cheap to change: most of it is shared with its predecessor.
struct ArchiveMarks: Sendable {
    /// The number of changes that are kept beside the large table before a new table is made.
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

    /// An upper bound of the number of marks.
    var count: Int { table.count + changes.count }

    /// Whether there are no marks and no changes beside the table.
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
