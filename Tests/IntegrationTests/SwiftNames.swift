// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// Collects the identifiers of a Swift file: those outside comments and string literals, and those in interpolations.
struct SwiftNames {
    private let bytes: [UInt8]
    private var index = 0
    private var names: Set<String> = []

    static func of(_ text: String) -> Set<String> {
        var scanner = SwiftNames(bytes: Array(text.utf8))
        scanner.readCode(isInterpolation: false)
        return scanner.names
    }

    /// The parts of a name in lower case: "maxURLCount_2" has "max", "url", "count" and "2".
    static func pieces(of name: String) -> [String] {
        let bytes = Array(name.utf8)
        var pieces: [String] = []
        var start = 0
        for end in 1...bytes.count where end == bytes.count || begins(bytes, at: end) {
            let piece = String(decoding: bytes[start..<end], as: UTF8.self).lowercased()
            if piece.first != "_" { pieces.append(piece) }
            start = end
        }
        return pieces
    }

    private enum Kind { case upper, lower, digit, other }

    private static func kind(_ byte: UInt8) -> Kind {
        switch byte {
        case 0x41...0x5a: .upper
        case 0x61...0x7a, 0x80...: .lower
        case 0x30...0x39: .digit
        default: .other
        }
    }

    /// Whether a piece begins at an index above 0: at "U" and "C" of "maxURLCount".
    private static func begins(_ bytes: [UInt8], at index: Int) -> Bool {
        let (last, this) = (kind(bytes[index - 1]), kind(bytes[index]))
        if last == .upper && this == .upper { return index + 1 < bytes.count && kind(bytes[index + 1]) == .lower }
        return last != this && !(last == .upper && this == .lower)
    }

    private init(bytes: [UInt8]) { self.bytes = bytes }

    private func byte(_ offset: Int = 0) -> UInt8 { index + offset < bytes.count ? bytes[index + offset] : 0 }

    private func starts(_ text: String) -> Bool { bytes[index...].starts(with: text.utf8) }

    /// Reads to the end, or to the parenthesis that closes an interpolation.
    private mutating func readCode(isInterpolation: Bool) {
        var depth = 0
        while index < bytes.count {
            if starts("//") {
                while index < bytes.count, byte() != UInt8(ascii: "\n") { index += 1 }
            } else if starts("/*") {
                skipComment()
            } else if byte() == UInt8(ascii: "\"") || byte() == UInt8(ascii: "#") {
                readString()
            } else if Self.isName(byte()) {
                readName()
            } else {
                if byte() == UInt8(ascii: "(") { depth += 1 }
                if byte() == UInt8(ascii: ")") { depth -= 1 }
                index += 1
                if isInterpolation, depth < 0 { return }
            }
        }
    }

    private mutating func skipComment() {
        var depth = 0
        repeat {
            if starts("/*") {
                depth += 1
                index += 2
            } else if starts("*/") {
                depth -= 1
                index += 2
            } else {
                index += 1
            }
        } while depth > 0 && index < bytes.count
    }

    private mutating func readName() {
        let start = index
        while Self.isName(byte()) || Self.kind(byte()) == .digit { index += 1 }
        names.insert(String(decoding: bytes[start..<index], as: UTF8.self))
    }

    private mutating func readString() {
        let start = index
        while byte() == UInt8(ascii: "#") { index += 1 }
        let hashes = String(repeating: "#", count: index - start)
        // A directive or a macro begins with a number sign, too.
        guard byte() == UInt8(ascii: "\"") else { return }
        let quotes = starts("\"\"\"") ? "\"\"\"" : "\""
        index += quotes.utf8.count
        while index < bytes.count, !starts(quotes + hashes) {
            if starts("\\" + hashes + "(") {
                index += hashes.utf8.count + 2
                readCode(isInterpolation: true)
            } else {
                index += starts("\\" + hashes) ? hashes.utf8.count + 2 : 1
            }
        }
        index += quotes.utf8.count + hashes.utf8.count
    }

    private static func isName(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "_") || kind(byte) == .upper || kind(byte) == .lower
    }
}
