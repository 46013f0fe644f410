// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// FNV-1a, 64 bits, over self-delimiting pieces: the same in every process.
struct StableHash {
    private(set) var value: UInt64 = 0xcbf2_9ce4_8422_2325

    mutating func add(_ number: Int) {
        withBytes(of: UInt64(bitPattern: Int64(number)))
    }

    /// Adds the length too, so that no two sequences of texts run into one another.
    mutating func add(_ text: String) {
        add(text.utf8.count)
        for byte in text.utf8 { add(byte) }
    }

    private mutating func add(_ byte: UInt8) {
        value = (value ^ UInt64(byte)) &* 0x100_0000_01b3
    }

    private mutating func withBytes(of word: UInt64) {
        for shift in stride(from: UInt64(0), to: 64, by: 8) { add(UInt8(truncatingIfNeeded: word >> shift)) }
    }
}
