// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes

/// The identifier of an operation: a UUID (RFC 9562), given by the caller or made here as version 7.
///
/// It is also the idempotency key of the operation's request, and the id of a new record until the upstream gives one.
public struct OperationID: Sendable, Hashable {
    /// The first and the last eight bytes, the highest first.
    private let high: UInt64
    private let low: UInt64

    /// Makes an identifier of version 7, which orders by time.
    ///
    /// - Parameters:
    ///   - time: milliseconds since 1970; the lower 48 bits are used.
    ///   - random: two random numbers, of which 74 bits are used.
    public init(time: Int64, random: (UInt64, UInt64)) {
        high = UInt64(truncatingIfNeeded: time) << 16 | 0x7000 | random.0 & 0x0FFF
        low = 1 << 63 | random.1 >> 2
    }

    /// Reads the usual form of 36 characters, in letters of either case; nil for any other text.
    public init?(_ text: RawSpan) {
        guard text.byteCount == Self.textLength else { return nil }
        var (high, low, digits): (UInt64, UInt64, Int) = (0, 0, 0)
        for index in 0..<Self.textLength {
            let byte = text.byte(at: index)
            if Self.hyphens.contains(index) {
                guard byte == UInt8(ascii: "-") else { return nil }
                continue
            }
            guard let digit = ASCII.hexValue(byte).map(UInt64.init) else { return nil }
            if digits < 16 { high = high << 4 | digit } else { low = low << 4 | digit }
            digits += 1
        }
        self.high = high
        self.low = low
    }

    /// Reads the usual form of 36 characters; nil for any other text.
    public init?(_ text: String) {
        let bytes = Array(text.utf8)
        self.init(bytes.rawSpan)
    }

    /// The usual form: 36 characters, in lower case.
    public var text: String { String(decoding: bytes, as: UTF8.self) }

    /// The usual form in UTF-8.
    public var bytes: [UInt8] {
        var text: [UInt8] = []
        text.reserveCapacity(Self.textLength)
        for digit in 0..<32 {
            if Self.hyphens.contains(text.count) { text.append(UInt8(ascii: "-")) }
            let half = digit < 16 ? high : low
            text.append(Self.digits[Int(half >> (60 - UInt64(digit % 16) * 4) & 0xF)])
        }
        return text
    }

    private static let textLength = 36
    private static let hyphens = [8, 13, 18, 23]
    private static let digits = Array("0123456789abcdef".utf8)
}
