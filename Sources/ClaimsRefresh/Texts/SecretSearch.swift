// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes

/// Finds secrets in a text, even if an upstream has encoded them: percent, JSON, HTML, quoted-printable, base64,
/// hexadecimal digits, numbers of bytes, UTF-16 and Latin-1, one in another up to ``maxDepth`` times. Pure.
///
/// The text is decoded and searched; encoding the secrets instead would miss every spelling that was not foreseen.
struct SecretSearch {
    /// The number of encodings in each other that are removed.
    static let maxDepth = 3
    /// The shortest beginning of a secret that is found at the end of a text, which may be cut off there, in bytes.
    static let minBeginning = 4
    /// Secrets that are shorter are not searched for in base64 and hexadecimal digits, in bytes.
    private static let minEncoded = 3

    /// The secrets, the longest first.
    private let secrets: [[UInt8]]

    init(_ secrets: Set<[UInt8]>) {
        self.secrets = secrets.union(secrets.compactMap(Self.latin1)).filter { !$0.isEmpty }.sorted {
            $0.count != $1.count ? $0.count > $1.count : $0.lexicographicallyPrecedes($1)
        }
    }

    /// A secret in Latin-1; nil if that cannot write it, or writes it alike.
    private static func latin1(_ secret: [UInt8]) -> [UInt8]? {
        guard let text = String(validating: secret, as: UTF8.self) else { return nil }
        let bytes = text.unicodeScalars.compactMap { UInt8(exactly: $0.value) }
        return bytes.count == text.unicodeScalars.count && bytes != secret ? bytes : nil
    }

    /// The ranges of a text that are secrets, in order. They do not overlap.
    func ranges(in bytes: [UInt8]) -> [Range<Int>] {
        guard !secrets.isEmpty, !bytes.isEmpty else { return [] }
        var found: [Range<Int>] = []
        let text = DecodedText(bytes: bytes, spans: bytes.indices.map { $0..<($0 + 1) }, isEnd: true)
        search(text, for: secrets, depth: Self.maxDepth, into: &found)
        var merged: [Range<Int>] = []
        for range in found.sorted(by: { ($0.lowerBound, $0.upperBound) < ($1.lowerBound, $1.upperBound) }) {
            if let last = merged.last, range.lowerBound < last.upperBound {
                merged[merged.count - 1] = last.lowerBound..<max(last.upperBound, range.upperBound)
            } else {
                merged.append(range)
            }
        }
        return merged
    }

    private func search(_ text: DecodedText, for secrets: [[UInt8]], depth: Int, into found: inout [Range<Int>]) {
        for offset in text.bytes.indices {
            guard let end = secrets.lazy.compactMap({ Self.end(of: $0, in: text, from: offset) }).first else {
                continue
            }
            found.append(text.spans[offset].lowerBound..<text.spans[end - 1].upperBound)
        }
        guard depth > 0 else { return }
        if let plain = text.unescaped() { search(plain, for: secrets, depth: depth - 1, into: &found) }
        if let narrow = text.withoutNULs() { search(narrow, for: secrets, depth: depth - 1, into: &found) }
        let long = secrets.filter { $0.count >= Self.minEncoded }
        guard !long.isEmpty else { return }
        for coded in text.decodedRuns() { search(coded, for: long, depth: depth - 1, into: &found) }
    }

    /// The end of a secret that begins at an offset; nil if there is none.
    private static func end(of secret: [UInt8], in text: DecodedText, from offset: Int) -> Int? {
        // A secret may itself look like an escape.
        [true, false].lazy.compactMap { end(of: secret, in: text, from: offset, prefersEscapes: $0) }.first
    }

    private static func end(
        of secret: [UInt8], in text: DecodedText, from start: Int, prefersEscapes: Bool
    ) -> Int? {
        var (index, offset) = (0, start)
        while index < secret.count {
            let isLate = text.isEnd && index >= minBeginning
            guard offset < text.bytes.count else { return isLate ? offset : nil }
            let isLiteral = text.bytes[offset] == secret[index]
            let escapes = [
                TextEscape(text.bytes, at: offset), TextEscape(quotedPrintable: text.bytes, at: offset),
            ]
            if !isLiteral || prefersEscapes,
                let escape = escapes.compactMap(\.self).first(where: { secret[index...].starts(with: $0.bytes) })
            {
                index += escape.bytes.count
                offset += escape.length
            } else if isLiteral || text.bytes[offset] == ASCII.plus && secret[index] == ASCII.space {
                index += 1
                offset += 1
            } else if index > 0, case let unseen = TextEscape.unseenLength(text.bytes, at: offset), unseen > 0 {
                offset += unseen
            } else if isLate, TextEscape.isCutOff(text.bytes, at: offset) {
                return text.bytes.count
            } else {
                return nil
            }
        }
        return offset
    }
}

/// A text from which an encoding is removed, and the original ranges of its bytes.
private struct DecodedText {
    var bytes: [UInt8] = []
    /// The range of each byte in the text as it came.
    var spans: [Range<Int>] = []
    /// Whether it goes to the end of the text, which may be cut off there.
    var isEnd = false

    /// The text without escapes; nil if there are none.
    func unescaped() -> DecodedText? {
        var plain = DecodedText(isEnd: isEnd)
        var offset = 0
        while offset < bytes.count {
            let escape = TextEscape(bytes, at: offset)
            let end = offset + (escape?.length ?? 1)
            let span = spans[offset].lowerBound..<spans[end - 1].upperBound
            for byte in escape?.bytes ?? [bytes[offset]] {
                plain.bytes.append(byte)
                plain.spans.append(span)
            }
            offset = end
        }
        return plain.bytes.count == bytes.count ? nil : plain
    }

