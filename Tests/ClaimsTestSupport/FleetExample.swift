// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsPlatform

/// The files of `examples/fleet` in the package, as a site makes them its own.
public enum FleetExample {
    /// - Parameters:
    ///   - site: texts of the file, each with what takes its place. Each has to be there.
    ///   - prefixes: the beginnings of lines that are left out.
    public static func text(
        _ name: String, replacing site: KeyValuePairs<String, String> = [:], without prefixes: [String] = []
    ) throws -> String {
        var text = try Files.readText(Paths.join(Repository.data, "examples/fleet/\(name)"), cap: 1 << 16)
        for (before, after) in site {
            guard text.contains(before) else { throw TestFailure("\(name) has no '\(before)'") }
            text = text.replacing(before, with: after)
        }
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        return lines.filter { line in !prefixes.contains { line.trimmingPrefix(while: \.isWhitespace).hasPrefix($0) } }
            .joined(separator: "\n")
    }
}
