// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import CUtf8proc
import Glibc

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
