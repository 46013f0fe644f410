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
    case hash(key: [UInt8])

    /// The name of the mask in `describe`.
    public var name: String {
        switch self {
        case .lastFour: "last4"
        case .year: "year"
        case .hash: "hash"
        }
    }

    /// The text that is shown in place of a value.
    ///
    /// - Parameter text: the value as it is served: a text, or the digits of a number.
    public func shown(_ text: String) -> String {
        switch self {
        case .lastFour:
            let scalars = text.unicodeScalars
            let shown = scalars.count < Self.minShown ? "" : String(scalars.suffix(Self.lastCount))
            return "…" + shown
        case .year:
            // Days and moments begin with the year, which may have a sign.
            let sign = text.first == "-" ? "-" : ""
            return sign + text.dropFirst(sign.count).prefix { $0 != "-" }
        case .hash(let key):
            return String(MessageAuthentication.hexadecimal(of: Array(text.utf8), key: key).prefix(Self.hashDigits))
        }
    }

    /// The number of characters at the end that are shown.
    private static let lastCount = 4
    /// The number of characters that a value has at least, of which some are shown.
    private static let minShown = 8
    /// The number of hexadecimal digits that are shown of a hash.
    private static let hashDigits = 32
}

/// A keyed hash of a message: HMAC (RFC 2104) with SHA-256.
enum MessageAuthentication {
    /// The hash in lower-case hexadecimal.
    static func hexadecimal(of message: [UInt8], key: [UInt8]) -> String {
        var block = key
        if key.count > blockSize { block = digest(of: key) }
        block += [UInt8](repeating: 0, count: blockSize - block.count)
        let inside = digest(of: block.map { $0 ^ 0x36 } + message)
        return SHA256.hexadecimal(of: (block.map { $0 ^ 0x5C } + inside).rawSpan)
    }

    private static func digest(of bytes: [UInt8]) -> [UInt8] {
        var hash = SHA256()
        hash.update(bytes.rawSpan)
        return hash.digest
    }

    private static let blockSize = 64
}
