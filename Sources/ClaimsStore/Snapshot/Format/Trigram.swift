// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// Three bytes in a row, hashed into a bucket. Different trigrams may share one: what it lists is checked.
enum Trigram {
    /// A vocabulary of more bytes has no trigram index: it would take longer to build than it ever saves.
    static let vocabularyMax = 1 << 26
    /// A vocabulary of fewer words is scanned as fast.
    static let vocabularyMin = 1 << 10

    @inline(__always)
    static func bucket(_ bytes: RawSpan, at offset: Int, of buckets: Int) -> Int {
        let trigram = UInt32(bytes.u16(offset)) | UInt32(bytes.u8(offset &+ 2)) << 16
        let hash = UInt64(trigram) &* 0x9E37_79B9_7F4A_7C15
        return Int(truncatingIfNeeded: ((hash >> 32) &* UInt64(truncatingIfNeeded: buckets)) >> 32)
    }

    /// How many buckets a vocabulary has.
    static func buckets(words: Int) -> Int { words < 1 << 16 ? 1 << 14 : 1 << 16 }
}
