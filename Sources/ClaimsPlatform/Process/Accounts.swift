// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// The names and numbers of users and groups in /etc/passwd and /etc/group (passwd(5), group(5)).
///
/// No name service is asked, because it may block for long and does not exist in a static executable. Every call reads
/// the file again.
public enum Accounts {
    /// The largest file that is read, in bytes.
    private static let fileLimit = 1 << 24

    /// The number of the user with that name; nil if `etc/passwd` below `root` has none or cannot be read.
    public static func user(named name: String, root: String = "/") -> UInt32? {
        number(named: name, in: Paths.join(root, "etc/passwd"))
    }

    /// The number of the group with that name; nil if `etc/group` below `root` has none or cannot be read.
    public static func group(named name: String, root: String = "/") -> UInt32? {
        number(named: name, in: Paths.join(root, "etc/group"))
    }

    /// The name of the user with that number; nil if `etc/passwd` below `root` has none or cannot be read.
    public static func userName(_ uid: UInt32, root: String = "/") -> String? {
        name(of: uid, in: Paths.join(root, "etc/passwd"))
    }

    /// The name of the group with that number; nil if `etc/group` below `root` has none or cannot be read.
    public static func groupName(_ gid: UInt32, root: String = "/") -> String? {
        name(of: gid, in: Paths.join(root, "etc/group"))
    }

    private static func number(named name: String, in path: String) -> UInt32? {
        first(in: path) { fields in fields[0] == name ? UInt32(fields[2]) : nil }
    }

    private static func name(of number: UInt32, in path: String) -> String? {
        first(in: path) { fields in UInt32(fields[2]) == number ? String(fields[0]) : nil }
    }

    /// The first thing `match` makes of a line's fields: name, password, number, and more.
    private static func first<Result>(in path: String, _ match: ([Substring]) -> Result?) -> Result? {
        guard let text = try? Files.readText(path, cap: fileLimit) else { return nil }
        for line in text.split(separator: "\n") where !line.hasPrefix("#") {
            let fields = line.split(separator: ":", omittingEmptySubsequences: false)
            if fields.count >= 3, let result = match(fields) { return result }
        }
        return nil
    }
}
