// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// File names as text; nothing here looks at the disk.
public enum Paths {
    /// `a` + `/` + `b`, with one slash; `b` alone where it is absolute.
    public static func join(_ a: String, _ b: String) -> String {
        if b.utf8.first == UInt8(ascii: "/") || a.isEmpty { return b }
        return a.utf8.last == UInt8(ascii: "/") ? a + b : a + "/" + b
    }

    /// The folder that holds `path`.
    public static func parent(_ path: String) -> String {
        guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    /// The last part of `path`.
    public static func name(_ path: String) -> String {
        guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return path }
        return String(path[path.utf8.index(after: slash)...])
    }
}
