// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes

/// The part of a field's values that a rule of access shows a peer.
public enum FieldSight: Sendable, Hashable {
    case whole
    case masked(FieldMask)
    /// Nothing: for the peer there is no such field.
    case hidden
}

/// A form of values in which a rule of access shows them.
public enum FieldMask: Sendable, Hashable {
    /// An ellipsis and the last four characters; of a value with fewer than eight, only the ellipsis.
    case lastFour
    /// The year of a day or a moment, in UTC.
    case year
    /// The keyed hash of the value, so that equal values look equal.
    case hash(MessageAuthentication)

    /// The keyed hash with this key.
    public static func hash(key: [UInt8]) -> FieldMask { .hash(MessageAuthentication(key: key)) }

    /// The name of the mask in `describe`.
    public var name: String {
        switch self {
        case .lastFour: "last4"
        case .year: "year"
        case .hash: "hash"
        }
    }

    /// The text that is shown in place of a value.
    public func shown(_ text: String) -> String {
        let bytes = Array(text.utf8)
        return String(decoding: shown(bytes.rawSpan), as: UTF8.self)
    }

    /// The text that is shown in place of a value, in UTF-8.
    ///
    /// - Parameter text: the value as it is served, in UTF-8: a text, or the digits of a number.
    public func shown(_ text: RawSpan) -> [UInt8] {
        switch self {
        case .lastFour:
            var (scalars, start) = (0, 0)
            for offset in (0..<text.byteCount).reversed() where !Self.continuesScalar(text.byte(at: offset)) {
                scalars += 1
                if scalars == Self.lastCount { start = offset }
                if scalars == Self.minShown { break }
            }
            var shown = Array("…".utf8)
            if scalars == Self.minShown { shown.append(bytes: text.extracting(start..<text.byteCount)) }
            return shown
        case .year:
            // Days and moments begin with the year, which may have a sign.
            var end = min(text.byteCount, text.byte(at: 0) == ASCII.minus ? 1 : 0)
            while end < text.byteCount, text.byte(at: end) != ASCII.minus { end += 1 }
            return text.extracting(0..<end).array
        case .hash(let authentication): return authentication.digits(of: text, count: Self.hashDigits)
        }
    }

    private static func continuesScalar(_ byte: UInt8) -> Bool { byte & 0xC0 == 0x80 }

    /// The number of characters at the end that are shown.
    private static let lastCount = 4
    /// The number of characters that a value has at least, of which some are shown.
    private static let minShown = 8
    /// The number of hexadecimal digits that are shown of a hash.
    private static let hashDigits = 32
}

/// A keyed hash of messages: HMAC (RFC 2104) with SHA-256.
public struct MessageAuthentication: Sendable, Hashable {
    private let key: [UInt8]
    private let beginnings: Beginnings

    /// The hashes after the blocks of the key that go before a message and before the inner digest.
    private final class Beginnings: Sendable {
        let inside: SHA256
        let outside: SHA256

        init(_ key: [UInt8]) {
            func begun(_ pad: UInt8) -> SHA256 {
                var hash = SHA256()
                let block = key.map { $0 ^ pad }
                hash.update(block.rawSpan)
                return hash
            }
            (inside, outside) = (begun(0x36), begun(0x5C))
        }
    }

    public init(key: [UInt8]) {
        self.key = key
        var block = key
        if key.count > Self.blockSize {
            var hash = SHA256()
            hash.update(key.rawSpan)
            block = hash.digest
        }
        beginnings = Beginnings(block + [UInt8](repeating: 0, count: Self.blockSize - block.count))
    }

    /// Equal keys make equal hashes.
    public static func == (a: MessageAuthentication, b: MessageAuthentication) -> Bool { a.key == b.key }

    public func hash(into hasher: inout Hasher) { hasher.combine(key) }

    /// The first lower-case hexadecimal digits of the hash of a message, at most 64.
    public func digits(of message: RawSpan, count: Int) -> [UInt8] {
        let words = beginnings.outside.words(adding: beginnings.inside.words(adding: message))
        return (0..<count).map { index in
            let byte = Self.byte(index / 2, of: words)
            let digit = index % 2 == 0 ? byte >> 4 : byte & 15
            return digit < 10 ? ASCII.zero + digit : UInt8(ascii: "a") + digit - 10
        }
    }

    private static func byte(_ index: Int, of words: SIMD8<UInt32>) -> UInt8 {
        UInt8(truncatingIfNeeded: words[index / 4] >> UInt32(24 - 8 * (index % 4)))
    }

    private static let blockSize = 64
}
