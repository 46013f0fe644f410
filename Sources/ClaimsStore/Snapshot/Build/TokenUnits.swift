// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// Word numbers as units of 16 bits: frequent words, which come first, take one unit, others two or four.
///
/// A lead unit announces trail units, and no unit of one kind can be mistaken for another, so a sequence can be
/// searched from anywhere.
enum TokenUnits {
    /// One unit below, which no lead or trail unit is.
    static let lead = 0xE000
    /// The lead unit of four.
    static let longLead = 0xEFFF
    static let trail = 0xF000
    /// How many numbers there can be.
    static let numbersMax = 1 << 31

    /// Numbers below take one unit.
    private static let short = lead
    /// Numbers below take two units: a lead of 4095 kinds and 12 bits.
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
