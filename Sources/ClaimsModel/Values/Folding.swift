// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON

/// Folds text for search and order, so that `wyslana` finds "Wysłana", `STRASSE` "Straße" and `reunion` "Réunion".
///
/// NFKD, marks stripped, case folded, and what has no decomposition: ł→l, ø→o, đ→d, ß→ss, æ→ae, œ→oe, ı→i, þ→th,
/// ð→d. White space of any kind and length, U+0000 with it, is one space, with none at the ends. Folding a folded
/// text changes nothing. Bytes that are not UTF-8 become U+FFFD.
public enum Folding {
    /// Appends the folded form of `text`.
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

    /// The folded form of `text`.
    public static func fold(_ text: String) -> [UInt8] {
        var folded: [UInt8] = []
        fold(Array(text.utf8).rawSpan, into: &folded)
        return folded
    }

    /// Whether folding `text` would change nothing.
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
                // The capacity asked for is what is left to read, and no step writes more than it reads.
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
