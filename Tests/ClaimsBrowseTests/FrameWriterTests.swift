// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import ClaimsTestSupport
import Testing

@testable import ClaimsBrowse

@Suite struct FrameWriterTests {
    private let size = ScreenSize(columns: 24, rows: 4)

    private func screen(_ size: ScreenSize) throws -> TerminalScreen {
        var screen = TerminalScreen(columns: size.columns, rows: size.rows)
        try screen.take(ControlSequence.enterOtherScreen)
        return screen
    }

    private func text(_ bytes: [UInt8]) -> String {
        String(decoding: bytes, as: UTF8.self).replacing("\u{1b}", with: "^")
    }

    /// The first difference between a terminal and a frame.
    private func difference(_ screen: TerminalScreen, _ frame: Frame, isColored: Bool = true) -> String? {
        for row in 0..<frame.size.rows {
            for column in 0..<frame.size.columns {
                let expected = frame.cell(at: CellPosition(row: row, column: column))
                let cell = screen.cells[row][column]
                let style = expected.style
                if cell.text != expected.text || cell.style.isBold != style.isBold
                    || cell.style.isReversed != style.isReversed
                    || cell.style.isUnderlined != (isColored && style.isUnderlined)
                    || cell.style.color != (isColored ? style.color.map { Int($0.rawValue) } : nil)
                {
                    return "\(row), \(column): \(cell) instead of \(expected)"
                }
            }
        }
        if screen.isCursorShown != (frame.cursor != nil) { return "the cursor is \(screen.isCursorShown)" }
        if let cursor = frame.cursor, screen.cursor?.row != cursor.row || screen.cursor?.column != cursor.column {
            return "the cursor is at \(String(describing: screen.cursor)) instead of \(cursor)"
        }
        return nil
    }

    private static let pieces = [
        "a", "bc", " ", "     ", "Łódź", "é", "e\u{301}", "日本", "👩‍🚒", "☎️", "→", "…", "🇵🇱", "ि", "각", "ᄀ", "\u{1F3FB}",
        "क्षत्रिय", "x" + String(repeating: "\u{302}", count: 30), "Zażółć gęślą jaźń", "▁▂█", "ﷺ", "🏴󠁧󠁢󠁷󠁬󠁳󠁿",
    ]

    private func scribble(_ frame: inout Frame, _ generator: inout SeededGenerator) {
        let styles: [CellStyle] = [
            .plain, .plain, .bold, .reversed, .wrong, .notFresh, .confirmed, CellStyle(isUnderlined: true, color: .red),
        ]
        for _ in 0..<Int.random(in: 0...6, using: &generator) {
            let row = Int.random(in: -1...frame.size.rows, using: &generator)
            let column = Int.random(in: -1...frame.size.columns, using: &generator)
            switch Int.random(in: 0..<8, using: &generator) {
            case 0:
                let end = Int.random(in: column...frame.size.columns, using: &generator)
                frame.fill(row: row, columns: column..<end, style: generator.pick(styles))
            case 1: frame.put(String(repeating: " ", count: 30), row: row, column: max(0, column))
            default:
                let text = (0..<3).map { _ in generator.pick(Self.pieces) }.joined()
                frame.put(text, row: row, column: column, style: generator.pick(styles))
            }
        }
        let isShown = !generator.oneIn(3)
        frame.cursor =
            isShown
            ? CellPosition(
                row: Int.random(in: 0..<frame.size.rows, using: &generator),
                column: Int.random(in: 0..<frame.size.columns, using: &generator)) : nil
    }

    @Test func `any frame can be made of any other`() throws {
        let seed = UInt64.random(in: 0...UInt64.max)
        var generator = SeededGenerator(seed: seed)
        for isColored in [true, false] {
            let writer = FrameWriter(isColored: isColored)
            var screen = try screen(size)
            var old: Frame?
            for step in 0..<RandomRounds.count(400) {
                var new = generator.oneIn(20) ? Frame(size) : old ?? Frame(size)
                scribble(&new, &generator)
                if generator.oneIn(30) { old = nil }
                let bytes = writer.bytes(from: old, to: new)
                try screen.take(bytes)
                let difference = difference(screen, new, isColored: isColored)
                try #require(difference == nil, "seed \(seed), step \(step): \(difference ?? ""), \(text(bytes))")
                #expect(writer.bytes(from: new, to: new).isEmpty)
                old = new
            }
        }
    }

