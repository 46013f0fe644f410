// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel

enum Measure {
    /// How many cells of `line` stand before its last `word`.
    static func cells(_ line: String, before word: String) -> Int {
        guard line.hasSuffix(word) else { return -1 }
        return DisplayWidth.cells(of: String(line.dropLast(word.count)))
    }
}

extension String {
    /// The text without the sequences that set colours.
    func withoutColors() -> String {
        var text = ""
        var rest = self[...]
        while let escape = rest.firstIndex(of: "\u{1B}") {
            text += rest[..<escape]
            let end = rest[escape...].firstIndex(of: "m") ?? rest.index(before: rest.endIndex)
            rest = rest[rest.index(after: end)...]
        }
        return text + rest
    }
}
