// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// For each word of a vocabulary, which places of a phrase it can take: one bit a place.
struct PhraseMasks {
    /// The most places that have a bit.
    static let placesMax = 8

    /// By word.
    private(set) var masks: [UInt8]
    /// The bit of the last place.
    private let last: UInt8

    /// - Parameter masks: as many zeros as there are words.
    init(_ phrase: PhraseMatches, masks: consuming [UInt8]) {
        self.masks = masks
        last = 1 << UInt8(truncatingIfNeeded: phrase.middle.count + 1)
        mark(phrase) { $0 |= $1 }
    }

    /// Gives the masks back, all zeros again.
    consuming func cleared(_ phrase: PhraseMatches) -> [UInt8] {
        mark(phrase) { mask, _ in mask = 0 }
        return masks
    }

    private mutating func mark(_ phrase: PhraseMatches, _ change: (inout UInt8, UInt8) -> Void) {
        for word in phrase.first where word < masks.count { change(&masks[word], 1) }
        for (place, word) in phrase.middle.enumerated() where word < masks.count {
            change(&masks[word], 2 << UInt8(truncatingIfNeeded: place))
        }
        for word in phrase.last where word < masks.count { change(&masks[word], last) }
    }

    /// Whether a text has the phrase: every place that words so far can have reached is followed at once (Shift-And).
    @inline(__always)
    func isIn(_ units: TokenTable.Units, _ bytes: RawSpan) -> Bool {
        let text = bytes.part(units.offset, units.count &* 2)
        let masks = masks.span
        var state: UInt8 = 0
        var index = 0
        while index < units.count {
            var word = Int(text.u16(index &* 2))
            if word < TokenUnits.lead {
                index &+= 1
            } else {
                word = TokenUnits.next(&index) { text.u16($0 &* 2) }
            }
            state = (state &<< 1 | 1) & (word < masks.count ? masks[word] : 0)
            if state & last != 0 { return true }
        }
        return false
    }
}
