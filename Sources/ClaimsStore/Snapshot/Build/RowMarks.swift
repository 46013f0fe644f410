// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// A set of record numbers that are few, or none, among many.
struct RowMarks: Sendable {
    private var words: [UInt64] = []
    private(set) var count = 0

    mutating func insert(_ number: Int) {
        let index = number >> 6
        if index >= words.count { words.append(contentsOf: repeatElement(0, count: index + 1 - words.count)) }
        guard !contains(number) else { return }
        words[index] |= 1 << UInt64(number & 63)
        count += 1
    }

    @inline(__always)
    func contains(_ number: Int) -> Bool {
        let index = number >> 6
        return index < words.count && words[index] & 1 << UInt64(number & 63) != 0
    }
}
