// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

extension StringProtocol {
    /// Where `text` is found first; nil if it is not.
    func range(of text: String) -> Range<Index>? {
        var start = startIndex
        while start < endIndex {
            if self[start...].hasPrefix(text) { return start..<index(start, offsetBy: text.count) }
            start = index(after: start)
        }
        return nil
    }

    /// The text with `new` in the place of each `old`, which is not empty.
    func substituting(_ old: String, with new: String) -> String {
        var result = ""
        var rest = self[...]
        while let range = rest.range(of: old) {
            result += String(rest[..<range.lowerBound]) + new
            rest = rest[range.upperBound...]
        }
        return result + String(rest)
    }
}
