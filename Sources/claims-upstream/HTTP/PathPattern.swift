// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// The paths that something is for: one path, all below a path (`/a/*`), or any (`*`).
enum PathPattern {
    static func matches(_ pattern: String, _ path: String) -> Bool {
        pattern == "*" || pattern == path || pattern.hasSuffix("/*") && path.hasPrefix(pattern.dropLast())
    }

    /// All patterns that match `path`, the narrowest first.
    static func all(for path: String) -> [String] {
        var patterns = [path]
        var rest = path[...]
        while let slash = rest.lastIndex(of: "/") {
            rest = rest[..<slash]
            patterns.append(rest + "/*")
        }
        return patterns + ["*"]
    }
}
