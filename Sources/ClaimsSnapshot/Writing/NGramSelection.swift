// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import ClaimsPlatform

/// The n-grams that get posting lists of their own, and the lists that each of these is united from.
///
/// An n-gram's rows are the rows of the longer chosen n-grams that contain it, and of the terms that have it outside of
/// longer chosen n-grams. So the lists of most terms are read only for n-grams of three bytes.
struct NGramSelection: Sendable {
    /// The chosen n-grams' numbers, ascending, so that n-grams of three bytes come first.
    let numbers: [UInt32]
    /// The longer chosen n-grams that contain each chosen n-gram, as indices of `numbers`.
    let longer: NumberLists
    /// The terms that have each chosen n-gram outside of longer chosen n-grams.
    let terms: NumberLists
    /// The n-grams of one and two bytes that occur and have no lists, ascending.
    let sparse: [UInt32]
    /// The terms that have each n-gram of `sparse`.
    let sparseTerms: NumberLists

    /// Chooses among the n-grams of terms that occur.
    ///
    /// - Parameters:
    ///   - rows: the number of rows of the snapshot.
    ///   - counts: the counts of the terms' posting lists, for each searched field.
    ///   - bytes: the bytes with the counts.
    init(_ dictionary: TermDictionaryView, rows: Int, counts: [Table], _ bytes: RawSpan) {
        let costs = (0..<dictionary.count).map { term in
            counts.reduce(0) { $0 + PostingLists.unionCost(of: $1.view(bytes)[term], rows: rows) }
        }
        let weights = NGramWeights(dictionary, costs)
        let numbers = weights.heavy(dictionary, costs, rows: rows)
        let sparse = weights.light(rows: rows)
        self.numbers = numbers
        self.sparse = sparse
        let index = NGramNumbers(numbers)
        longer = Self.longer(numbers, index)
        terms = Self.terms(index, count: numbers.count, of: dictionary, costs: costs)
        sparseTerms = Self.sparseTerms(sparse, of: dictionary, costs: costs)
    }

    // Each of these is a separate function that is not inlined, so that the optimizer inlines the calls in its loops.

    @inline(never)
    private static func longer(_ numbers: [UInt32], _ index: NGramNumbers) -> NumberLists {
        NumberLists(count: numbers.count) { enter in
            for (nGram, number) in numbers.enumerated() where NGram.length(number) > 1 {
                let (first, second) = NGram.parts(number)
                if let part = index[first] { enter(part, nGram) }
                if let part = index[second], second != first { enter(part, nGram) }
            }
        }
    }

    @inline(never)
    private static func terms(
        _ index: NGramNumbers, count: Int, of dictionary: TermDictionaryView, costs: [Int]
    ) -> NumberLists {
        NumberLists(count: count) { enter in
            for term in costs.indices where costs[term] > 0 {
                let text = dictionary.term(term)
                NGram.forEach(in: text) { number, offset in
                    guard let nGram = index[number], !index.coversNGram(number, in: text, at: offset) else { return }
                    enter(nGram, term)
                }
            }
        }
    }

    @inline(never)
    private static func sparseTerms(
        _ numbers: [UInt32], of dictionary: TermDictionaryView, costs: [Int]
    ) -> NumberLists {
        let index = NGramNumbers(numbers)
        return NumberLists(count: numbers.count) { enter in
            for term in costs.indices where costs[term] > 0 {
                NGram.forEach(in: dictionary.term(term)) { number, _ in
                    if number >= NGram.minShort, let nGram = index[number] { enter(nGram, term) }
                }
            }
        }
    }
}

/// Ascending numbers by key, end to end.
struct NumberLists: Sendable {
    /// The start of each key's numbers in `numbers`; then the end.
    let starts: [Int]
    let numbers: [UInt32]

    /// - Parameters:
    ///   - count: the number of keys; they begin with 0.
    ///   - forEach: calls its argument with each key and number; it is called twice, and must do the same both times.
    init(count: Int, _ forEach: ((_ key: Int, _ number: Int) -> Void) -> Void) {
        var starts = [Int](repeating: 0, count: count + 1)
        forEach { key, _ in starts[key + 1] += 1 }
        for key in 0..<count { starts[key + 1] += starts[key] }
        var next = starts
        var numbers = [UInt32](repeating: 0, count: starts[count])
        forEach { key, number in
            numbers[next[key]] = UInt32(truncatingIfNeeded: number)
            next[key] += 1
        }
        self.starts = starts
        self.numbers = numbers
    }

    /// The numbers of a key.
    @inline(__always)
    subscript(of key: Int) -> ArraySlice<UInt32> { numbers[starts[key]..<starts[key + 1]] }
}

/// Chooses the n-grams that get posting lists, and writes their numbers and the terms of the others.
struct NGramSelector: BuildJob {
    let output: SnapshotOutput
    let columns: ColumnIndex
    let rows: Int
    let result = JobResult<NGramSelection>()

