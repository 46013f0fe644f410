// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import Testing

@testable import ClaimsBrowse

@Suite struct FrameTests {
    private var frame = Frame(ScreenSize(columns: 10, rows: 2))

    @Test mutating func `text is put on its row, and the cells that it took are told`() {
        #expect(frame.put("Żółw", row: 1, column: 2) == 4)
        #expect(frame.text == ["", "  Żółw"])
    }

    @Test mutating func `text is cut at the width and at the right edge`() {
        #expect(frame.put("abcdef", row: 0, column: 0, width: 3) == 3)
        #expect(frame.put("ghijkl", row: 0, column: 7) == 3)
        #expect(frame.put("ł日本", row: 1, column: 0, width: 4) == 3)
        #expect(frame.text == ["abc    ghi", "ł日"])
    }

    @Test mutating func `a wide cluster is not split at the edge`() {
        #expect(frame.put("日", row: 0, column: 9) == 0)
        #expect(frame.put("日", row: 0, column: 8) == 2)
        #expect(frame.cell(at: CellPosition(row: 0, column: 9)).text == "")
        #expect(frame.text == ["        日", ""])
    }

    @Test mutating func `text outside the screen is left out`() {
        #expect(frame.put("a", row: 2, column: 0) == 0)
        #expect(frame.put("a", row: -1, column: 0) == 0)
        #expect(frame.put("a", row: 0, column: 10) == 0)
        #expect(frame.put("a", row: 0, column: -1) == 0)
        #expect(frame.put("a", row: 0, column: 1, width: -3) == 0)
        #expect(frame == Frame(frame.size))
    }

    @Test(arguments: ["\u{1b}[31m", "\r\n", "\u{9b}m", "\u{7f}", "\u{202e}", "\u{200b}", "\u{feff}", "\u{e0041}"])
    func `no control character gets into a cell`(_ text: String) {
        var frame = frame
        frame.put("a" + text + "ł", row: 0, column: 0)
        for scalar in frame.text.joined().unicodeScalars { #expect(!TextSafety.isUnsafe(scalar)) }
    }

    @Test mutating func `a cluster of many scalars keeps eight, and a mark without a letter is left out`() {
        let marks = String(repeating: "\u{301}", count: 400)
        #expect(frame.put("a" + marks + "b", row: 0, column: 0) == 2)
        #expect(frame.text[0].unicodeScalars.count == 9)
        #expect(frame.put(marks, row: 1, column: 0) == 0)
    }

    @Test mutating func `a sequence of emoji is one cluster of two cells, without a joiner at its end`() {
        #expect(frame.put("👩‍🚒\u{200d}", row: 0, column: 0) == 2)
        #expect(frame.text[0] == "👩‍🚒")
        #expect(frame.put("🏴󠁧󠁢󠁷󠁬󠁳󠁿", row: 1, column: 0) == 2)
        #expect(frame.text[1] == "🏴󠁧󠁢󠁷󠁬󠁳󠁿")
    }

    @Test mutating func `text over one half of a wide cluster blanks the other`() {
        frame.put("日本", row: 0, column: 0)
        frame.put("x", row: 0, column: 1)
        #expect(frame.text[0] == " x本")
        frame.put("y", row: 0, column: 2)
        #expect(frame.text[0] == " xy")
        frame.put("日本", row: 0, column: 0)
        frame.put("語", row: 0, column: 1)
        #expect(frame.text[0] == " 語")
    }

    @Test mutating func `runs of a style are marked in the dump`() {
        frame.put("ab", row: 0, column: 1, style: .bold)
        frame.put("c", row: 0, column: 4, style: .wrong)
        frame.fill(row: 1, style: .reversed)
        #expect(frame.styledText == [" {b}ab{} {bR}c{}", "{r}          "])
        frame.fill(row: 1, columns: 2..<40, style: .plain)
        #expect(frame.styledText[1] == "{r}  {}")
    }

    @Test mutating func `frames are equal when they show the same, however they came to it`() {
        var other = frame
        for _ in 0..<100 { other.put("e\u{301}", row: 1, column: 3) }
        #expect(other != frame)
        frame.put("o\u{308}", row: 0, column: 0)
        frame.put("  ", row: 0, column: 0)
        frame.put("e\u{301}", row: 1, column: 3)
        #expect(other == frame)
        #expect(other.clusters.count <= other.cells.count + 1)
        other.cursor = CellPosition(row: 0, column: 0)
        #expect(other != frame)
    }

    @Test func `the size of a terminal is kept within bounds`() {
        #expect(ScreenSize(reported: nil) == .standard)
        #expect(ScreenSize(reported: (0, 0)) == .standard)
        #expect(ScreenSize(reported: (65535, 65535)) == ScreenSize(columns: 1000, rows: 500))
    }
}
