// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// Numbers that order the words of texts such that texts, compared word by word, order like their bytes.
///
/// A word has two: one as the last of a text and one where a space follows, since the end of a text comes before a
/// space, and the space before nearly all that words are made of, but not before control characters.
struct WordRanks: Sendable {
    /// By word: its place among all words.
    private let places: [UInt32]
    /// By word: the rank where a space follows; empty where it is just above the rank as the last one.
    private let inner: [UInt32]

    /// The words in their byte order, and their ranks.
    static func make(_ list: WordList) -> (order: [UInt32], ranks: WordRanks, starts: [Int]) {
        let keys = WordKeys(list)
        let bytes = list.words.bytes
        let (order, _) = KeySorter.sort((0..<UInt32(list.count)).map { $0 }, by: keys, bytes)
        var places = [UInt32](repeating: 0, count: list.count)
        guard list.hasControls else {
            for place in order.indices { places[Int(order[place])] = UInt32(place) }
            return (order, WordRanks(places: places, inner: []), keys.wordStarts)
        }
        var inner = places
        let (both, _) = KeySorter.sort((0..<UInt32(list.count * 2)).map { $0 }, by: keys, bytes)
        for place in both.indices {
            let item = Int(both[place])
            if item < list.count { places[item] = UInt32(place) } else { inner[item - list.count] = UInt32(place) }
        }
        return (order, WordRanks(places: places, inner: inner), keys.wordStarts)
    }

    /// Above every rank.
    var bound: Int { places.count * 2 }

    @inline(__always)
    func rank(_ word: Int, isLast: Bool) -> UInt64 {
        guard word < places.count else { return 0 }
        if inner.isEmpty { return UInt64(places[word]) &* 2 &+ (isLast ? 0 : 1) }
        return UInt64(isLast ? places[word] : inner[word])
    }
}
