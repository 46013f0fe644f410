// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import CUtf8proc
import ClaimsBytes
import ClaimsJSON
import Glibc

/// The folding of text for search and order, by which `wyslana` finds "Wysłana", `STRASSE` "Straße" and `reunion`
/// "Réunion".
///
/// Folding decomposes by NFKD, strips marks, folds case, and replaces letters without a decomposition: ł→l, ø→o, đ→d,
/// ß→ss, æ→ae, œ→oe, ı→i, þ→th, ð→d. A run of white space becomes one space, and white space at the ends is dropped;
/// U+0000 counts as white space. Folding a folded text changes nothing. Bytes that are not UTF-8 become U+FFFD.
public enum Folding {
    /// Appends the folded form of `text`, which should be UTF-8, to `out`.
    public static func fold(_ text: RawSpan, into out: inout [UInt8]) {
        let start = out.count
        // Folded at the start, so that the space before the first word counts as one too many.
        var afterSpace = true
        var offset = 0
        while true {
            offset = foldPlain(text, from: offset, afterSpace: &afterSpace, into: &out)
            guard offset < text.byteCount else { break }
            let (scalar, length) = Scalar.decode(text, at: offset)
            foldOne(scalar, afterSpace: &afterSpace, into: &out)
            offset += length
        }
        if afterSpace, out.count > start { out.removeLast() }
    }

    /// The folded form of `text`, in UTF-8.
    public static func fold(_ text: String) -> [UInt8] {
        var folded: [UInt8] = []
        fold(Array(text.utf8).rawSpan, into: &folded)
        return folded
    }

    /// Whether `text` equals its folded form.
    public static func isFolded(_ text: RawSpan) -> Bool {
        var folded: [UInt8] = []
        fold(text, into: &folded)
        return folded.rawSpan.equals(text)
    }

    /// Appends what ASCII and the common letters with marks fold to, and stops at the first other character or at
    /// the end, whose offset it returns. Writes at most as many bytes as it reads.
    private static func foldPlain(
        _ text: RawSpan, from start: Int, afterSpace: inout Bool, into out: inout [UInt8]
    ) -> Int {
        var offset = start
        var isAfterSpace = afterSpace
        out.append(addingCapacity: text.byteCount - start) { span in
            unsafe span.withUnsafeMutableBufferPointer { buffer, count in
                // The requested capacity is the rest to read, and no step writes more than it reads.
                guard let target = buffer.baseAddress else { return }
                while offset < text.byteCount {
                    while text.hasWord(at: offset) {
                        let word = text.word(at: offset)
                        guard let folded = ASCIIWord.fold(word, afterSpace: isAfterSpace) else { break }
                        unsafe UnsafeMutableRawPointer(target + count).storeBytes(
                            of: folded.littleEndian, as: UInt64.self)
                        isAfterSpace = ASCIIWord.endsInSpace(folded)
                        offset &+= 8
                        count &+= 8
                    }
                    // A word that could not be taken whole, or the rest of the text.
                    let stop = min(offset &+ 8, text.byteCount)
                    while offset < stop {
                        let byte = text.byte(at: offset)
                        if byte < 0x80 {
                            let isSpace = byte <= 0x20 && (byte == 0 || WhiteSpace.contains(UInt32(byte)))
                            if !isSpace || !isAfterSpace {
                                unsafe target[count] = isSpace ? 0x20 : byte &- 0x41 < 26 ? byte | 0x20 : byte
                                count &+= 1
                            }
                            isAfterSpace = isSpace
                            offset &+= 1
                        } else {
                            let entry = CommonLetters.entry(byte, text.byte(at: offset &+ 1))
                            guard entry.isKnown else { return }
                            for index in 0..<entry.count { unsafe target[count &+ index] = entry.byte(index) }
                            count &+= entry.count
                            if entry.count > 0 { isAfterSpace = false }
                            offset &+= 2
                        }
                    }
                }
            }
        }
        afterSpace = isAfterSpace
        return offset
    }

