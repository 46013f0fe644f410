// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes

/// The check of an address in a definition, before anything is fetched from it.
///
/// A transfer accepts an address without a complaint. Whether a server or a file exists there is not checked.
enum SourceAddress {
    /// The longest address, in bytes.
    static let maxLength = 16 << 10

    /// The mistake in an address, as the value that was expected; nil if there is none.
    static func complaint(_ text: String) -> String? {
        guard text.utf8.count <= maxLength else { return "an address of at most \(maxLength) bytes" }
        if text.utf8.contains(where: { $0 <= 0x20 || $0 == 0x7F }) {
            return "an address without spaces and control characters (a space is %20)"
        }
        let beginning = "an address that begins with https://, http:// or file://"
        guard let mark = text.firstRange(of: "://") else { return beginning }
        let scheme = text[..<mark.lowerBound].lowercased()
        let rest = text[mark.upperBound...]
        if text.hasPrefix("file:") { return fileComplaint(rest) }
        guard scheme == "https" || scheme == "http" else {
            return beginning
        }
        let authority = rest.prefix { !"/?#".contains($0) }
        if authority.contains("@") { return "an address without a user; secrets belong in 'credential'" }
        return hostComplaint(authority)
    }

    /// The origin of an address of http or https: scheme, host and port, in lower case; nil if it has none.
    ///
    /// - Parameter text: An address that has no complaint.
    static func origin(_ text: String) -> String? {
        guard let mark = text.firstRange(of: "://") else { return nil }
        let scheme = text[..<mark.lowerBound].lowercased()
        guard let usual = ["https": ":443", "http": ":80"][scheme] else { return nil }
        let authority = text[mark.upperBound...].prefix { !"/?#".contains($0) }.lowercased()
        let hasPort = authority.split(separator: "]", omittingEmptySubsequences: false).last?.contains(":") ?? false
        return "\(scheme)://\(authority)\(hasPort ? "" : usual)"
    }

    /// - Parameter rest: all after `file://`.
    private static func fileComplaint(_ rest: Substring) -> String? {
        let host = rest.prefix { $0 != "/" }
        let path = rest.dropFirst(host.count).prefix { $0 != "?" && $0 != "#" }
        guard host.isEmpty || host == "localhost", !path.isEmpty else {
            return "a file of this machine as file:///PATH"
        }
        guard let bytes = PercentEncoding.decodePath(path), !bytes.contains(0),
            String(validating: bytes, as: UTF8.self) != nil
        else {
            return "a path in which each % is followed by the two hexadecimal digits of a byte"
        }
        return nil
    }

    /// - Parameter authority: the host, with or without a port.
    private static func hostComplaint(_ authority: Substring) -> String? {
        var host = authority
        var port = Substring()
        if authority.hasPrefix("[") {
            host = authority.prefix { $0 != "]" }.dropFirst()
            let rest = authority.dropFirst(host.count + 1)
            let digits = host.prefix { $0 != "%" }
            guard rest.first == "]", rest.count == 1 || rest.dropFirst().first == ":", digits.contains(":"),
                digits.utf8.allSatisfy({ ASCII.hexValue($0) != nil || ":.".utf8.contains($0) })
            else { return "a host, as in https://[2001:db8::1]/" }
            port = rest.dropFirst(2)
        } else if let colon = authority.firstIndex(of: ":") {
            host = authority[..<colon]
            port = authority[authority.index(after: colon)...]
        }
        if host.isEmpty { return "an address with a host" }
        if !authority.hasPrefix("["), !host.unicodeScalars.allSatisfy(isOfHost) {
            return "a host of letters, digits, '-' and '.'"
        }
        let isPort = port.utf8.allSatisfy(ASCII.isDigit) && (1...65_535).contains(Int(port) ?? 0)
        return port.isEmpty || isPort ? nil : "a port from 1 to 65535"
    }

    /// Whether a character may be part of a host's name. International names have letters beyond ASCII.
    private static func isOfHost(_ scalar: Unicode.Scalar) -> Bool {
        if !scalar.isASCII { return scalar.properties.isAlphabetic || scalar.properties.numericType != nil }
        return scalar.properties.isAlphabetic || "0"..."9" ~= scalar || "-._~".unicodeScalars.contains(scalar)
    }
}

extension ReadRequest {
    /// The origin of the address: scheme, host and port, in lower case; nil if it has none.
    public var origin: String? { url.flatMap(SourceAddress.origin) }
}
