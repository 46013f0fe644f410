// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// Folding by a table of the letters that the fixture and the random filters use, and ids in their natural order.
enum NaiveText {
    private static let plain: [Unicode.Scalar: String] = [
        "ł": "l", "Ł": "l", "ó": "o", "ź": "z", "ß": "ss", "é": "e", "å": "a", "Å": "a", "ö": "o", "Ö": "o",
        "ä": "a", "Ä": "a", "\u{301}": "", "\u{3000}": " ", "\t": " ", "\n": " ", "\u{A0}": " ",
    ]

    static func folded(_ text: String) -> [UInt8] {
        let letters = text.unicodeScalars.map { plain[$0] ?? String($0).lowercased() }.joined()
        return Array(letters.split(separator: " ").joined(separator: " ").utf8)
    }

    static func contains(_ text: [UInt8], _ part: [UInt8]) -> Bool {
        guard part.count <= text.count else { return false }
        return (0...text.count - part.count).contains { text[$0...].starts(with: part) }
    }

    /// Digits compare as numbers, equal numbers by fewer digits first, all else by bytes.
    static func precedes(_ left: String, _ right: String) -> Bool {
        var (first, second) = (Array(left.utf8)[...], Array(right.utf8)[...])
        while let a = first.first, let b = second.first {
            if isDigit(a), isDigit(b) {
                let runs = (first.prefix(while: isDigit), second.prefix(while: isDigit))
                let numbers = (Array(runs.0.drop { $0 == 0x30 }), Array(runs.1.drop { $0 == 0x30 }))
                if numbers.0.count != numbers.1.count { return numbers.0.count < numbers.1.count }
                if numbers.0 != numbers.1 { return numbers.0.lexicographicallyPrecedes(numbers.1) }
                if runs.0.count != runs.1.count { return runs.0.count < runs.1.count }
                first = first.dropFirst(runs.0.count)
                second = second.dropFirst(runs.1.count)
            } else {
                if a != b { return a < b }
                first = first.dropFirst()
                second = second.dropFirst()
            }
        }
        return first.isEmpty && !second.isEmpty
    }

    private static func isDigit(_ byte: UInt8) -> Bool { byte >= 0x30 && byte <= 0x39 }
}
