// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// `Link` (RFC 8288), as far as paging needs it.
enum LinkHeader {
    /// The target of the first link whose relations include `next`, as it stands there.
    static func next(in values: [String]) -> String? {
        for value in values {
            var rest = Array(value.utf8)[...]
            while let link = takeLink(&rest) {
                if link.isNext { return link.target }
            }
        }
        return nil
    }

    /// Reads one `<target>; name=value; …` and the comma after it. A value that breaks the grammar ends the list.
    private static func takeLink(_ rest: inout ArraySlice<UInt8>) -> (target: String, isNext: Bool)? {
        rest = rest.drop { byte in byte == 0x20 || byte == 0x09 || byte == UInt8(ascii: ",") }
        guard rest.first == UInt8(ascii: "<"), let end = rest.firstIndex(of: UInt8(ascii: ">")) else { return nil }
        let target = String(decoding: rest[(rest.startIndex + 1)..<end], as: UTF8.self)
        rest = rest[(end + 1)...]
        var isNext = false
        var hasRelation = false
        while let parameter = takeParameter(&rest) {
            guard parameter.name == "rel", !hasRelation else { continue }
            hasRelation = true
            isNext = parameter.value.lowercased().split(separator: " ").contains("next")
        }
        return (target, isNext)
    }

    private static func takeParameter(_ rest: inout ArraySlice<UInt8>) -> (name: String, value: String)? {
        skipBlanks(&rest)
        guard rest.first == UInt8(ascii: ";") else { return nil }
        rest = rest.dropFirst()
        skipBlanks(&rest)
        let name = take(&rest) { byte in !" \t=;,".utf8.contains(byte) }
        skipBlanks(&rest)
        guard rest.first == UInt8(ascii: "=") else { return (name.lowercased(), "") }
        rest = rest.dropFirst()
        skipBlanks(&rest)
        guard rest.first == UInt8(ascii: "\"") else {
            return (name.lowercased(), take(&rest) { byte in !" \t;,".utf8.contains(byte) })
        }
        rest = rest.dropFirst()
        var value: [UInt8] = []
        while let byte = rest.popFirst(), byte != UInt8(ascii: "\"") {
            if byte == UInt8(ascii: "\\"), let escaped = rest.popFirst() {
                value.append(escaped)
            } else {
                value.append(byte)
            }
        }
        return (name.lowercased(), String(decoding: value, as: UTF8.self))
    }

    private static func skipBlanks(_ rest: inout ArraySlice<UInt8>) {
        rest = rest.drop { byte in byte == 0x20 || byte == 0x09 }
    }

    private static func take(_ rest: inout ArraySlice<UInt8>, while isPart: (UInt8) -> Bool) -> String {
        let part = rest.prefix(while: isPart)
        rest = rest[part.endIndex...]
        return String(decoding: part, as: UTF8.self)
    }
}
