// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import ClaimsBrowse

@Suite struct EditedLineTests {
    private func edited(_ text: String, at cursor: Int? = nil, _ keys: Key...) -> EditedLine {
        var line = EditedLine(text, cursor: cursor ?? text.count)
        for key in keys { _ = line.apply(key, maxBytes: 200) }
        return line
    }

    @Test func `keys insert, remove and move`() {
        #expect(edited("abc", .left, "x") == EditedLine("abxc", cursor: 3))
        #expect(edited("abc", .backspace, .backspace) == EditedLine("a", cursor: 1))
        #expect(edited("abc", .control("a"), .delete) == EditedLine("bc", cursor: 0))
        #expect(edited("abc", at: 1, .control("k")) == EditedLine("a", cursor: 1))
        #expect(edited("abc", at: 1, .control("u")) == EditedLine("bc", cursor: 0))
        #expect(edited("one two  ", .control("w")) == EditedLine("one ", cursor: 4))
        #expect(edited("", .backspace, .left, .control("w")) == EditedLine("", cursor: 0))
    }

    @Test func `a combining mark joins the character before the cursor`() {
        #expect(edited("e", "\u{301}") == EditedLine("é", cursor: 1))
        #expect(edited("ń", .backspace) == EditedLine("", cursor: 0))
    }

    @Test func `a text never grows past its bound`() {
        var line = EditedLine(String(repeating: "ą", count: 100))
        guard case .full = line.apply("x", maxBytes: 200) else {
            Issue.record("it grew")
            return
        }
        #expect(line.text.utf8.count == 200)
    }

    @Test func `the cursor goes over lines in its column`() {
        var line = EditedLine("long line\nab\nxyz", cursor: 7)
        let moves = [1, 1, 1, -1, -1, -1].map { step in
            let isMoved = line.moveLine(by: step)
            return isMoved ? line.cursor : nil
        }
        #expect(moves == [12, 15, nil, 12, 2, nil])
    }

    /// Random keys against a list of characters that is edited naively.
    @Test func `random keys keep the cursor within the text`() {
        var random = SystemRandomNumberGenerator()
        let keys: [Key] = [
            "a", " ", "ł", "\u{301}", "👩", "\u{200D}", .left, .right, .home, .end, .backspace, .delete,
            .control("w"), .control("u"), .control("k"),
        ]
        var line = EditedLine()
        var taken: [Key] = []
        for _ in 0..<500 {
            let key = keys.randomElement(using: &random) ?? .left
            taken.append(key)
            _ = line.apply(key, maxBytes: 60)
            #expect((0...line.text.count).contains(line.cursor) && line.text.utf8.count <= 60, "\(taken)")
        }
    }
}
