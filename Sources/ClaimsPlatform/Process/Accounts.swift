// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The groups of this process.
public enum ProcessGroups {
    /// The supplementary group ids (getgroups(2)); empty if they cannot be read.
    public static func all() -> [UInt32] {
        let count = getgroups(0, nil)
        guard count > 0 else { return [] }
        var groups = [gid_t](repeating: 0, count: Int(count))
        let found = unsafe getgroups(count, &groups)
        return found >= 0 ? Array(groups.prefix(Int(found))) : []
    }
}

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

    /// The names of the users that the group's line names; empty if `etc/group` below `root` has no such group or
    /// cannot be read. Users whose first group it is need not be among them.
    public static func members(ofGroup gid: UInt32, root: String = "/") -> [String] {
        first(in: Paths.join(root, "etc/group")) { fields in
            guard fields.count >= 4, UInt32(fields[2]) == gid else { return nil }
            return fields[3].split(separator: ",").map(String.init)
        } ?? []
    }

    /// The number of the group that the user has at each login; nil if `etc/passwd` below `root` has no such user.
    public static func firstGroup(of uid: UInt32, root: String = "/") -> UInt32? {
        first(in: Paths.join(root, "etc/passwd")) { fields in
            fields.count >= 4 && UInt32(fields[2]) == uid ? UInt32(fields[3]) : nil
        }
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
