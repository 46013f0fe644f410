// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsPlatform

/// Finds the matches of a pattern in a long text, one after the other: by pieces, so that it can be interrupted.
struct PieceSearch {
    /// In bytes.
    private static let pieceSize = 1 << 17

    private let pattern: [UInt8]
    private var offset = 0

    /// - Parameter pattern: not empty.
    init(_ pattern: [UInt8]) {
        self.pattern = pattern
    }

    /// Where the next match begins; nil after the last. Matches may overlap.
    mutating func next(in text: RawSpan, _ steps: inout QuerySteps) throws(QueryInterruption) -> Int? {
        while offset < text.byteCount {
            // No match crosses the end of a piece unseen.
            let piece = text.part(offset, min(text.byteCount - offset, Self.pieceSize + pattern.count))
            if let place = ByteSearch.firstIndex(of: pattern.raw, in: piece) {
                try steps.spend(16 + place / 64)
                offset += place + 1
                return offset - 1
            }
            if piece.byteCount < Self.pieceSize + pattern.count { return nil }
            offset += Self.pieceSize
            try steps.spend(Self.pieceSize / 64)
        }
        return nil
    }

    /// Leaves out matches that begin before `place`.
    mutating func skip(to place: Int) { offset = max(offset, place) }
}
