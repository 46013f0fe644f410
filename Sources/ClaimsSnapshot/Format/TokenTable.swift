// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes

/// The terms of each row of one searched field, as numbers in `TokenUnits`.
///
/// A text is its terms joined by single spaces, so the terms describe it completely. Each text begins with the number
/// of units that follow; 0xFFFF is followed by the number in two units.
struct TokenTable: Sendable {
    /// A value in `starts`: the row has no value.
    static let none = Int(UInt32.max)

    /// The start of each row's text, in units.
    let starts: Table
    /// The offset of the texts in the file, and their number of units.
    let offset: Int
    let size: Int

    init(starts: Table = Table(), offset: Int = 0, size: Int = 0) {
        self.starts = starts
        self.offset = offset
        self.size = size
    }

    @_lifetime(copy bytes)
    @inline(__always)
    func view(_ bytes: RawSpan) -> TokenTableView { TokenTableView(self, bytes) }

    /// The number of units that a text takes together with its count.
    static func room(_ units: Int) -> Int { units < 0xFFFF ? units + 1 : units + 3 }
}

/// Reads the terms of rows in the bytes of a file.
struct TokenTableView: ~Escapable {
    private let table: TokenTable
    let bytes: RawSpan

    @_lifetime(copy bytes)
    @inline(__always)
    init(_ table: TokenTable, _ bytes: RawSpan) {
        self.table = table
        self.bytes = bytes
    }

    var starts: TableView { @_lifetime(copy self) @inline(__always) get { table.starts.view(bytes) } }

    /// The units of a row's text; none if it is absent, or does not lie in the file.
    @_lifetime(copy self)
    @inline(__always)
    func units(_ row: Int) -> TokenUnitsView {
        let start = starts[row]
        guard start < table.size else { return TokenUnitsView(bytes, offset: 0, count: 0) }
        let position = table.offset &+ start &* 2
        let short = Int(bytes.u16(at: position))
        if short < 0xFFFF {
            guard short < table.size &- start else { return TokenUnitsView(bytes, offset: 0, count: 0) }
            return TokenUnitsView(bytes, offset: position &+ 2, count: short)
        }
        let long = Int(bytes.u32(at: position &+ 2))
        guard long < table.size &- start &- 2 else { return TokenUnitsView(bytes, offset: 0, count: 0) }
        return TokenUnitsView(bytes, offset: position &+ 6, count: long)
    }
}

/// One text's units; reads outside are 0.
struct TokenUnitsView: ~Escapable {
    private let bytes: RawSpan
    /// The offset of the units in the file.
    let offset: Int
    let count: Int

    @_lifetime(copy bytes)
    @inline(__always)
    init(_ bytes: RawSpan, offset: Int, count: Int) {
        self.bytes = bytes
        self.offset = offset
        self.count = count
    }

    @inline(__always)
    subscript(_ index: Int) -> UInt16 { index < count ? bytes.u16(at: offset &+ index &* 2) : 0 }
}

/// Term numbers as units of 16 bits: frequent terms, which come first, take one unit, others two or four.
///
/// A lead unit announces trail units, and no unit of one kind can be mistaken for another, so a sequence can be
/// searched from anywhere.
enum TokenUnits {
    /// One unit below, which no lead or trail unit is.
    static let lead = 0xE000
    /// The lead unit of four.
    static let longLead = 0xEFFF
    static let trail = 0xF000
    /// The number of possible term numbers.
    static let maxNumbers = 1 << 31

    /// The number below which numbers take one unit.
    private static let short = lead
    /// The number below which numbers take two units: a lead of 4095 kinds and 12 bits.
    private static let medium = lead + (longLead - lead) << 12

    @inline(__always)
    static func append(_ number: Int, to units: inout [UInt16]) {
        if number < short {
            units.append(UInt16(truncatingIfNeeded: number))
        } else if number < medium {
            let rest = number - short
            units.append(UInt16(truncatingIfNeeded: lead + rest >> 12))
            units.append(UInt16(truncatingIfNeeded: trail + rest & 0xFFF))
        } else {
            let rest = number - medium
            units.append(UInt16(truncatingIfNeeded: longLead))
            units.append(UInt16(truncatingIfNeeded: trail + rest >> 24))
            units.append(UInt16(truncatingIfNeeded: trail + (rest >> 12) & 0xFFF))
            units.append(UInt16(truncatingIfNeeded: trail + rest & 0xFFF))
        }
    }

    /// The number at `index`, which moves on; `unit` reads one unit, 0 outside. Never moves less than one unit.
    @inline(__always)
    static func next(_ index: inout Int, _ unit: (Int) -> UInt16) -> Int {
        let first = Int(unit(index))
        if first < lead || first >= trail {
            index &+= 1
            return first
        }
        if first < longLead {
            let second = Int(unit(index &+ 1)) & 0xFFF
            index &+= 2
            return short &+ (first &- lead) << 12 &+ second
        }
        let high = Int(unit(index &+ 1)) & 0x7F
        let middle = Int(unit(index &+ 2)) & 0xFFF
        let low = Int(unit(index &+ 3)) & 0xFFF
        index &+= 4
        return medium &+ (high << 24 | middle << 12 | low)
    }
}
