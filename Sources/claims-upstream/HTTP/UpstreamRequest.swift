// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// An HTTP request.
struct UpstreamRequest: Sendable {
    let method: String
    /// Without the query; escapes are left as they are.
    let path: String
    let query: String
    /// Names in lower case, in the order they came.
    let headers: [(name: String, value: String)]
    /// The part of the body that was read.
    var body: [UInt8] = []

    /// The length of the body according to the head, in bytes; nil if it has no valid length.
    var bodyLength: Int? {
        let length = Int(self["content-length"] ?? "0") ?? -1
        return length >= 0 && self["transfer-encoding"] == nil ? length : nil
    }

    /// The content type without its parameters, in lower case; empty if there is none.
    var mediaType: String {
        let type = (self["content-type"] ?? "").prefix { character in character != ";" && character != " " }
        return type.lowercased()
    }

    /// The first value of a header; its name in lower case.
    subscript(name: String) -> String? {
        headers.first { header in header.name == name }?.value
    }

    /// The parameters of the query, their escapes resolved; of equal names the last.
    var parameters: [String: String] {
        var result: [String: String] = [:]
        for pair in query.split(separator: "&") {
            let parts = pair.split(separator: "=", maxSplits: 1).map { part in Self.unescaped(String(part)) }
            if let name = parts.first { result[name] = parts.count == 2 ? parts[1] : "" }
        }
        return result
    }

    /// `text` with its `%XX` resolved.
    static func unescaped(_ text: String) -> String {
        var bytes: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%"), rest.count >= 2,
                let code = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)
            {
                bytes.append(code)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// `text` with everything escaped that is not a letter, a digit or one of `-._~`.
    static func escaped(_ text: String) -> String {
        text.utf8.reduce(into: "") { result, byte in
            let character = Character(UnicodeScalar(byte))
            if byte < 0x80 && (character.isLetter || character.isNumber || "-._~".contains(character)) {
                result.append(character)
            } else {
                result += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
            }
        }
    }

    /// Reads the lines of `head`, without the empty line after them; nil if they are no request.
    init?(head: ArraySlice<UInt8>) {
        var lines = String(decoding: head, as: UTF8.self).split(separator: "\r\n")[...]
        let parts = lines.popFirst()?.split(separator: " ").map(String.init) ?? []
        guard parts.count == 3, parts[2].hasPrefix("HTTP/1.") else { return nil }
        method = parts[0]
        // A proxy is asked for absolute URLs.
        var target = parts[1][...]
        if target.hasPrefix("http://") { target = target.dropFirst(7).drop { character in character != "/" } }
        let pieces = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        path = pieces[0]
        query = pieces.count == 2 ? pieces[1] : ""
        headers = lines.compactMap { line in
            guard let colon = line.firstIndex(of: ":") else { return nil }
            var value = line[line.index(after: colon)...]
            while value.first == " " { value.removeFirst() }
            return (line[..<colon].lowercased(), String(value))
        }
    }
}
