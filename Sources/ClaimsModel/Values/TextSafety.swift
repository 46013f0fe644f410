// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import CUtf8proc

/// The characters that a terminal must not receive in text from elsewhere, and the length of a cluster.
public enum TextSafety {
    /// The maximum number of scalars of a grapheme cluster on a terminal.
    public static let maxClusterScalars = 8

    /// Whether a terminal must not receive this scalar: a control character, a character that ends lines or changes
    /// direction, or an invisible one.
    ///
    /// The tags from U+E0020 on are harmless within a flag; see ``isUnsafe(_:in:)``.
    public static func isUnsafe(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0..<0x20, 0x7F...0x9F, 0xAD: true
        case 0x61C, 0x180E, 0x200B, 0x200E, 0x200F, 0x2028...0x202E, 0x2060...0x206F, 0xFEFF, 0xFFF0...0xFFFB: true
        // The others of Unicode's Default_Ignorable_Code_Point that are neither joiners nor variation selectors.
        case 0x34F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x3164, 0xFFA0, 0x1BCA0...0x1BCA3, 0x1D173...0x1D17A: true
        case 0xE0000...0xE00FF, 0xE01F0...0xE0FFF: true
        default: false
        }
    }

    /// Whether a terminal must not receive this scalar of a cluster.
    public static func isUnsafe(_ scalar: Unicode.Scalar, in character: Character) -> Bool {
        isUnsafe(scalar) && !(scalar.value >= 0xE0020 && isFlag(character))
    }

    /// Whether text may have unsafe scalars or long clusters, by its bytes. That of European languages has none.
    public static func needsCare(_ text: some Sequence<UInt8>) -> Bool {
        // C2 begins the C1 controls, all else that is looked for begins with CC (marks) or more.
        text.contains { $0 < 0x20 || $0 == 0x7F || $0 == 0xC2 || $0 >= 0xCC }
    }

    /// Whether a cluster is a flag that is spelled with tags, such as the flag of Wales.
    public static func isFlag(_ character: Character) -> Bool {
        let scalars = character.unicodeScalars
        return scalars.first?.value == 0x1F3F4 && scalars.last?.value == 0xE007F
            && (3...maxClusterScalars).contains(scalars.count)
            && scalars.dropFirst().allSatisfy { (0xE0020...0xE007F).contains($0.value) }
    }

    /// The first scalars of a cluster that is longer than ``maxClusterScalars``; nil if it is not.
    ///
    /// A joiner at the cut is removed too, because it would join the next characters.
    public static func cut(_ character: Character) -> Character? {
        let scalars = character.unicodeScalars
        guard character.utf8.count > maxClusterScalars,
            let end = scalars.index(scalars.startIndex, offsetBy: maxClusterScalars, limitedBy: scalars.endIndex),
            end < scalars.endIndex
        else { return nil }
        var kept = scalars[..<end]
        while kept.count > 1, kept.last?.value == 0x200D { kept.removeLast() }
        return Character(String(kept))
    }
}

/// The width of text on a terminal, in cells.
///
/// East Asian wide characters and emoji take two cells, combining marks none, and a sequence of emoji joined into one
/// picture two. Characters of ambiguous width take one (Unicode Standard Annex #11). Control characters count as no
/// cell; they must be escaped before the text is measured.
public enum DisplayWidth {
    /// The number of cells that a whole text takes.
    public static func cells(of text: String) -> Int {
        var isASCII = true
        for byte in text.utf8 where byte < 0x20 || byte > 0x7E {
            isASCII = false
            break
        }
        if isASCII { return text.utf8.count }
        var total = 0
        for character in text { total += cells(of: character) }
        return total
    }

    /// The number of cells that one grapheme cluster takes.
    public static func cells(of character: Character) -> Int {
        let scalars = character.unicodeScalars
        guard let first = scalars.first else { return 0 }
        if first.value >= 0x20 && first.value < 0x7F && character.utf8.count == 1 { return 1 }
        var total = 0
        var count = 0
        var isPicture = false
        for scalar in scalars {
            count += 1
            if count > 1, joinsSyllable(scalar) { continue }
            total += cells(of: scalar)
            // The first scalar is shown as a picture, joined, or has a skin tone: the next scalars are drawn into its
            // cells.
            if count > 1, drawsIntoPicture(scalar) { isPicture = true }
        }
        if count == 1 { return total }
        return isPicture ? 2 : total
    }

    /// The cells of a scalar on its own.
    private static func cells(of scalar: Unicode.Scalar) -> Int {
        Int(utf8proc_charwidth(utf8proc_int32_t(scalar.value)))
    }

    /// The vowels and final consonants of Hangul are drawn into the syllable's block.
    private static func joinsSyllable(_ scalar: Unicode.Scalar) -> Bool {
        (0x1160...0x11FF).contains(scalar.value) || (0xD7B0...0xD7FF).contains(scalar.value)
    }

    private static func drawsIntoPicture(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0xFE0F, 0x1F3FB...0x1F3FF, 0x1F1E6...0x1F1FF: true
        case 0xE0020...0xE007F: true
        case 0x1F300...0x1FAFF: true
        default: false
        }
    }
}
