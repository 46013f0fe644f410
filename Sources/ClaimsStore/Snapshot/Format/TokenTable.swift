// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// The words of each row of one searched field, as numbers in `TokenUnits`.
///
/// A text is its words joined by single spaces, so the words are all there is to know of it. Each text begins with how
/// many units follow; 0xFFFF is followed by the count in two units.
struct TokenTable: Sendable {
    /// In `starts`: the row has no value.
    static let none = Int(UInt32.max)

    /// By row: where its text begins, in units.
    let starts: Table
    /// Where the texts begin in the file, and how many units they are.
    let offset: Int
    let size: Int

    init(starts: Table = Table(), offset: Int = 0, size: Int = 0) {
        self.starts = starts
        self.offset = offset
        self.size = size
    }

    /// One text's units; reads outside are 0.
    struct Units {
        let offset: Int
        let count: Int

        @inline(__always)
        subscript(_ index: Int, _ bytes: RawSpan) -> UInt16 {
            index < count ? bytes.u16(offset &+ index &* 2) : 0
        }
    }

    /// The units of a row's text; none where it is absent, or does not lie in the file.
    @inline(__always)
    func units(_ row: Int, _ bytes: RawSpan) -> Units {
        let start = starts[row, bytes]
        guard start < size else { return Units(offset: 0, count: 0) }
        let place = offset &+ start &* 2
        let short = Int(bytes.u16(place))
        if short < 0xFFFF {
            guard short < size &- start else { return Units(offset: 0, count: 0) }
            return Units(offset: place &+ 2, count: short)
        }
        let long = Int(bytes.u32(place &+ 2))
        guard long < size &- start &- 2 else { return Units(offset: 0, count: 0) }
        return Units(offset: place &+ 6, count: long)
    }

    /// How many units a text takes together with its count.
    static func room(_ units: Int) -> Int { units < 0xFFFF ? units + 1 : units + 3 }
}