    @Test(arguments: [1, 3, 4]) func `a terminal that takes pictures for wider or narrower is wrong there only`(
        _ width: Int
    ) throws {
        let seed = UInt64.random(in: 0...UInt64.max)
        var generator = SeededGenerator(seed: seed)
        let writer = FrameWriter(isColored: true)
        var screen = try screen(size)
        screen.width = { $0.unicodeScalars.count > 1 ? width : DisplayWidth.cells(of: $0) }
        var old: Frame?
        for step in 0..<RandomRounds.count(300) {
            var new = generator.oneIn(20) ? Frame(size) : old ?? Frame(size)
            scribble(&new, &generator)
            try screen.take(writer.bytes(from: old, to: new))
            for row in 0..<size.rows {
                for column in 0..<size.columns {
                    let text = new.cell(at: CellPosition(row: row, column: column)).text
                    guard text.utf8.count == 1 else { continue }
                    try #require(
                        screen.cells[row][column].text == text, "seed \(seed), step \(step), \(row), \(column)")
                }
            }
            old = new
        }
    }

    @Test(arguments: ["\u{1b}", "\u{1b}[", "\u{1b}[?2", "\u{1b}]52;c;YQ"]) func `a terminal forgets what was cut off`(
        _ half: String
    ) throws {
        var screen = try screen(size)
        screen.takesCuts = true
        try screen.take("\u{1b}[1;1H".utf8)
        try screen.take([0xE2, 0x94])
        try screen.take(half.utf8)
        try screen.take("\(ControlSequence.leaveOtherScreen)".utf8)
        #expect(!screen.isOtherScreen)
    }

    @Test func `the first frame erases what was there, and shows the cursor where it is wanted`() {
        var frame = Frame(size)
        frame.put("Hi", row: 1, column: 2)
        let writer = FrameWriter(isColored: true)
        #expect(text(writer.bytes(from: nil, to: frame)) == "^[?25l^[0m^[1;1H^[J^[2;3HHi")
        frame.cursor = CellPosition(row: 0, column: 0)
        #expect(text(writer.bytes(from: Frame(size), to: frame)) == "^[2;3HHi^[1;1H^[?25h")
        var next = frame
        next.cursor = CellPosition(row: 3, column: 4)
        #expect(text(writer.bytes(from: frame, to: next)) == "^[4;5H")
    }

    @Test func `ends of rows and of the screen are erased without a style`() {
        var old = Frame(size)
        old.put("some long text", row: 0, column: 0)
        old.put("more", row: 2, column: 0, style: .bold)
        old.put("more", row: 3, column: 0, style: .bold)
        var new = Frame(size)
        new.put("some", row: 0, column: 0, style: .bold)
        let bytes = FrameWriter(isColored: true).bytes(from: old, to: new)
        #expect(text(bytes) == "^[1;1H^[1msome^[0m^[K^[2;1H^[J")
    }

    @Test func `without colours only bold and reversed cells differ`() {
        var frame = Frame(size)
        frame.put("a", row: 0, column: 0, style: .wrong)
        frame.put("b", row: 0, column: 1, style: .confirmed)
        frame.put("c", row: 0, column: 2, style: CellStyle(isUnderlined: true, isReversed: true, color: .magenta))
        let bytes = FrameWriter(isColored: false).bytes(from: Frame(size), to: frame)
        #expect(text(bytes) == "^[1;1H^[1ma^[0mb^[7mc^[0m")
    }

    @Test(arguments: [CellStyle.reversed, .bold]) func `moving the selection takes less than a kibibyte`(
        _ style: CellStyle
    ) {
        func frame(_ selected: Int) -> Frame {
            var frame = Frame(.standard)
            for row in 0..<24 {
                frame.put("   Zażółć gęślą jaźń 12345678 · Łódź, 日本 … 2026-11-22 08:01:22 ", row: row, column: 0)
                frame.put("Gotowa do odbioru", row: row, column: 62)
            }
            for row in selected * 3..<selected * 3 + 3 { frame.fill(row: row, style: style) }
            frame.put(">", row: selected * 3, column: 0, style: style)
            frame.cursor = CellPosition(row: selected * 3, column: 0)
            return frame
        }
        let bytes = FrameWriter(isColored: true).bytes(from: frame(2), to: frame(3))
        #expect(bytes.count <= 1024, "\(bytes.count)")
    }

    @Test func `a text for the clipboard is sent in base64 up to its bound`() throws {
        var screen = try screen(size)
        try screen.take(#require(ControlSequence.clipboard("Łódź")))
        #expect(screen.clipboard == "Łódź")
        let longest = String(repeating: "x", count: ControlSequence.maxClipboardBytes)
        try screen.take(#require(ControlSequence.clipboard(longest)))
        #expect(screen.clipboard == longest)
        #expect(ControlSequence.clipboard(longest + "x") == nil)
    }
}
