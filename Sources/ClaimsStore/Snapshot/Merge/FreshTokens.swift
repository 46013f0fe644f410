// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// The words of new records' texts, with the numbers that they have among all words.
struct FreshTokens {
    private let collected: CollectedColumn
    /// By entry: where its units begin; then the end.
    private let starts: [Int]
    private(set) var units: [UInt16] = []

    init(_ collected: CollectedColumn, _ words: WordMerge) {
        self.collected = collected
        let source = ByteKeys(collected.tokenCounts)
        let tokens = collected.tokens.bytes
        var starts = [0]
        starts.reserveCapacity(collected.count + 1)
        for entry in 0..<collected.count {
            words.appendUnits(source.range(entry), of: tokens, to: &units)
            starts.append(units.count)
        }
        self.starts = starts
    }

    /// The units of a record; nil where it has no text.
    func range(of number: UInt32) -> Range<Int>? {
        let entry = collected.codes.bytes.u32(Int(number) &* 4)
        guard entry != ColumnCollector.absent, Int(entry) + 1 < starts.count else { return nil }
        return starts[Int(entry)]..<starts[Int(entry) + 1]
    }
}
