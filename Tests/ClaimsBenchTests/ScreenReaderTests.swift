// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import claims_bench

@Suite struct ScreenReaderTests {
    private func screen(_ text: String) -> ScreenReader {
        var screen = ScreenReader(rows: 4, columns: 12)
        // Byte by byte, as a slow line brings them.
        for byte in text.utf8 { screen.take([byte][...]) }
        return screen
    }

    @Test func `text stands where it was placed, and is erased to the end of its row or screen`() {
        let all = screen("\u{1B}[2J\u{1B}[1;3HŁódź\u{1B}[2;1Habcdef\u{1B}[2;4H\u{1B}[K\u{1B}[4;12Hz")
        #expect((1...4).map { all.text($0) } == ["  Łódź      ", "abc         ", "            ", "           z"])
        #expect(screen("\u{1B}[1;1Ha\u{1B}[3;1Hb\u{1B}[2;1H\u{1B}[J").text(3) == "            ")
    }

    @Test func `colours, modes and what is copied are passed over`() {
        let all = screen("\u{1B}[?1049h\u{1B}[1;31mred\u{1B}[0m\u{1B}]52;c;YWJj\u{1B}\\!")
        #expect(all.text(1) == "red!        ")
    }

    @Test func `rank and total are the numbers at the end of a row`() {
        let all = screen("\u{1B}[3;1HIt 121/1,000")
        let found = all.rank(inRow: 3)
        #expect(found?.rank == 121 && found?.total == 1000)
        #expect(all.rank(inRow: 1) == nil)
    }
}
