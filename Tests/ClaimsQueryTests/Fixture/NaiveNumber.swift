// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// A number as digits on both sides of the point, compared as on paper.
struct NaiveNumber: Comparable {
    private let isNegative: Bool
    private let whole: [UInt8]
    private let fraction: [UInt8]

    /// nil: not a number in JSON's spelling.
    init?(_ text: String) {
        let parts = text.lowercased().split(separator: "e", omittingEmptySubsequences: false)
        var mantissa = parts[0]
        let isNegative = mantissa.first == "-"
        if isNegative { mantissa = mantissa.dropFirst() }
        let sides = mantissa.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count <= 2, sides.count <= 2, sides.allSatisfy({ !$0.isEmpty && $0.allSatisfy(\.isNumber) }),
            sides[0] == "0" || sides[0].first != "0", let shift = Int(parts.count == 2 ? parts[1] : "0")
        else { return nil }
        var whole = Array(sides[0].utf8)
        var fraction = sides.count == 2 ? Array(sides[1].utf8) : []
        for _ in 0..<max(shift, 0) { whole.append(fraction.isEmpty ? 0x30 : fraction.removeFirst()) }
        for _ in 0..<max(-shift, 0) { fraction.insert(whole.popLast() ?? 0x30, at: 0) }
        self.whole = Array(whole.drop { $0 == 0x30 })
        while fraction.last == 0x30 { fraction.removeLast() }
        self.fraction = fraction
        self.isNegative = isNegative && !(self.whole.isEmpty && fraction.isEmpty)
    }

    static func < (left: NaiveNumber, right: NaiveNumber) -> Bool {
        if left.isNegative != right.isNegative { return left.isNegative }
        return left.isNegative ? right.isSmaller(than: left) : left.isSmaller(than: right)
    }

    private func isSmaller(than other: NaiveNumber) -> Bool {
        if whole.count != other.whole.count { return whole.count < other.whole.count }
        if whole != other.whole { return whole.lexicographicallyPrecedes(other.whole) }
        return fraction.lexicographicallyPrecedes(other.fraction)
    }
}
