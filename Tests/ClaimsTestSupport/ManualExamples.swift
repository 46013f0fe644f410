// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsPlatform

/// The command lines of claimsctl that the reference shows, as they are printed.
public enum ManualExamples {
    /// The lines of the pages' code in their order, each once. The usage lines below the headings of verbs are none.
    public static func lines() throws -> [String] {
        let folder = Paths.join(Repository.root, "Sources/claimsd/Documentation.docc")
        var lines: [String] = []
        for name in try Directory.list(folder).sorted() where name.hasSuffix(".md") {
            let text = try Files.readText(Paths.join(folder, name), cap: 1 << 22)
            for line in Self.lines(of: text) where !lines.contains(line) { lines.append(line) }
        }
        return lines
    }

    private static func lines(of text: String) -> [String] {
        var lines: [String] = []
        var isCode = false
        var isUsage = false
        for line in text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) {
            if line.hasPrefix("```") {
                if isCode { isUsage = false }
                isCode.toggle()
            } else if !isCode {
                isUsage = line.hasPrefix("### `") || isUsage && line.isEmpty
            } else if !isUsage, line.hasPrefix("claimsctl ") || line.contains("| claimsctl ") {
                lines.append(line)
            }
        }
        return lines
    }
}
