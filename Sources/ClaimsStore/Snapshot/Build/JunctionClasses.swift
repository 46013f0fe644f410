// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// How each word of a vocabulary ends and begins, as `Junction` has it.
struct JunctionClasses: Sendable {
    let junction: Junction
    /// By word: the class of its end above, that of its beginning in the lower half.
    private let classes: [UInt32]

    init(_ vocabulary: Vocabulary, rows: Int, _ bytes: RawSpan) {
        let junction = Junction(rows: rows)
        self.junction = junction
        classes = (0..<vocabulary.count).map { number in
            let word = vocabulary.word(number, bytes)
            return UInt32(junction.ending(of: word) << 16 | junction.beginning(of: word))
        }
    }

    /// The classes of a word; those of the first where there is no such word.
    @inline(__always)
    subscript(_ word: Int) -> UInt32 { word < classes.count ? classes[word] : 0 }

    /// The key of two words, by their classes.
    @inline(__always)
    func key(_ first: UInt32, _ second: UInt32) -> Int { junction.key(Int(first >> 16), Int(second & 0xFFFF)) }
}
