// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel

/// Names of files made of names that came from elsewhere.
enum SafeName {
    /// The maximum length of a name, in bytes: what a tar archive and every file system take.
    static let maxBytes = 96

    /// A name that is safe as that of a file: without slashes, control characters and white space at its ends, and
    /// with nothing before it that hides it or makes it an option.
    ///
    /// - Parameter suffix: what stands at the end, in ASCII; it counts into the length.
    static func make(_ name: String, suffix: String = "") -> String {
        var safe = ""
        for scalar in name.trimmingSpaces().unicodeScalars {
            let isBad = scalar == "/" || scalar == "\\" || TextSafety.isUnsafe(scalar)
            safe.unicodeScalars.append(isBad ? "_" : scalar)
        }
        if let first = safe.utf8.first, first == UInt8(ascii: ".") || first == UInt8(ascii: "-") {
            safe = "_" + safe.dropFirst()
        }
        if safe.isEmpty { safe = "_" }
        return cut(safe, to: maxBytes - suffix.utf8.count) + suffix
    }

    /// A safe name with the ending of a media type, where the type has endings and the name has none of them: what
    /// opens it goes by its name.
    static func make(_ name: String, type: String) -> String {
        let safe = make(name)
        let endings = FileSignature.nameEndings(of: type)
        guard let usual = endings.first, !endings.contains(where: safe.lowercased().hasSuffix) else { return safe }
        return make(name, suffix: usual)
    }

    /// The name with a number before its last dot, such as `scan-2.png`.
    static func numbered(_ name: String, _ number: Int) -> String {
        let dot = name.lastIndex(of: ".").flatMap { $0 == name.startIndex ? nil : $0 } ?? name.endIndex
        let end = String(name[dot...])
        let mark = "-\(number)"
        return cut(String(name[..<dot]), to: max(1, maxBytes - mark.utf8.count - end.utf8.count)) + mark + end
    }

    /// Makes a name that differs from those in use, also where case does not count, and notes it as one of them.
    static func unused(_ name: String, among used: inout Set<String>) -> String {
        var candidate = name
        var number = 2
        while !used.insert(candidate.lowercased()).inserted {
            candidate = numbered(name, number)
            number += 1
        }
        return candidate
    }

    /// The text, cut at a whole scalar to at most that many bytes; the end that tells the kind of a file stays.
    private static func cut(_ name: String, to count: Int) -> String {
        guard name.utf8.count > count else { return name }
        let dot = name.lastIndex(of: ".")
        let end = dot.map { String(name[$0...]) }.flatMap { $0.utf8.count <= 8 ? $0 : nil } ?? ""
        var start = ""
        for scalar in name.unicodeScalars {
            guard start.utf8.count + UTF8.width(scalar) + end.utf8.count <= count else { break }
            start.unicodeScalars.append(scalar)
        }
        return start + end
    }
}
