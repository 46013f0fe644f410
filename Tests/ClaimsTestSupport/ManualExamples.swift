// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsPlatform

/// The command lines of claimsctl that the reference shows, as they are printed.
public enum ManualExamples {
    /// The lines of the pages' code in their order, each once. The usage lines below the headings of verbs are none.
    public static func lines() throws -> [String] {
        var lines: [String] = []
        for page in try pages() {
            for line in Self.lines(of: page.text) where !lines.contains(line) { lines.append(line) }
        }
        return lines
    }

    /// The configuration files of the manual and the README: code whose first line is a comment with a path below
    /// `/etc/claimsd`.
    ///
    /// - Returns: the page of each file, its name below that folder, and its text.
    public static func files() throws -> [(page: String, name: String, text: String)] {
        let readme = try Files.readText(Paths.join(Repository.root, "README.md"), cap: 1 << 22)
        var files: [(page: String, name: String, text: String)] = []
        for page in try pages() + [("README.md", readme)] {
            for (index, part) in page.text.split(separator: "```", omittingEmptySubsequences: false).enumerated() {
                let start = "json5\n// /etc/claimsd/"
                guard index % 2 == 1, part.hasPrefix(start) else { continue }
                let text = part.dropFirst(start.count)
                files.append((page.name, String(text.prefix { !", \n".contains($0) }), "// " + text))
            }
        }
        return files
    }

    private static func pages() throws -> [(name: String, text: String)] {
        let folder = Paths.join(Repository.root, "Sources/claimsd/Documentation.docc")
        return try Directory.list(folder).sorted().filter { $0.hasSuffix(".md") }.map { name in
            (name, try Files.readText(Paths.join(folder, name), cap: 1 << 22))
        }
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
                lines.append(line.hasPrefix("$ ") ? String(line.dropFirst(2)) : line)
            }
        }
        return lines
    }
}
