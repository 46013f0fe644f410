// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// Renumbers the words of an earlier snapshot for the one being built.
struct CarriedWords {
    /// By number there: the number here, and 1; 0 where it is not known yet.
    private var numbers: [UInt32] = []
    private var units: [UInt16] = []

    /// The number here of word `number` of `old`.
    mutating func number(of number: Int, in old: Snapshot, _ table: inout WordTable) throws(StoreError) -> Int {
        let vocabulary = old.vocabulary
        if numbers.isEmpty { numbers = [UInt32](repeating: 0, count: max(vocabulary.count, 1)) }
        guard number < numbers.count else { throw StoreError(.damaged, "carry a record", detail: "words") }
        if numbers[number] != 0 { return Int(numbers[number]) - 1 }
        units.removeAll(keepingCapacity: true)
        try table.append(vocabulary.word(number, old.bytes), to: &units)
        guard !units.isEmpty else { throw StoreError(.damaged, "carry a record", detail: "words") }
        var index = 0
        let here = TokenUnits.next(&index) { $0 < units.count ? units[$0] : 0 }
        numbers[number] = UInt32(truncatingIfNeeded: here + 1)
        return here
    }
}