    /// The text without its NULs, as UTF-16 has them in ASCII; nil if there are none.
    func withoutNULs() -> DecodedText? {
        let kept = bytes.indices.filter { bytes[$0] != 0 }
        guard kept.count < bytes.count else { return nil }
        // The NULs behind a byte belong to it.
        let ends = kept.dropFirst() + [bytes.count]
        let whole = zip(kept, ends).map { spans[$0].lowerBound..<spans[$1 - 1].upperBound }
        return DecodedText(bytes: kept.map { bytes[$0] }, spans: whole, isEnd: isEnd)
    }

    /// The bytes that runs of digits encode: in base64 with either alphabet and in hexadecimal, from any digit of a run
    /// on, and lists of numbers such as `73:33`, `0x73, 0x33`, `[115, 51]`.
    func decodedRuns() -> [DecodedText] {
        runs(of: Self.base64).flatMap { run in (0..<4).map { decoded(run.dropFirst($0), bits: 6, Self.base64) } }
            + runs(of: ASCII.hexValue).flatMap { run in
                (0..<2).map { decoded(run.dropFirst($0), bits: 4, ASCII.hexValue) }
            } + numbered(radix: 16) + numbered(radix: 10)
    }

    /// The most bytes between two numbers, as `", 0x"` without its prefix.
    private static let maxSeparator = 4
    /// The length of the longest number, `0x73`.
    private static let maxNumber = 4

    /// The bytes that numbers between separators name: two hexadecimal digits each, or up to three decimal ones.
    private func numbered(radix: Int) -> [DecodedText] {
        var found: [DecodedText] = []
        var text = DecodedText()
        var (offset, separator) = (0, 0)
        func flush() {
            text.isEnd = isEnd && bytes.count - offset < Self.maxNumber
            if text.bytes.count >= 3 { found.append(text) }
            // The last number may be cut off.
            if text.isEnd, offset == bytes.count, separator == 0, text.bytes.count > 3 {
                text.bytes.removeLast()
                found.append(text)
            }
            text = DecodedText()
        }
        while offset < bytes.count {
            let word = bytes[offset...].prefix(while: TextEscape.isAlphanumeric)
            if word.isEmpty {
                offset += 1
                separator += 1
                if separator > Self.maxSeparator { flush() }
                continue
            }
            func append(_ number: ArraySlice<UInt8>) {
                guard let byte = Self.byte(number, radix: radix) else { return }
                text.bytes.append(byte)
                text.spans.append(spans[number.startIndex].lowerBound..<spans[number.endIndex - 1].upperBound)
            }
            if Self.byte(word, radix: radix) != nil {
                append(word)
            } else {
                // The first and the last number may adjoin other text.
                append(Self.number(in: word, radix: radix, atEnd: false))
                flush()
                append(Self.number(in: word, radix: radix, atEnd: true))
            }
            offset += word.count
            separator = 0
        }
        flush()
        return found
    }

    /// The longest number at the beginning or the end of a word; empty if there is none.
    private static func number(in word: ArraySlice<UInt8>, radix: Int, atEnd: Bool) -> ArraySlice<UInt8> {
        for count in (1...maxNumber).reversed() {
            let part = atEnd ? word.suffix(count) : word.prefix(count)
            if part.count == count, byte(part, radix: radix) != nil { return part }
        }
        return word.prefix(0)
    }

    private static func byte(_ word: ArraySlice<UInt8>, radix: Int) -> UInt8? {
        let hasPrefix = radix == 16 && word.count == maxNumber && ["0x", "00"].contains { word.starts(with: $0.utf8) }
        let digits = hasPrefix ? word.dropFirst(2) : word
        guard radix == 16 ? digits.count == 2 : digits.count <= 3 else { return nil }
        return UInt8(String(decoding: digits, as: UTF8.self), radix: radix)
    }

    /// The offsets of digits that follow each other. Lines may break between them.
    private func runs(of digit: (UInt8) -> UInt32?) -> [[Int]] {
        var runs: [[Int]] = []
        var run: [Int] = []
        for offset in bytes.indices {
            if digit(bytes[offset]) != nil {
                run.append(offset)
            } else if bytes[offset] != ASCII.newline, bytes[offset] != ASCII.carriageReturn {
                if run.count >= 4 { runs.append(run) }
                run = []
            }
        }
        return run.count >= 4 ? runs + [run] : runs
    }

    private func decoded(_ run: ArraySlice<Int>, bits: Int, _ digit: (UInt8) -> UInt32?) -> DecodedText {
        var (value, held): (UInt32, Int) = (0, 0)
        var (text, first) = (DecodedText(), 0)
        for offset in run {
            // A byte begins in the digit that has its first bit.
            if held == 0 { first = offset }
            value = (value << UInt32(bits) | (digit(bytes[offset]) ?? 0)) & 0xFFFF
            held += bits
            guard held >= 8 else { continue }
            held -= 8
            text.bytes.append(UInt8(truncatingIfNeeded: value >> UInt32(held)))
            text.spans.append(spans[first].lowerBound..<spans[offset].upperBound)
            first = offset
        }
        guard let last = run.last, let span = text.spans.last else { return text }
        // The padding belongs to the last byte.
        let padding = bytes[(last + 1)...].prefix(2).prefix { $0 == UInt8(ascii: "=") }.count
        text.spans[text.spans.count - 1] = span.lowerBound..<max(span.upperBound, spans[last + padding].upperBound)
        text.isEnd = isEnd && last + padding == bytes.count - 1
        return text
    }

    private static func base64(_ byte: UInt8) -> UInt32? {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(byte) - 0x41
        case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(byte) - 0x61 + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(byte) - 0x30 + 52
        case ASCII.plus, ASCII.minus: 62
        case ASCII.slash, UInt8(ascii: "_"): 63
        default: nil
        }
    }
}
