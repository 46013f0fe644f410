// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// The encoding of names and values in addresses (RFC 3986, section 2.1) and forms (application/x-www-form-urlencoded).
public enum PercentEncoding {
    /// The text with everything percent-encoded but the unreserved characters: letters, digits, `-`, `.`, `_` and `~`. It
    /// is right in a path, a query and a form alike.
    public static func encode(_ text: String) -> String { encode(Array(text.utf8)) }

    /// As `encode` of a text, for bytes that need not be one.
    ///
    /// - Parameter isUppercase: whether the digits above 9 are capital letters, as the RFC has them.
    public static func encode(_ bytes: [UInt8], isUppercase: Bool = true) -> String {
        let digits = Array((isUppercase ? "0123456789ABCDEF" : "0123456789abcdef").utf8)
        var text: [UInt8] = []
        for byte in bytes {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
                UInt8(ascii: "~"):
                text.append(byte)
            default: text += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// The bytes of a name or a value of a query or a form: `+` is a space, and a `%` without two digits stays.
    public static func decode(_ text: Substring) -> [UInt8] {
        var bytes: [UInt8] = []
        var rest = text.utf8
        while let byte = rest.popFirst() {
            let digits = rest.prefix(2)
            if byte == UInt8(ascii: "%"), digits.count == 2, let high = digits.first.flatMap(ASCII.hexValue),
                let low = digits.last.flatMap(ASCII.hexValue)
            {
                bytes.append(UInt8(high << 4 | low))
                rest.removeFirst(2)
            } else {
                bytes.append(byte == UInt8(ascii: "+") ? UInt8(ascii: " ") : byte)
            }
        }
        return bytes
    }
    /// The bytes of a path or of a segment of one; nil if a `%` has no two hexadecimal digits after it.
    public static func decodePath(_ text: Substring) -> [UInt8]? {
        var bytes: [UInt8] = []
        var rest = text.utf8
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard let high = rest.popFirst().flatMap(ASCII.hexValue), let low = rest.popFirst().flatMap(ASCII.hexValue)
            else { return nil }
            bytes.append(UInt8(high << 4 | low))
        }
        return bytes
    }
}
