// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// For each word, which places of a phrase it can take: one bit a place.
///
/// Words of one unit, which nearly all tokens are, are looked up by that unit without a test of what it is.
@safe struct PhraseMasks {
    /// The most places that have a bit.
    static let placesMax = 7
    /// The bit of units that only the whole word tells more of.
    private static let longBit: UInt8 = 0x80

    /// By unit; as many as there are units.
    private var units: [UInt8]
    /// By word; empty where all words of the phrase are one unit.
    private var words: [UInt8] = []
    /// The bit of the last place.
    private let last: UInt8

    /// - Parameter units: zeros, one for each value of a unit.
    init(_ phrase: PhraseMatches, units: consuming [UInt8], words count: Int) {
        self.units = units
        last = 1 << UInt8(truncatingIfNeeded: phrase.middle.count + 1)
        let greatest = max(phrase.first.last ?? 0, phrase.last.last ?? 0, phrase.middle.max() ?? 0)
        if greatest >= TokenUnits.lead {
            words = [UInt8](repeating: 0, count: count)
            for unit in TokenUnits.lead..<Self.unitCount { self.units[unit] = Self.longBit }
        }
        for word in phrase.first { mark(word, 1) }
        for (place, word) in phrase.middle.enumerated() { mark(word, 2 << UInt8(truncatingIfNeeded: place)) }
        for word in phrase.last { mark(word, last) }
    }

    /// How many values a unit has.
    static let unitCount = 1 << 16

    private mutating func mark(_ word: Int, _ bit: UInt8) {
        if word < TokenUnits.lead { units[word] |= bit }
        if word < words.count { words[word] |= bit }
    }

    /// Gives the units back, all zeros again.
    consuming func cleared(_ phrase: PhraseMatches) -> [UInt8] {
        for word in phrase.first where word < units.count { units[word] = 0 }
        for word in phrase.middle where word < units.count { units[word] = 0 }
        for word in phrase.last where word < units.count { units[word] = 0 }
        if !words.isEmpty { for unit in TokenUnits.lead..<Self.unitCount { units[unit] = 0 } }
        return units
    }

    /// Calls `body` with the place of each text that does not have the phrase.
    func forEachMiss(_ texts: [TokenTable.Units], _ bytes: RawSpan, _ body: (Int) -> Void) {
        unsafe units.withUnsafeBufferPointer { units in
            guard let units = units.baseAddress else { return }
            for place in texts.indices {
                let span = bytes.part(texts[place].offset, texts[place].count &* 2)
                let isFound = unsafe span.withUnsafeBytes { text in
                    guard let start = text.baseAddress else { return false }
                    return unsafe isIn(start, text.count, units)
                }
                if !isFound { body(place) }
            }
        }
    }

    /// Whether a text has the phrase: every place that words so far can have reached is followed at once (Shift-And).
    ///
    /// `text` has `size` bytes, an even number; `units` has a mask for each value of a unit, so none is outside of it.
    @unsafe @inline(__always)
    private func isIn(_ text: UnsafeRawPointer, _ size: Int, _ units: UnsafePointer<UInt8>) -> Bool {
        var (state, reached): (UInt8, UInt8) = (0, 0)
        var offset = 0
        while offset < size {
            var mask = unsafe units[Int(text.loadUnaligned(fromByteOffset: offset, as: UInt16.self))]
            offset &+= 2
            if mask & Self.longBit != 0 {
                offset &-= 2
                mask = unsafe longMask(UnsafeRawBufferPointer(start: text, count: size), &offset)
            }
            state = (state &+ state | 1) & mask
            reached |= state
        }
        return reached & last != 0
    }

    /// The mask of a word of several units, behind which `offset` moves.
    @unsafe @inline(never)
    private func longMask(_ text: UnsafeRawBufferPointer, _ offset: inout Int) -> UInt8 {
        var index = offset / 2
        let word = TokenUnits.next(&index) { unit in
            unit * 2 + 2 <= text.count ? unsafe text.loadUnaligned(fromByteOffset: unit * 2, as: UInt16.self) : 0
        }
        offset = index * 2
        return word < words.count ? words[word] : 0
    }
}
