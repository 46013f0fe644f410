// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsModel
import ClaimsPlatform

/// Makes names as definitions have them of the names that upstreams use.
///
///     FieldName.of("lastSeen")    // "last_seen"
public enum FieldName {
    /// The length from which names are cut, which leaves room for a number, in bytes.
    static let maxLength = ReservedNames.maxNameLength - 6

    /// The containers of some conventions, whose names do not describe the values in them.
    private static let wrappers: Set<String> = ["attributes", "node", "fields", "properties"]

    /// A name of the form `[a-z][a-z0-9_]*` that resembles `text`; nil if nothing of it can stay.
    public static func of(_ text: String) -> String? {
        var name: [UInt8] = []
        var isUpper = false
        let scalars = Array(text.unicodeScalars)
        for (index, scalar) in scalars.enumerated() {
            let wasUpper = isUpper
            isUpper = scalar.properties.isUppercase
            let isNextLower = index + 1 < scalars.count && scalars[index + 1].properties.isLowercase
            // A word begins at the first capital, and at the last of several.
            if isUpper, !wasUpper || isNextLower { separate(&name) }
            let letters = Folding.fold(String(Character(scalar))).filter(isPart)
            if letters.isEmpty { separate(&name) }
            name += letters
        }
        while name.last == UInt8(ascii: "_") { name.removeLast() }
        guard let first = name.first else { return nil }
        if first >= UInt8(ascii: "0"), first <= UInt8(ascii: "9") { name.insert(contentsOf: Array("n".utf8), at: 0) }
        name = Array(name.prefix(maxLength))
        while name.last == UInt8(ascii: "_") { name.removeLast() }
        return String(decoding: name, as: UTF8.self)
    }

    /// A name for the value at `pointer` that is not in `taken`, nor reserved.
    static func of(_ pointer: JSONPointer, taken: Set<String>) -> String {
        let words = pointer.tokens.map { of(String(decoding: $0, as: UTF8.self)) ?? "" }
        let short = joined(words.filter { !wrappers.contains($0) })
        if !short.isEmpty, isFree(short, taken) { return short }
        let long = joined(words)
        var base = long.isEmpty ? "field" : long
        if ReservedNames.fields.contains(base) { base = ReservedNames.substitute(for: base) }
        if isFree(base, taken) { return base }
        var number = 2
        while !isFree("\(base)_\(number)", taken) { number += 1 }
        return "\(base)_\(number)"
    }

    /// A name for the collection at a path or address: the last part of it that can be a name.
    public static func collection(in input: String) -> String {
        let path = input.prefix { $0 != "?" && $0 != "#" }
        for part in path.split(separator: "/").reversed() {
            let stem = part.firstIndex(of: ".").map { part[..<$0] } ?? part
            if !part.hasSuffix(":"), let name = of(String(stem)) { return name }
        }
        return "records"
    }

    /// The name of the collection that a file of this name defines, or a similar one.
    public static func collection(definedIn file: String) -> String {
        let stem = String(Paths.name(file).prefix { $0 != "." })
        return ReservedNames.isName(stem) ? stem : of(stem) ?? "definition"
    }

    private static func joined(_ words: [String]) -> String {
        let name = String(words.filter { !$0.isEmpty }.joined(separator: "_").prefix(maxLength))
        return String(name.reversed().drop { $0 == "_" }.reversed())
    }

    private static func isFree(_ name: String, _ taken: Set<String>) -> Bool {
        !taken.contains(name) && name != "id" && !ReservedNames.fields.contains(name)
    }

    private static func separate(_ name: inout [UInt8]) {
        if let last = name.last, last != UInt8(ascii: "_") { name.append(UInt8(ascii: "_")) }
    }

    private static func isPart(_ byte: UInt8) -> Bool {
        byte >= UInt8(ascii: "a") && byte <= UInt8(ascii: "z") || byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9")
    }
}
