// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsJSON

/// A short name as numbers, so that one that came is compared with those that are known at once, not byte by byte.
///
/// Two names of up to 16 bytes are equal exactly if these are; a longer one is equal to none of them.
struct PackedName: Equatable, Sendable {
    private let count: Int
    /// The first and the last eight bytes; they overlap, and lie in the first alone where there are fewer than eight.
    private let head: UInt64
    private let tail: UInt64

    /// The length of the longest known name, in bytes.
    static let maxBytes = 16

    /// The packed form of a known name: that of a method, a parameter or a member of a request.
    ///
    /// A known name with more than ``maxBytes`` bytes ends the process, with a text that names it: it is a mistake in the
    /// protocol, and the first request shows it.
    init(_ name: String) {
        let bytes = Array(name.utf8)
        guard bytes.count <= Self.maxBytes else {
            fatalError(
                "'\(name)' has \(bytes.count) bytes: names of methods and parameters have at most \(Self.maxBytes)")
        }
        self.init(bytes.rawSpan, 0..<bytes.count)
    }

    /// The name that stands at `range` of the bytes.
    @inline(__always)
    init(_ bytes: RawSpan, _ range: Range<Int>) {
        let start = range.lowerBound
        count = range.count
        switch count {
        case 8...Self.maxBytes:
            head = bytes.u64(at: start)
            tail = bytes.u64(at: range.upperBound &- 8)
        case 4...7:
            let first = bytes.u32(at: start)
            let last = bytes.u32(at: range.upperBound &- 4)
            head = UInt64(first) | UInt64(last) &<< 32
            tail = 0
        case 1...3:
            let middle = bytes.byte(at: start &+ count / 2)
            let last = bytes.byte(at: range.upperBound &- 1)
            head = UInt64(bytes.byte(at: start)) | UInt64(middle) &<< 8 | UInt64(last) &<< 16
            tail = 0
        default:
            head = 0
            tail = 0
        }
    }
}
