// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// Looks for one byte string in others, in time linear in both (Knuth, Morris and Pratt).
struct SubstringSearch: Sendable {
    private let pattern: [UInt8]
    /// For each length of a match so far, the length of the longest one to go on with after a mismatch.
    private let fallback: [Int]

    init(_ pattern: [UInt8]) {
        var fallback = [Int](repeating: 0, count: pattern.count)
        var length = 0
        for index in pattern.indices.dropFirst() {
            while length > 0, pattern[index] != pattern[length] { length = fallback[length - 1] }
            if pattern[index] == pattern[length] { length += 1 }
            fallback[index] = length
        }
        self.pattern = pattern
        self.fallback = fallback
    }

    /// Whether the pattern is in `text`. The empty one is in every text.
    func isIn(_ text: RawSpan) -> Bool {
        guard pattern.count <= text.byteCount else { return false }
        guard !pattern.isEmpty else { return true }
        return unsafe text.withUnsafeBytes { bytes in
            var length = 0
            for index in 0..<bytes.count {
                let byte = unsafe bytes[index]
                while length > 0, byte != pattern[length] { length = fallback[length - 1] }
                if byte == pattern[length] { length += 1 }
                if length == pattern.count { return true }
            }
            return false
        }
    }
}
