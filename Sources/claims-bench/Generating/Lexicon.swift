// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The terms that records are made of: the commonest words of English and tens of thousands of made-up ones.
///
/// They are drawn with the distribution of real text (Zipf and Mandelbrot): the first is in some 60 % of the records, the
/// last in one of 60,000.
struct Lexicon: Sendable {
    static let usualCount = 60_000
    /// One word in `accented` has a letter that folding changes.
    private static let accented = 32
    /// The distribution: the word of rank R has the weight (R + shift) to the power of -exponent.
    private static let exponent = 1.2
    private static let shift = 6.0

    /// The terms by rank, as they are written; UTF-8.
    let written: [[UInt8]]
    /// The same after folding: lower case, without marks.
    let folded: [String]
    let foldedBytes: [[UInt8]]
    /// The rank of the term at each of `1 << resolution` quantiles.
    private let quantiles: [UInt16]
    private let resolution: Int
    /// The sum of all weights.
    private let total: Double

    /// - Parameter count: at most 65,536.
    init(seed: UInt64, count: Int = Lexicon.usualCount) {
        var random = Randomness(seed: seed)
        var seen: Set<String> = Set(Self.common)
        var folded = Self.common
        var written = Self.common
        while folded.count < count {
            let syllables = folded.count < 400 ? 1 + random.below(2) : 2 + random.below(3)
            let parts = (0..<syllables).map { _ in random.pick(Self.onsets) + random.pick(Self.rests) }
            let text = parts.joined()
            guard text.utf8.count > 2, text.utf8.count < 14, seen.insert(text).inserted else { continue }
            folded.append(text)
            written.append(random.below(Self.accented) == 0 ? Self.accent(text) : text)
        }
        self.folded = folded
        foldedBytes = folded.map { Array($0.utf8) }
        self.written = written.map { Array($0.utf8) }
        // Enough for a few quantiles of the rarest word.
        resolution = count > 4096 ? 22 : 16
        total = (0..<count).reduce(0) { $0 + Self.weight($1) }
        quantiles = Self.quantiles(of: count, total: total, 1 << resolution)
    }

    /// Draws a term; its rank.
    func draw(_ random: inout Randomness) -> UInt16 {
        quantiles[Int(random.next() >> UInt64(64 - resolution))]
    }

    /// The probability that a drawn term has this rank.
    func probability(rank: Int) -> Double { Self.weight(rank) / total }

    private static func weight(_ rank: Int) -> Double { pow(Double(rank) + 1 + shift, -exponent) }

    private static func quantiles(of count: Int, total: Double, _ size: Int) -> [UInt16] {
        var result: [UInt16] = []
        result.reserveCapacity(size)
        var sum = 0.0
        for rank in 0..<count {
            sum += weight(rank)
            let end = rank == count - 1 ? size : Int(sum / total * Double(size))
            while result.count < end { result.append(UInt16(rank)) }
        }
        return result
    }

    private static func accent(_ text: String) -> String {
        for (plain, marked) in [("o", "ó"), ("e", "é"), ("u", "ü"), ("l", "ł")] {
            guard let at = text.firstIndex(of: Character(plain)) else { continue }
            return text.replacingOneCharacter(at: at, with: marked)
        }
        return text
    }

    /// Without `and`, `or` and `not`, which are words of the filter grammar.
    private static let common = [
        "the", "of", "to", "in", "for", "is", "on", "that", "by", "this", "with", "it", "be", "are",
        "from", "at", "as", "your", "all", "have", "new", "more", "an", "was", "we", "will", "home", "can", "us",
        "about", "if", "page", "my", "has", "but", "our", "one", "other", "do", "no", "time", "they", "site", "he",
        "up",
    ]
    private static let onsets = [
        "b", "br", "c", "ch", "d", "dr", "f", "fl", "g", "gr", "h", "j", "k", "l", "m", "n", "p", "pl", "qu", "r", "s",
        "sh", "st", "t", "th", "tr", "v", "w", "y", "z",
    ]
    private static let rests = [
        "a", "al", "an", "ar", "e", "ed", "el", "en", "er", "es", "i", "ic", "in", "ing", "ion", "is", "o", "ol", "on",
        "or", "ou", "u", "um", "ur", "us",
    ]
}

extension String {
    fileprivate func replacingOneCharacter(at index: Index, with other: String) -> String {
        String(self[..<index]) + other + String(self[self.index(after: index)...])
    }
}

/// SplitMix64: numbers that are the same on every machine for one seed.
struct Randomness {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ z >> 30) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ z >> 27) &* 0x94D0_49BB_1331_11EB
        return z ^ z >> 31
    }

    /// A number below `bound`.
    mutating func below(_ bound: Int) -> Int {
        Int(next().multipliedFullWidth(by: UInt64(bound)).high)
    }

    mutating func pick<Element>(_ elements: [Element]) -> Element {
        elements[below(elements.count)]
    }
}
