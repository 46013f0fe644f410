// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// Binary search over indexes, ranks or other numbers.
extension Range<Int> {
    /// The first number of the range that `isBefore` refuses; the upper bound if it refuses none.
    ///
    /// `isBefore` must accept a first part of the range, which may be empty or all of it, and refuse the rest. It is
    /// called once for each bit of the range's count, so its effects are the effects of these calls in their order: the
    /// last number that it refused is the result.
    ///
    /// ```swift
    /// let index = sorted.indices.partitionPoint { sorted[$0] < wanted }
    /// let isThere = index < sorted.count && sorted[index] == wanted
    /// ```
    @inlinable
    @inline(__always)
    public func partitionPoint<Failure: Error>(
        _ isBefore: (Int) throws(Failure) -> Bool
    ) throws(Failure) -> Int {
        var low = lowerBound
        var high = upperBound
        while low < high {
            // A range may span more than half of all integers: the distance is not negative as an unsigned number.
            let middle = low &+ Int(bitPattern: UInt(bitPattern: high &- low) >> 1)
            if try isBefore(middle) { low = middle &+ 1 } else { high = middle }
        }
        return low
    }
}
