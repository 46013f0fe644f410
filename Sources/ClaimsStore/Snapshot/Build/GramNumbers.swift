// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// Finds the chosen grams by their numbers.
struct GramNumbers {
    private var short = [Int32](repeating: -1, count: Gram.shortCount)
    private var long: [UInt32: Int32] = [:]
    /// The buckets of the long ones: most others are told by not being in one.
    private var buckets = [Bool](repeating: false, count: GramWeights.buckets)

    init(_ numbers: [UInt32]) {
        for (place, number) in numbers.enumerated() {
            if number >= Gram.shortMin {
                short[Int(number - Gram.shortMin)] = Int32(place)
            } else {
                long[number] = Int32(place)
                buckets[GramWeights.bucket(number)] = true
            }
        }
    }

    @inline(__always)
    subscript(number: UInt32) -> Int? {
        if number >= Gram.shortMin {
            let place = short[Int(number &- Gram.shortMin)]
            return place >= 0 ? Int(place) : nil
        }
        guard buckets[GramWeights.bucket(number)] else { return nil }
        return long[number].map { Int($0) }
    }
}
