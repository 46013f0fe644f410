// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// Base64 with the usual alphabet and with padding (RFC 4648, section 4).
public enum Base64 {
    /// The bytes as text: four characters for each three bytes that were begun.
    public static func encode(_ bytes: [UInt8]) -> String {
        var text = Base64URL.encode(bytes)
        for index in text.indices {
            switch text[index] {
            case UInt8(ascii: "-"): text[index] = UInt8(ascii: "+")
            case UInt8(ascii: "_"): text[index] = UInt8(ascii: "/")
            default: continue
            }
        }
        while text.count % 4 != 0 { text.append(UInt8(ascii: "=")) }
        return String(decoding: text, as: UTF8.self)
    }

    /// The bytes that the text encodes; nil if the text is not the one canonical encoding of any bytes.
    ///
    /// Missing padding, white space, characters outside the alphabet and nonzero bits after the last byte are refused.
    public static func decode(_ text: some Collection<UInt8>) -> [UInt8]? {
        guard text.count % 4 == 0 else { return nil }
        var digits = Array(text)
        for _ in 0..<2 where digits.last == UInt8(ascii: "=") { digits.removeLast() }
        for index in digits.indices {
            switch digits[index] {
            case UInt8(ascii: "+"): digits[index] = UInt8(ascii: "-")
            case UInt8(ascii: "/"): digits[index] = UInt8(ascii: "_")
            case UInt8(ascii: "-"), UInt8(ascii: "_"): return nil
            default: continue
            }
        }
        return Base64URL.decode(digits)
    }
}
