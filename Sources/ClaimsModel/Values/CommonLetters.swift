// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// The folded forms of the characters that take two bytes in UTF-8 (U+0080 to U+07FF), as far as they take no more.
enum CommonLetters {
    struct Entry {
        /// Bits 0–15 the bytes, 16–17 their count, 18 known.
        fileprivate let packed: UInt32

        @inline(__always) var isKnown: Bool { packed & 1 << 18 != 0 }
        @inline(__always) var count: Int { Int(packed >> 16 & 3) }
        @inline(__always) func byte(_ index: Int) -> UInt8 {
            UInt8(truncatingIfNeeded: packed >> UInt32(truncatingIfNeeded: index &* 8))
        }
    }

    /// The entry of the character that is `first` and `second`; unknown where these are no character of two bytes,
    /// or one that folds to white space or to more than two bytes.
    @inline(__always)
    static func entry(_ first: UInt8, _ second: UInt8) -> Entry {
        guard first >= 0xC2, first < 0xE0, second & 0xC0 == 0x80 else { return Entry(packed: 0) }
        return Entry(packed: table[Int(first &- 0xC2) << 6 | Int(second & 0x3F)])
    }

    private static let table: [UInt32] = (UInt32(0x80)...0x7FF).map { scalar in
        var bytes: [UInt8] = []
        FoldedScalar.forEach(of: scalar) { Scalar.append($0, to: &bytes) }
        guard bytes.count <= 2, !bytes.contains(0x20) else { return 0 }
        let packed = bytes.enumerated().reduce(UInt32(0)) { $0 | UInt32($1.element) << UInt32($1.offset * 8) }
        return packed | UInt32(bytes.count) << 16 | 1 << 18
    }
}
