// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes

/// Text as a JSON string.
enum JSONText {
    /// Appends a text in quotes with what needs it escaped: quotes, backslashes and control characters.
    static func append(_ text: RawSpan, to out: inout [UInt8]) {
        out.append(UInt8(ascii: "\""))
        var done = 0
        for offset in 0..<text.byteCount {
            let byte = text.byte(at: offset)
            guard byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") else { continue }
            out.append(bytes: text.extracting(done..<offset))
            append(escaped: byte, to: &out)
            done = offset + 1
        }
        out.append(bytes: text.extracting(done..<text.byteCount))
        out.append(UInt8(ascii: "\""))
    }

    /// Appends a part of `text` likewise.
    static func append(_ text: [UInt8], _ range: Range<Int>, to out: inout [UInt8]) {
        append(text.rawSpan.extracting(range), to: &out)
    }

    private static func append(escaped byte: UInt8, to out: inout [UInt8]) {
        out.append(UInt8(ascii: "\\"))
        switch byte {
        case 0x08: out.append(UInt8(ascii: "b"))
        case 0x09: out.append(UInt8(ascii: "t"))
        case 0x0A: out.append(UInt8(ascii: "n"))
        case 0x0C: out.append(UInt8(ascii: "f"))
        case 0x0D: out.append(UInt8(ascii: "r"))
        case ..<0x20:
            out += [UInt8(ascii: "u"), 0x30, 0x30, 0x30 + byte >> 4]
            out.append(byte & 15 < 10 ? 0x30 + byte & 15 : 0x57 + byte & 15)
        default: out.append(byte)
        }
    }
}
