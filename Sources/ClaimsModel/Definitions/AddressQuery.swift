// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes

/// The query of an address: the parameters between `?` and `#` (RFC 3986, section 3.4).
public enum AddressQuery {
    /// The address with these parameters behind its own, percent-encoded.
    public static func appending(_ parameters: [QueryParameter], to address: String) -> String {
        let pairs = parameters.flatMap { parameter in
            parameter.values.map { "\(encoded(parameter.name))=\(encoded($0))" }
        }
        return pairs.isEmpty ? address : parts(of: address).with(pairs)
    }

    /// The address with one parameter set, in place of all of that name.
    public static func setting(_ name: String, to value: String, in address: String) -> String {
        var parts = parts(of: address)
        let wanted = Array(name.utf8)
        parts.pairs.removeAll { pair in decoded(pair.prefix { $0 != "=" }) == wanted }
        return parts.with(["\(encoded(name))=\(encoded(value))"])
    }

    /// The text with all but the unreserved characters of RFC 3986 percent-encoded.
    public static func encoded(_ text: String) -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        var bytes: [UInt8] = []
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
                UInt8(ascii: "~"):
                bytes.append(byte)
            default:
                bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private struct Parts {
        /// All before the `?`.
        let base: Substring
        var pairs: [Substring]
        /// The `#` and all behind it.
        let fragment: Substring

        func with(_ more: [String]) -> String {
            "\(base)?\((pairs.map(String.init) + more).joined(separator: "&"))\(fragment)"
        }
    }

    private static func parts(of address: String) -> Parts {
        let end = address.firstIndex(of: "#") ?? address.endIndex
        let mark = address[..<end].firstIndex(of: "?") ?? end
        return Parts(
            base: address[..<mark], pairs: address[mark..<end].dropFirst().split(separator: "&"),
            fragment: address[end...])
    }

    /// The bytes that the name of a parameter stands for; a broken escape stands for itself.
    private static func decoded(_ name: Substring) -> [UInt8] {
        var bytes: [UInt8] = []
        var rest = Array(name.utf8)[...]
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%"), rest.count >= 2, let high = ASCII.hexValue(rest[rest.startIndex]),
                let low = ASCII.hexValue(rest[rest.startIndex + 1])
            {
                bytes.append(UInt8(high << 4 | low))
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte == UInt8(ascii: "+") ? UInt8(ascii: " ") : byte)
            }
        }
        return bytes
    }
}
