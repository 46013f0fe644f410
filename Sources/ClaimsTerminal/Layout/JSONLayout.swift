// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsClient
import ClaimsJSON
import ClaimsModel

/// Changes to the layout of finished JSON bytes. The JSON value stays the same, apart from the added version.
public enum JSONLayout {
    /// The version of the documents that `-o json` prints; it changes when a document changes incompatibly.
    public static let schemaVersion = 1

    /// A line with the object of these texts, after `schema_version`.
    static func text(_ members: [(name: StaticString, text: String)]) -> String {
        var writer = JSONWriter()
        writer.beginObject()
        writer.member("schema_version", schemaVersion)
        for member in members { writer.member(member.name, member.text) }
        writer.endObject()
        return String(decoding: writer.bytes, as: UTF8.self) + "\n"
    }

    /// The object with `schema_version` as its first member.
    ///
    /// - Parameters:
    ///   - object: an object in JSON without white space before or after it.
    ///   - isDryRun: whether `"dry_run":true` is its second member.
    public static func versioned(_ object: [UInt8], isDryRun: Bool = false) -> [UInt8] {
        var out = Array(#"{"schema_version":\#(schemaVersion)"#.utf8)
        if isDryRun { out += Array(#","dry_run":true"#.utf8) }
        let inside = object.dropFirst()
        if inside.first != UInt8(ascii: "}") { out.append(UInt8(ascii: ",")) }
        return out + inside
    }

    /// The JSON on several lines, with two spaces for each level; an empty array or object stays on one line.
    public static func indented(_ json: [UInt8]) -> [UInt8] {
        var out: [UInt8] = []
        out.reserveCapacity(json.count * 2)
        var depth = 0
        var index = 0
        while index < json.count {
            let byte = json[index]
            switch byte {
            case UInt8(ascii: "\""):
                let end = stringEnd(json, from: index)
                out += json[index..<end]
                index = end
                continue
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                out.append(byte)
                let next = json[(index + 1)...].first { $0 > 0x20 }
                if next == UInt8(ascii: "}") || next == UInt8(ascii: "]") {
                    out.append(next ?? 0)
                    index = (json[(index + 1)...].firstIndex { $0 > 0x20 } ?? index) + 1
                    continue
                }
                depth += 1
                breakLine(&out, depth)
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                depth = max(0, depth - 1)
                breakLine(&out, depth)
                out.append(byte)
            case UInt8(ascii: ","):
                out.append(byte)
                breakLine(&out, depth)
            case UInt8(ascii: ":"):
                out += [byte, UInt8(ascii: " ")]
            case 0...0x20:
                break
            default:
                out.append(byte)
            }
            index += 1
        }
        return out
    }

    /// The JSON with unsafe characters inside strings as `\u` escapes: DEL, C1 controls, and characters that change the
    /// direction of text or cannot be seen.
    public static func terminalSafe(_ json: [UInt8]) -> [UInt8] {
        guard json.contains(where: { $0 == 0x7F || $0 == 0xC2 || $0 >= 0xCC }) else { return json }
        var text = String.UnicodeScalarView()
        for character in String(decoding: json, as: UTF8.self) {
            for scalar in character.unicodeScalars {
                if scalar.value >= 0x7F, TextSafety.isUnsafe(scalar, in: character) {
                    for unit in UTF16.encode(scalar).map(Array.init) ?? [] {
                        let digits = String(unit, radix: 16)
                        let escape = "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
                        text.append(contentsOf: escape.unicodeScalars)
                    }
                } else {
                    text.append(scalar)
                }
            }
        }
        return Array(String(text).utf8)
    }

    private static func breakLine(_ out: inout [UInt8], _ depth: Int) {
        out.append(UInt8(ascii: "\n"))
        out += repeatElement(UInt8(ascii: " "), count: depth * 2)
    }

    private static func stringEnd(_ json: [UInt8], from start: Int) -> Int {
        var index = start + 1
        while index < json.count {
            if json[index] == UInt8(ascii: "\\") {
                index += 2
            } else if json[index] == UInt8(ascii: "\"") {
                return index + 1
            } else {
                index += 1
            }
        }
        return json.count
    }
}

extension JSONLayout {
    /// The document of `-o json`: a single result as it is, several as `{"results":[…]}`, with the schema's version.
    ///
    /// - Parameters:
    ///   - isList: also a single result stands in a list; nil if that depends on how many there are.
    ///   - isDryRun: the results describe changes that were not made, and the document says so.
    static func document(_ results: [AnswerValue], isList: Bool? = nil, isDryRun: Bool = false) -> [UInt8] {
        var object: [UInt8] = []
        if let only = results.first, results.count == 1, isList != true {
            only.appendSource(to: &object)
            return versioned(object, isDryRun: isDryRun)
        }
        object = Array(#"{"results":["#.utf8)
        for (index, result) in results.enumerated() {
            if index > 0 { object.append(UInt8(ascii: ",")) }
            result.appendSource(to: &object)
        }
        return versioned(object + Array("]}".utf8), isDryRun: isDryRun)
    }
}