    private static func foldOne(_ scalar: UInt32, afterSpace: inout Bool, into out: inout [UInt8]) {
        var isAfterSpace = afterSpace
        FoldedScalar.forEach(of: scalar) { part in
            if part == 0x20, isAfterSpace { return }
            Scalar.append(part, to: &out)
            isAfterSpace = part == 0x20
        }
        afterSpace = isAfterSpace
    }
}

/// The folded form of one scalar, by the rules one after the other. It is slow; `Folding` avoids it.
enum FoldedScalar {
    /// Calls `body` with each scalar that `scalar` folds to; white space among them is U+0020.
    static func forEach(of scalar: UInt32, _ body: (UInt32) -> Void) {
        if standsForItself(scalar) { return body(scalar) }
        forEachDecomposed(scalar, by: decomposition) { part in
            guard !isMark(part) else { return }
            forEachDecomposed(part, by: caseFolding) { folded in
                guard !isMark(folded) else { return }
                if let letters = plain[folded] {
                    for letter in letters { body(letter) }
                } else {
                    body(folded == 0 || WhiteSpace.contains(folded) ? 0x20 : folded)
                }
            }
        }
    }

    /// Quick answers for what whole texts are written in: ideographs, dashes and quotation marks.
    static func standsForItself(_ scalar: UInt32) -> Bool {
        switch scalar {
        case 0x2012...0x2016, 0x2018...0x2023, 0x3001...0x3020, 0x3400...0x4DBF, 0x4E00...0x9FFF: true
        default: false
        }
    }

    /// Letters without a decomposition that are still another letter with a mark, or two letters in one. Capitals
    /// never come here.
    private static let plain: [UInt32: [UInt32]] = Dictionary(
        uniqueKeysWithValues: [
            ("ł", "l"), ("ø", "o"), ("đ", "d"), ("ß", "ss"), ("æ", "ae"), ("œ", "oe"), ("ı", "i"), ("þ", "th"),
            ("ð", "d"),
        ].map { (letter: Unicode.Scalar, plain: String) in (letter.value, plain.unicodeScalars.map(\.value)) })

    private static let decomposition = UTF8PROC_DECOMPOSE.rawValue | UTF8PROC_COMPAT.rawValue
    private static let caseFolding = decomposition | UTF8PROC_CASEFOLD.rawValue

    /// The longest decomposition of Unicode has 18 scalars.
    private static let maxDecomposition = 18

    private static func forEachDecomposed(_ scalar: UInt32, by options: UInt32, _ body: (UInt32) -> Void) {
        unsafe withUnsafeTemporaryAllocation(of: Int32.self, capacity: maxDecomposition) { buffer in
            let count = unsafe utf8proc_decompose_char(
                Int32(bitPattern: scalar), buffer.baseAddress, buffer.count, utf8proc_option_t(options), nil)
            guard count >= 0, count <= buffer.count else { return body(scalar) }
            for index in 0..<count { body(UInt32(bitPattern: unsafe buffer[index])) }
        }
    }

    private static func isMark(_ scalar: UInt32) -> Bool {
        switch utf8proc_category(Int32(bitPattern: scalar)) {
        case UTF8PROC_CATEGORY_MN, UTF8PROC_CATEGORY_MC, UTF8PROC_CATEGORY_ME: true
        default: false
        }
    }
}

/// The folded forms of the characters that take two bytes in UTF-8 (U+0080 to U+07FF), if they take no more than two
/// bytes.
enum CommonLetters {
    struct Entry {
        /// Bits 0–15 the bytes, 16–17 their count, 18 known.
        fileprivate let packed: UInt32

        @inline(__always) var isKnown: Bool { packed & 1 << 18 != 0 }
        @inline(__always) var count: Int { Int(packed >> 16 & 3) }
        @inline(__always) func byte(_ index: Int) -> UInt8 {
            UInt8(truncatingIfNeeded: packed >> UInt32(truncatingIfNeeded: index &* 8))
        }
    }

    /// The entry of the character with bytes `first` and `second`; unknown if they are no character of two bytes, or if
    /// it folds to white space or to more than two bytes.
    @inline(__always)
    static func entry(_ first: UInt8, _ second: UInt8) -> Entry {
        guard first >= 0xC2, first < 0xE0, second & 0xC0 == 0x80 else { return Entry(packed: 0) }
        return Entry(packed: table[Int(first &- 0xC2) << 6 | Int(second & 0x3F)])
    }

