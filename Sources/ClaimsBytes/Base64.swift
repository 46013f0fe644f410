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
}
