// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsJSON
import ClaimsModel
import ClaimsSnapshot
import ClaimsStore

/// The windows of the log that were read last, for the next feeds that are at the same position.
///
/// They are of one collection, and have never more than ``retainedRows`` rows in all.
struct FeedWindows {
    /// One of the two ends of a change.
    enum Side { case before, now }

    /// A window with the records that were decoded for it.
    final class Kept {
        let window: FeedWindow
        /// For each change, the record as it was; nil if no feed has needed it yet.
        private var before: [DecodedRecord?]
        /// For each change, the record as it is now.
        private var now: [DecodedRecord?]

        init(_ window: FeedWindow, keepsRecords: Bool) {
            self.window = window
            before = Array(repeating: nil, count: keepsRecords ? window.changes.count : 0)
            now = before
        }

        /// The decoded record of a change.
        func record(_ side: Side, _ index: Int) -> DecodedRecord? {
            side == .before ? before[index] : now[index]
        }

        /// Prefetches the documents that are written after the change at an index.
        func prefetch(after index: Int) {
            guard let snapshot = window.view.snapshot else { return }
            let changes = window.changes
            if index + 8 < changes.count, let row = changes[index + 8].served?.ownRow { snapshot.prefetchOffset(row) }
            if index + 4 < changes.count, let row = changes[index + 4].served?.ownRow { snapshot.prefetchDocument(row) }
        }

        func keep(_ record: DecodedRecord, _ side: Side, _ index: Int) {
            switch side {
            case .before: before[index] = record
            case .now: now[index] = record
            }
        }
    }

    /// Whether decoded records are kept for further feeds.
    let keepsRecords: Bool
    private var windows: [Kept] = []

    init(keepsRecords: Bool) {
        self.keepsRecords = keepsRecords
    }

    /// The window that holds the rows that a position needs next.
    mutating func find(_ position: FeedPosition, in view: CollectionView) -> Kept? {
        guard let index = windows.firstIndex(where: { $0.window.serves(position, in: view) }) else { return nil }
        // The last window in the list is the one that was used last.
        if index != windows.count - 1 { windows.append(windows.remove(at: index)) }
        return windows.last
    }

    /// Adds a window, and drops the windows that are not needed beside it.
    mutating func keep(_ window: FeedWindow) -> Kept {
        windows.removeAll { $0.window.view !== window.view || !keepsRecords }
        var rows = windows.reduce(window.rows) { $0 + $1.window.rows }
        while rows > Self.retainedRows, let oldest = windows.first {
            rows -= oldest.window.rows
            windows.removeFirst()
        }
        let kept = Kept(window, keepsRecords: keepsRecords)
        windows.append(kept)
        return kept
    }

    /// The number of rows that are kept: feeds with many entries fall behind the others.
    private static let retainedRows = 2 * FeedLog.maxRows

    mutating func removeAll() {
        windows.removeAll()
    }
}
