// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsPlatform

/// The parts of a multipart/form-data body (RFC 7578).
struct FormParts {
    /// The maximum number of parts.
    private static let maxParts = 100

    struct Part {
        /// The field of the form.
        let name: String
        /// The file's name; nil if the part is no file.
        let fileName: String?
        /// Empty if the part has none.
        let type: String
        let content: [UInt8]
    }

    let parts: [Part]

    /// Reads the body of `request`; nil if it is no such form, or not a whole one.
    init?(_ request: UpstreamRequest) {
        guard request.mediaType == "multipart/form-data",
            let boundary = Self.parameter("boundary", of: request["content-type"] ?? ""), !boundary.isEmpty
        else { return nil }
        var parts: [Part] = []
        // The first boundary has no line before it.
        let bytes = Array("\r\n".utf8) + request.body
        let mark = Array("\r\n--\(boundary)".utf8)
        guard var start = Self.end(of: mark, in: bytes, from: 0) else { return nil }
        while !bytes[start...].starts(with: "--".utf8) {
            guard bytes[start...].starts(with: "\r\n".utf8), parts.count < Self.maxParts,
                let next = Self.end(of: mark, in: bytes, from: start),
                let part = Self.part(bytes[(start + 2)..<(next - mark.count)])
            else { return nil }
            parts.append(part)
            start = next
        }
        self.parts = parts
    }

    private static func part(_ bytes: ArraySlice<UInt8>) -> Part? {
        let bytes = Array(bytes)
        guard let content = end(of: Array("\r\n\r\n".utf8), in: bytes, from: 0) else { return nil }
        var name: String?
        var fileName: String?
        var type = ""
        for line in String(decoding: bytes[..<content], as: UTF8.self).split(separator: "\r\n") {
            guard let colon = line.firstIndex(of: ":") else { return nil }
            let value = String(line[line.index(after: colon)...].drop { character in character == " " })
            switch line[..<colon].lowercased() {
            case "content-disposition":
                name = parameter("name", of: value)
                fileName = parameter("filename", of: value)
            case "content-type": type = value
            default: continue
            }
        }
        return name.map { name in Part(name: name, fileName: fileName, type: type, content: Array(bytes[content...])) }
    }

    /// A parameter of a header's value; in quoted ones, `%22`, `%0D` and `%0A` replace characters that they cannot
    /// hold.
    static func parameter(_ name: String, of value: String) -> String? {
        var rest = value[...]
        while let start = rest.firstIndex(of: ";") {
            rest = rest[rest.index(after: start)...].drop { character in character == " " }
            guard let sign = rest.firstIndex(of: "=") else { return nil }
            let isWanted = rest[..<sign].lowercased() == name
            rest = rest[rest.index(after: sign)...]
            let text: Substring
            if rest.first == "\"" {
                rest = rest.dropFirst()
                guard let end = rest.firstIndex(of: "\"") else { return nil }
                text = rest[..<end]
            } else {
                text = rest.prefix { character in character != ";" }
            }
            if isWanted { return unescaped(String(text)) }
            rest = rest[text.endIndex...]
        }
        return nil
    }

    private static func unescaped(_ text: String) -> String {
        text.replacing("%22", with: "\"").replacing("%0D", with: "\r").replacing("%0A", with: "\n")
    }

    /// The offset after the first `mark` at or after `start`.
    private static func end(of mark: [UInt8], in bytes: [UInt8], from start: Int) -> Int? {
        ByteSearch.firstIndex(of: mark.rawSpan, in: bytes.rawSpan.part(start..<bytes.count))
            .map { index in start + index + mark.count }
    }
}