    func write() throws(StoreError) {
        try result.make { () throws(StoreError) in
            let file = try output.map()
            let selection = NGramSelection(
                columns.dictionary.view(file.bytes), rows: rows,
                counts: columns.searched.map { columns[$0].postings.counts },
                file.bytes)
            try output.write(.nGrams, width: 4, selection.numbers.span)
            try output.write(.sparseNGrams, width: 4, selection.sparse.span)
            try SectionWriter.writeTable(
                .sparseStarts, count: selection.sparseTerms.starts.count, bound: selection.sparseTerms.numbers.count,
                to: output
            ) {
                selection.sparseTerms.starts[$0]
            }
            try output.write(.sparseTerms, width: 4, selection.sparseTerms.numbers.span)
            return selection
        }
    }
}

/// Finds the indices of n-grams by their numbers.
struct NGramNumbers {
    private var short = [Int32](repeating: -1, count: NGram.shortCount)
    private var long: [UInt32: Int32] = [:]
    /// The buckets of the n-grams of three bytes. Most others are excluded by their buckets.
    private var buckets = [Bool](repeating: false, count: NGramWeights.buckets)

    init(_ numbers: [UInt32]) {
        for (index, number) in numbers.enumerated() {
            if number >= NGram.minShort {
                short[Int(number - NGram.minShort)] = Int32(index)
            } else {
                long[number] = Int32(index)
                buckets[NGramWeights.bucket(number)] = true
            }
        }
    }

    @inline(__always)
    subscript(number: UInt32) -> Int? {
        if number >= NGram.minShort {
            let index = short[Int(number &- NGram.minShort)]
            return index >= 0 ? Int(index) : nil
        }
        guard buckets[NGramWeights.bucket(number)] else { return nil }
        return long[number].map { Int($0) }
    }

    /// Whether a longer n-gram that is here has the n-gram at this offset of a term in it.
    @inline(__always)
    func coversNGram(_ number: UInt32, in term: RawSpan, at offset: Int) -> Bool {
        let length = NGram.length(number) + 1
        if length > NGram.maxLength { return false }
        if offset + length <= term.byteCount, self[NGram.number(term, at: offset, count: length)] != nil { return true }
        return offset > 0 && self[NGram.number(term, at: offset - 1, count: length)] != nil
    }
}

/// The cost of uniting the rows of each n-gram from the lists of terms, in single rows to be added.
struct NGramWeights {
    /// The number of buckets in which the n-grams of three bytes are counted.
    static let buckets = 1 << 16
    /// An n-gram of one or two bytes in more terms than this gets a list in any case.
    private static let maxTerms = 256

    private var short = [Int](repeating: 0, count: NGram.shortCount)
    private var shortTerms = [Int32](repeating: 0, count: NGram.shortCount)
    /// The cost of all n-grams of three bytes in each bucket. Only n-grams in heavy buckets can be heavy themselves.
    private var long = [Int](repeating: 0, count: NGramWeights.buckets)

    init(_ dictionary: TermDictionaryView, _ costs: [Int]) {
        for term in costs.indices where costs[term] > 0 {
            NGram.forEach(in: dictionary.term(term)) { number, _ in
                if number >= NGram.minShort {
                    short[Int(number &- NGram.minShort)] += costs[term]
                    shortTerms[Int(number &- NGram.minShort)] += 1
                } else {
                    long[Self.bucket(number)] += costs[term]
                }
            }
        }
    }

    /// The numbers of the n-grams that are worth a list, ascending.
    func heavy(_ dictionary: TermDictionaryView, _ costs: [Int], rows: Int) -> [UInt32] {
        let minLong = rows / 4
        var exact: [UInt32: Int] = [:]
        for term in costs.indices where costs[term] > 0 {
            NGram.forEach(in: dictionary.term(term)) { number, _ in
                guard number < NGram.minShort, long[Self.bucket(number)] > minLong else { return }
                exact[number, default: 0] += costs[term]
            }
        }
        return exact.filter { $0.value > minLong }.map(\.key).sorted()
            + short.indices.filter { isHeavy($0, rows) }.map { UInt32($0) + NGram.minShort }
    }

    /// The numbers of the short n-grams that occur and are not worth a list, ascending.
    func light(rows: Int) -> [UInt32] {
        short.indices.filter { shortTerms[$0] > 0 && !isHeavy($0, rows) }.map { UInt32($0) + NGram.minShort }
    }

    private func isHeavy(_ index: Int, _ rows: Int) -> Bool {
        short[index] > rows / 16 || shortTerms[index] > Self.maxTerms
    }

    /// The bucket of an n-gram of three bytes.
    @inline(__always)
    static func bucket(_ number: UInt32) -> Int {
        Int(truncatingIfNeeded: (UInt64(number) &* 0x9E37_79B9_7F4A_7C15) >> 48)
    }
}
