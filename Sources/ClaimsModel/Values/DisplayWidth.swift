// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import CUtf8proc

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
            // Asked for as a picture, joined, or given a skin: what follows is drawn into the first one's cells.
            if count > 1, drawsIntoPicture(scalar) { isPicture = true }
        }
        if count == 1 { return total }
        return isPicture ? 2 : total
    }

    /// The cells of a scalar that stands alone.
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
