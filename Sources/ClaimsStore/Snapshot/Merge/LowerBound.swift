// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// Finds places in sorted sequences.
enum LowerBound {
    /// The first place from `start` on, below `end`, where `compare` gives 0 or more, and what it gave there; `end` and
    /// 1 where there is none. Near places are found with few comparisons.
    static func find(from start: Int, to end: Int, _ compare: (Int) -> Int) -> (place: Int, order: Int) {
        var low = start
        var high = start
        var step = 1
        var order = 1
        while high < end {
            let found = compare(high)
            if found >= 0 {
                order = found
                break
            }
            low = high + 1
            high += step
            step *= 2
        }
        if high >= end { high = end }
        while low < high {
            let middle = (low + high) / 2
            let found = compare(middle)
            if found >= 0 {
                high = middle
                order = found
            } else {
                low = middle + 1
            }
        }
        return (high, high < end ? order : 1)
    }
}
