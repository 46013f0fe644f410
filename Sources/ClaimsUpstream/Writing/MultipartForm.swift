// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsPlatform

/// The form of a multipart/form-data body (RFC 7578), as browsers write it.
///
/// It is made here and not by libcurl, so that each body of a request is one list of contents, read by one function
/// that cannot begin anew.
struct MultipartForm {
    /// The value of the request's `Content-Type`.
    let type: String
    /// The whole body in order: the heads of the parts, their contents, the end.
    let contents: [HTTPContent]

    /// - Parameter boundary: a text that no content has; by default a random one.
    init(_ parts: [HTTPPart], boundary: String = "claimsd-" + RandomBytes.hexadecimal(16)) {
        type = "multipart/form-data; boundary=\(boundary)"
        var contents: [HTTPContent] = []
        for part in parts {
            var head = "--\(boundary)\r\nContent-Disposition: form-data; name=\"\(Self.escape(part.name))\""
            if let fileName = part.fileName { head += "; filename=\"\(Self.escape(fileName))\"" }
            head += "\r\n"
            if let type = part.type { head += "Content-Type: \(type.filter { !$0.isNewline })\r\n" }
            contents.append(.bytes(Array((head + "\r\n").utf8)))
            contents.append(part.content)
            contents.append(.bytes(Array("\r\n".utf8)))
        }
        contents.append(.bytes(Array("--\(boundary)--\r\n".utf8)))
        self.contents = contents
    }

    /// A value in quotes, with the escapes of the HTML standard: names stay UTF-8, and no line or quote ends early.
    private static func escape(_ text: String) -> String {
        var bytes: [UInt8] = []
        for byte in text.utf8 {
            switch byte {
            case 0x0a: bytes += "%0A".utf8
            case 0x0d: bytes += "%0D".utf8
            case 0x22: bytes += "%22".utf8
            default: bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
