// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import Testing

struct DisplayWidthTests {
    @Test(arguments: [
        ("", 0), ("plain", 5), ("Łódź", 4), ("e\u{301}", 1), ("日本語", 6), ("ｱ", 1), ("Ａ", 2), ("한국", 4),
        ("\u{1112}\u{1161}\u{11AB}", 2), ("😀", 2), ("👍🏽", 2), ("👩‍👩‍👧‍👦", 2), ("🇵🇱", 2), ("❤️", 2), ("1️⃣", 2), ("…", 1), ("–", 1),
        ("ไทย", 3), ("a\u{200B}b", 2), ("🏴󠁧󠁢󠁥󠁮󠁧󠁿", 2), ("✓", 1),
    ])
    func `a text takes as many cells as a terminal gives it`(_ text: String, _ cells: Int) {
        #expect(DisplayWidth.cells(of: text) == cells)
    }
}
