// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// Who archived which ids, and when. A value that is cheap to change: most of it is shared with what it was before.
struct ArchiveMarks: Sendable {
    typealias Mark = ArchiveOverlay.Mark

    /// So many changes are kept beside the large table before a new one is made.
    private static let changesMax = 1024

    private var table: [[UInt8]: Mark]
    /// What is different from the table; nil: not archived any more.
    private var changes: [[UInt8]: Mark?] = [:]

    init(_ marks: [[UInt8]: Mark] = [:]) {
        table = marks
    }

    subscript(id: [UInt8]) -> Mark? {
        get {
            if let change = changes[id] { return change }
            return table[id]
        }
        set {
            changes[id] = .some(newValue)
            if changes.count > Self.changesMax { settle() }
        }
    }

    /// Calls `body` for each mark, in no order.
    func forEach(_ body: ([UInt8], Mark) -> Void) {
        for (id, mark) in table where changes[id] == nil { body(id, mark) }
        for case (let id, let mark?) in changes { body(id, mark) }
    }

    private mutating func settle() {
        for (id, mark) in changes { table[id] = mark }
        changes = [:]
    }
}
