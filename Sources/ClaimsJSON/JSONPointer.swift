// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes

/// A path into a JSON value (RFC 6901), with its escapes resolved.
public struct JSONPointer: Sendable, Hashable {
    /// The reference tokens in UTF-8, one for each level; empty for the whole value.
    public let tokens: [[UInt8]]

    /// A pointer of these unescaped tokens.
    public init(tokens: [[UInt8]]) { self.tokens = tokens }

    /// Reads a pointer such as `""` or `"/a/b"`, in which `~0` means `~` and `~1` means `/`.
    ///
    /// Throws `badPointer`, with the offset in UTF-8 bytes, if the text breaks the grammar of RFC 6901, section 3.
    public init(_ text: String) throws(JSONError) {
        var tokens: [[UInt8]] = []
        var token: [UInt8] = []
        var isEscape = false
        var offset = 0
        for byte in text.utf8 {
            if isEscape {
                guard byte == ASCII.zero || byte == ASCII.zero + 1 else { throw JSONError(.badPointer, at: offset) }
                token.append(byte == ASCII.zero ? ASCII.tilde : ASCII.slash)
                isEscape = false
            } else if byte == ASCII.slash {
                if offset > 0 { tokens.append(token) }
                token.removeAll()
            } else if offset == 0 {
                throw JSONError(.badPointer, at: 0)
            } else if byte == ASCII.tilde {
                isEscape = true
            } else {
                token.append(byte)
            }
            offset += 1
        }
        guard !isEscape else { throw JSONError(.badPointer, at: offset) }
        if offset > 0 { tokens.append(token) }
        self.tokens = tokens
    }

    /// The pointer in its written form, escapes included.
    public var text: String {
        var bytes: [UInt8] = []
        for token in tokens {
            bytes.append(ASCII.slash)
            for byte in token {
                switch byte {
                case ASCII.tilde: bytes += [ASCII.tilde, ASCII.zero]
                case ASCII.slash: bytes += [ASCII.tilde, ASCII.zero + 1]
                default: bytes.append(byte)
                }
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The array index that `token` is: digits without a leading zero. `-`, which is no element, gives nil.
    static func arrayIndex(_ token: [UInt8]) -> Int? {
        guard let first = token.first, token.count == 1 || first != ASCII.zero else { return nil }
        var index = 0
        for byte in token {
            guard ASCII.isDigit(byte) else { return nil }
            let (product, overflow) = index.multipliedReportingOverflow(by: 10)
            let (sum, carry) = product.addingReportingOverflow(Int(byte - ASCII.zero))
            if overflow || carry { return nil }
            index = sum
        }
        return index
    }
}
