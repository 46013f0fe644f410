// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes

/// The location of the distinct terms of all searched fields. A ``TermDictionaryView`` reads them.
struct TermDictionary: Sendable {
    let count: Int
    let starts: Table
    let terms: Blob
    /// The terms' numbers in the terms' byte order.
    let order: Table
    let trigrams: PostingLists
    let buckets: Int

    init(_ sections: SectionIndex) {
        starts = sections.table(.termStarts)
        terms = sections.blob(.terms)
        order = sections.table(.termOrder)
        count = max(min(starts.count - 1, order.count), 0)
        trigrams = sections.postings(starts: .trigramStarts, counts: .trigramCounts, lists: .trigrams)
        buckets = trigrams.counts.count
    }

    @_lifetime(copy bytes)
    @inline(__always)
    func view(_ bytes: RawSpan) -> TermDictionaryView { TermDictionaryView(self, bytes) }
}

/// The distinct terms of all searched fields, by the numbers that tokens use.
struct TermDictionaryView: ~Escapable {
    private let location: TermDictionary
    private let bytes: RawSpan

    @_lifetime(copy bytes)
    @inline(__always)
    init(_ location: TermDictionary, _ bytes: RawSpan) {
        self.location = location
        self.bytes = bytes
    }

    var count: Int { @inline(__always) get { location.count } }
    var buckets: Int { @inline(__always) get { location.buckets } }
    /// The start of each term in ``text``.
    var starts: TableView { @_lifetime(copy self) @inline(__always) get { location.starts.view(bytes) } }
    /// The terms' numbers in the terms' byte order.
    var order: TableView { @_lifetime(copy self) @inline(__always) get { location.order.view(bytes) } }
    var trigrams: PostingListsView { @_lifetime(copy self) @inline(__always) get { location.trigrams.view(bytes) } }
    /// All terms, each with a space behind it.
    var text: RawSpan { @_lifetime(copy self) @inline(__always) get { location.terms.all(bytes) } }

    /// The bytes of a term.
    @inline(__always)
    @_lifetime(copy self)
    func term(_ number: Int) -> RawSpan {
        let range = starts.range(number)
        return location.terms.part(range.lowerBound..<max(range.lowerBound, range.upperBound &- 1), bytes)
    }

    /// Appends a text: its terms with spaces between them.
    func appendText(_ units: TokenUnitsView, to out: inout [UInt8]) {
        var index = 0
        while index < units.count {
            if index > 0 { out.append(UInt8(ascii: " ")) }
            out.append(bytes: term(TokenUnits.next(&index) { units[$0] }))
        }
    }

    /// Orders a text against `probe`; with `isPrefix`, a text that begins with the probe equals it.
    func compare(_ units: TokenUnitsView, _ probe: RawSpan, isPrefix: Bool) -> Int {
        var index = 0
        var offset = 0
        while index < units.count {
            if index > 0 {
                guard offset < probe.byteCount else { return isPrefix ? 0 : 1 }
                let order = 0x20 - Int(probe.byte(at: offset))
                if order != 0 { return order }
                offset += 1
            }
            let term = term(TokenUnits.next(&index) { units[$0] })
            let common = min(term.byteCount, probe.byteCount - offset)
            let order = term.part(0, common).compare(probe.part(offset, common))
            if order != 0 { return order }
            offset += common
            if common < term.byteCount { return isPrefix ? 0 : 1 }
        }
        return offset < probe.byteCount ? -1 : 0
    }

    /// The terms that begin with `prefix`, in ascending order of their numbers.
    func terms(withPrefix prefix: RawSpan) -> [Int] {
        let low = bound(prefix, isAfter: false)
        let high = bound(prefix, isAfter: true)
        return (low..<max(low, high)).map { min(order[$0], max(count - 1, 0)) }.sorted()
    }

    /// The number of a term, nil if no text has it.
    func number(of text: RawSpan) -> Int? {
        let rank = bound(text, isAfter: false)
        let number = order[rank]
        return rank < count && term(number).equals(text) ? number : nil
    }

    /// The first place in the order whose term is not below `prefix`, or with `isAfter` neither that nor begins so.
    private func bound(_ prefix: RawSpan, isAfter: Bool) -> Int {
        (0..<count).partitionPoint { rank in
            let term = term(order[rank])
            return term.compare(prefix) < 0 || isAfter && term.hasPrefix(prefix)
        }
    }
}

/// The locations of the short patterns that have posting lists of their own, in each searched field.
struct NGramIndex: Sendable {
    /// The n-grams' numbers, ascending; an n-gram's place here is its key in the posting lists.
    let numbers: Table

    /// The short n-grams that are in too sparse terms to have lists, and the terms of each.
    fileprivate let sparse: Table
    fileprivate let sparseStarts: Table
    fileprivate let sparseTerms: Table

    init(_ sections: SectionIndex) {
        numbers = sections.table(.nGrams)
        sparse = sections.table(.sparseNGrams)
        sparseStarts = sections.table(.sparseStarts)
        sparseTerms = sections.table(.sparseTerms)
    }

    @_lifetime(copy bytes)
    @inline(__always)
    func view(_ bytes: RawSpan) -> NGramIndexView { NGramIndexView(self, bytes) }
}

/// The short patterns that have posting lists of their own, in each searched field.
struct NGramIndexView: ~Escapable {
    private let location: NGramIndex
    private let bytes: RawSpan

    @_lifetime(copy bytes)
    @inline(__always)
    init(_ location: NGramIndex, _ bytes: RawSpan) {
        self.location = location
        self.bytes = bytes
    }

    /// The n-grams' numbers, ascending.
    var numbers: TableView { @_lifetime(copy self) @inline(__always) get { location.numbers.view(bytes) } }
    private var sparse: TableView { @_lifetime(copy self) get { location.sparse.view(bytes) } }

    /// The key of a pattern in the columns' lists of n-grams; nil if it has none.
    func key(of pattern: [UInt8]) -> Int? {
        guard !pattern.isEmpty, pattern.count <= NGram.maxLength else { return nil }
        return index(of: pattern, numbers)
    }

    /// The key of an n-gram by its number.
    func key(of number: UInt32) -> Int? { index(of: Int(number), numbers) }

    /// The numbers of the terms that contain a pattern without lists, ascending; nil if only the terms themselves show
    /// it.
    func terms(with pattern: [UInt8]) -> [Int]? {
        guard sparse.count > 0, pattern.count == 1 || pattern.count == 2 else { return nil }
        guard let index = index(of: pattern, sparse) else { return [] }
        let starts = location.sparseStarts.view(bytes)
        let terms = location.sparseTerms.view(bytes)
        var last = -1
        return starts.range(index).compactMap { entry in
            let term = terms[entry]
            defer { last = term }
            return entry < terms.count && term > last ? term : nil
        }
    }

    private func index(of pattern: [UInt8], _ table: TableView) -> Int? {
        index(of: Int(NGram.number(pattern.rawSpan, at: 0, count: pattern.count)), table)
    }

    private func index(of wanted: Int, _ table: TableView) -> Int? {
        let index = (0..<table.count).partitionPoint { table[$0] < wanted }
        return index < table.count && table[index] == wanted ? index : nil
    }
}