    private static let table: [UInt32] = (UInt32(0x80)...0x7FF).map { scalar in
        var bytes: [UInt8] = []
        FoldedScalar.forEach(of: scalar) { Scalar.append($0, to: &bytes) }
        guard bytes.count <= 2, !bytes.contains(0x20) else { return 0 }
        let packed = bytes.enumerated().reduce(UInt32(0)) { $0 | UInt32($1.element) << UInt32($1.offset * 8) }
        return packed | UInt32(bytes.count) << 16 | 1 << 18
    }
}

/// Eight characters of ASCII at a time.
enum ASCIIWord {
    private static let ones: UInt64 = 0x0101_0101_0101_0101
    private static let highBits: UInt64 = 0x8080_8080_8080_8080

    /// The word with its capitals made small; nil if a byte is not ASCII, is a control character, or is a space after
    /// another one.
    @inline(__always)
    static func fold(_ word: UInt64, afterSpace: Bool) -> UInt64? {
        guard word & highBits == 0 else { return nil }
        // All bytes are below 0x80, so a sum of two never carries into the next byte.
        let isPrintable = word &+ ones &* 0x60
        let spaces = spaces(in: word)
        let isDoubled = spaces & (spaces << 8 | (afterSpace ? 0x80 : 0))
        guard ~isPrintable & highBits | isDoubled == 0 else { return nil }
        let capitals = (word &+ ones &* 0x3F) & ~(word &+ ones &* 0x25) & highBits
        return word | capitals >> 2
    }

    @inline(__always)
    static func endsInSpace(_ word: UInt64) -> Bool { word >> 56 == 0x20 }

    /// 0x80 in the place of each space.
    @inline(__always)
    private static func spaces(in word: UInt64) -> UInt64 {
        ~((word ^ ones &* 0x20) &+ ones &* 0x7F) & highBits
    }
}

/// Unicode's forms of text, by libutf8proc.
enum UnicodeForm {
    /// `text` in the composed form with its case folded. Bytes that are not UTF-8 stay as they are.
    static func caseFolded(_ text: [UInt8]) -> [UInt8] {
        let options = utf8proc_option_t(
            UTF8PROC_STABLE.rawValue | UTF8PROC_COMPOSE.rawValue | UTF8PROC_CASEFOLD.rawValue)
        var folded: UnsafeMutablePointer<UInt8>?
        let count = unsafe utf8proc_map(text, text.count, &folded, options)
        guard count >= 0, let start = unsafe folded else { return text }
        defer { unsafe free(start) }
        return unsafe Array(UnsafeBufferPointer(start: start, count: count))
    }
}

/// White space of any kind: the characters with Unicode's property White_Space.
enum WhiteSpace {
    static func contains(_ scalar: UInt32) -> Bool {
        switch scalar {
        case 0x09...0x0D, 0x20, 0x85, 0xA0, 0x1680, 0x2000...0x200A, 0x2028, 0x2029, 0x202F, 0x205F, 0x3000: true
        default: false
        }
    }

    /// Whether `text` is empty or nothing but white space.
    static func fills(_ text: RawSpan) -> Bool {
        var offset = 0
        while offset < text.byteCount {
            let byte = text.byte(at: offset)
            if byte < 0x80 {
                guard byte <= 0x20, contains(UInt32(byte)) else { return false }
                offset &+= 1
            } else {
                let (scalar, length) = Scalar.decode(text, at: offset)
                guard contains(scalar) else { return false }
                offset &+= length
            }
        }
        return true
    }

    /// `text` without the ASCII white space at its ends.
    @_lifetime(copy text)
    static func trimmed(_ text: RawSpan) -> RawSpan {
        var start = 0
        var end = text.byteCount
        while start < end, text.byte(at: start) <= 0x20, contains(UInt32(text.byte(at: start))) { start += 1 }
        while start < end, text.byte(at: end - 1) <= 0x20, contains(UInt32(text.byte(at: end - 1))) { end -= 1 }
        return text.extracting(start..<end)
    }
}
