// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// The lines around a part of a page that is made from the program's own tables.
enum GeneratedMark {
    static let end = "<!-- end -->"
    private static let start = "<!-- generated: "
    private static let close = " -->"

    static func opening(_ name: String) -> String { start + name + close }

    /// The name in an opening line; nil for any other.
    static func name(opening line: some StringProtocol) -> String? {
        guard line.hasPrefix(start), line.hasSuffix(close) else { return nil }
        return String(line.dropFirst(start.count).dropLast(close.count))
    }
}
