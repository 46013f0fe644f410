// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import CUtf8proc

/// What one scalar is folded to, by the rules one after the other. The slow way, which `Folding` avoids.
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

    /// What has no decomposition and is yet another letter with something added, or two letters in one. Capitals
    /// never come here.
    private static let plain: [UInt32: [UInt32]] = Dictionary(
        uniqueKeysWithValues: [
            ("ł", "l"), ("ø", "o"), ("đ", "d"), ("ß", "ss"), ("æ", "ae"), ("œ", "oe"), ("ı", "i"), ("þ", "th"),
            ("ð", "d"),
        ].map { (letter: Unicode.Scalar, plain: String) in (letter.value, plain.unicodeScalars.map(\.value)) })

    private static let decomposition = UTF8PROC_DECOMPOSE.rawValue | UTF8PROC_COMPAT.rawValue
    private static let caseFolding = decomposition | UTF8PROC_CASEFOLD.rawValue

    /// The longest decomposition of Unicode has 18 scalars.
    private static let longestDecomposition = 18

    private static func forEachDecomposed(_ scalar: UInt32, by options: UInt32, _ body: (UInt32) -> Void) {
        unsafe withUnsafeTemporaryAllocation(of: Int32.self, capacity: longestDecomposition) { buffer in
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
