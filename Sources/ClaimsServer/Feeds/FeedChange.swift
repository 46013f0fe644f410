// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsJSON
import ClaimsModel
import ClaimsSnapshot
import ClaimsStore

/// The change of one record between a position and now. It does not depend on any feed.
struct FeedChange: Sendable {
    let id: [UInt8]
    /// The number of the record's last row in the log.
    let seq: UInt64
    /// The time of its last commit, in milliseconds since 1970.
    let at: Int64
    let cause: ChangeCause
    /// The number of its changes since the position.
    let count: Int
    /// Whether the record was erased since the position. Every feed reports that, also if the record came back.
    let wasForgotten: Bool
    /// The record as it is served now; nil if it is not served any more.
    let served: ListedRecord?
    /// Whether it is archived now.
    let isArchived: Bool
    /// The record as it was at the position.
    let before: RecordUndo

    /// The net effect of rows of one id.
    ///
    /// - Parameters:
    ///   - changes: the changes after the position, ascending, at least one.
    ///   - served: the record as the view serves it.
    ///   - wasMarked: whether a record that is not served was archived last; nil: its mark decides.
    ///   - names: the members of the records of the view.
    init(
        _ changes: ArraySlice<LoggedChange>, last: LoggedChange, served: ListedRecord?, wasMarked: Bool? = nil,
        in view: CollectionView, _ names: ServedMembers, tape: inout JSONTape
    ) {
        id = last.id
        seq = last.seq
        at = last.at
        cause = last.cause
        count = changes.count
        wasForgotten = changes.contains { $0.cause == .forget }
        self.served = served
        isArchived = served.map { view.rows.isArchived($0.row) } ?? wasMarked ?? (view.archive.mark(last.id) != nil)
        var before = RecordUndo(isServed: served != nil, isArchived: isArchived)
        for change in changes.reversed() { before.undo(change, &tape, names) }
        self.before = before
    }

    /// A record that has not changed.
    init(unchanged served: ListedRecord, id: [UInt8], seq: UInt64, isArchived: Bool) {
        self.id = id
        self.seq = seq
        at = 0
        cause = .refresh
        count = 0
        wasForgotten = false
        self.served = served
        self.isArchived = isArchived
        before = RecordUndo(isServed: true, isArchived: isArchived)
    }

    /// The document as it was; nil if there was no record, or if it is the served one.
    ///
    /// - Parameter snapshot: the snapshot of the view.
    func documentBefore(_ snapshot: Snapshot?, _ tape: inout JSONTape) -> [UInt8]? {
        // Without a served record the differences are from the document that the log has kept.
        let nothing: [UInt8] = []
        guard let served else { return before.document(served: nothing.rawSpan, &tape) }
        return served.withDocument(of: snapshot) { before.document(served: $0, &tape) } ?? nil
    }
}

/// The changes of one collection that are written together, each id once, in the order of their last rows.
///
/// An id that has rows behind the end is left to them. Feeds at the same position share it.
struct FeedWindow: Sendable {
    /// The sequence to which ``FeedChange/before`` goes back.
    let since: UInt64
    /// The sequence before the first row.
    let start: UInt64
    /// The sequence up to which all rows are in the window.
    let end: UInt64
    /// The view that the records are of now.
    let view: CollectionView
    /// The number of rows that were read.
    let rows: Int
    let changes: [FeedChange]

    /// Whether the window holds the rows that a position needs next.
    func serves(_ position: FeedPosition, in view: CollectionView) -> Bool {
        self.view === view && since == position.since && start <= position.processed && position.processed < end
    }

    /// The index of the first change after a sequence.
    func firstIndex(after seq: UInt64) -> Int {
        changes.indices.partitionPoint { changes[$0].seq <= seq }
    }
}
