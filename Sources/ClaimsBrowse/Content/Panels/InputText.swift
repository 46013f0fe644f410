// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import ClaimsTerminal

/// A text with a cursor in a line of a screen: the part around the cursor, where the whole does not fit.
struct InputText {
    /// The part that is shown; it is escaped.
    let text: String
    /// The cells before the cursor.
    let cursorCells: Int
    /// The characters of the text before the part that is shown.
    private let dropped: Int
    private let pieces: [String]

    /// - Parameter width: the cells of the line; the cursor takes one of them behind the text.
    init(_ line: EditedLine, width: Int) {
        // Each character as it is shown, so that cells and characters can be told apart.
        pieces = line.text.map { Escaping.line(String($0)) }
        let cells = pieces.map { DisplayWidth.cells(of: $0) }
        let cursor = min(max(0, line.cursor), pieces.count)
        let width = max(1, width)
        var start = cursor
        var used = 1
        while start > 0, used + cells[start - 1] <= width {
            start -= 1
            used += cells[start]
        }
        var end = cursor
        var total = cells[start..<cursor].reduce(0, +)
        while end < pieces.count, total + cells[end] <= width {
            total += cells[end]
            end += 1
        }
        dropped = start
        text = pieces[start..<end].joined()
        cursorCells = cells[start..<cursor].reduce(0, +)
    }

    /// The cells before a character of the text, from the start of the part that is shown; 0 for one before it.
    func cells(before character: Int) -> Int {
        guard character > dropped else { return 0 }
        return pieces[dropped..<min(character, pieces.count)].reduce(0) { $0 + DisplayWidth.cells(of: $1) }
    }
}
