// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON

/// Which record of the snapshot being served a body probably has next: the one that follows the last one met, in the
/// order of the ids or in the order in which they arrived then. Only a guess, but a cheap one.
struct RowForecast {
    private let base: Snapshot
    private var last = -1
    private var isByArrival = false

    init(_ base: Snapshot) {
        self.base = base
    }

    /// Tells which record has come.
    mutating func meet(_ row: Int) { last = row }

    /// Moves past the next element if it is, byte for byte, a record that was expected here; its row, and where it is.
    mutating func skip(_ elements: inout JSONElements) -> (row: Int, range: Range<Int>)? {
        for _ in 0..<2 {
            if let row = isByArrival ? rowThatArrivedNext() : last + 1 < base.count ? last + 1 : nil,
                let range = elements.skip(base.upstream(row))
            {
                last = row
                return (row, range)
            }
            isByArrival.toggle()
        }
        return nil
    }

    /// The row of the record whose bytes follow those of the last one, or of its newer version.
    private func rowThatArrivedNext() -> Int? {
        let bytes = base.bytes
        var place = SnapshotHeader.size
        if last >= 0 {
            guard let offset = base.recordOffset(last) else { return nil }
            place = offset + RecordBlock.size(bytes, at: offset)
        }
        return base.row(forID: RecordBlock.id(bytes, at: place))
    }
}
