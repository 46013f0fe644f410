// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsPlatform
import Glibc

/// The users and groups that the machine's name service knows, from files and other sources (nsswitch.conf(5)).
///
/// A call may block for as long as a directory server takes, so it is for start and reload and not for a serving loop.
/// A static executable has no name service, so this type is in the module that only the daemon links.
public enum NameService {
    /// The id of a user, given by name or in decimal; nil if the name is not known.
    public static func user(_ name: String) -> UInt32? {
        if let number = UInt32(name) { return number }
        return Accounts.user(named: name) ?? account(named: name)?.user
    }

    /// A user of the machine.
    public struct Account: Equatable, Sendable {
        /// The name of the user; nil for a number without a name.
        public let name: String?
        public let user: UInt32
        /// The user's own group.
        public let group: UInt32

        public init(name: String?, user: UInt32, group: UInt32) {
            self.name = name
            self.user = user
            self.group = group
        }
    }

    /// The user called `name`; nil if the name is not known.
    public static func account(named name: String) -> Account? {
        var entry = unsafe passwd()
        let isFound = unsafe lookUp { buffer, size, isFound in
            var result: UnsafeMutablePointer<passwd>?
            let error = unsafe getpwnam_r(name, &entry, buffer, size, &result)
            isFound = unsafe result != nil
            return error
        }
        return unsafe isFound ? Account(name: name, user: entry.pw_uid, group: entry.pw_gid) : nil
    }

    /// The user with a number; nil if the number is not known.
    public static func account(numbered number: UInt32) -> Account? {
        var entry = unsafe passwd()
        var name: String?
        let isFound = unsafe lookUp { buffer, size, isFound in
            var result: UnsafeMutablePointer<passwd>?
            let error = unsafe getpwuid_r(number, &entry, buffer, size, &result)
            isFound = unsafe result != nil
            if unsafe result != nil, let text = unsafe entry.pw_name { name = unsafe String(cString: text) }
            return error
        }
        return unsafe isFound ? Account(name: name, user: number, group: entry.pw_gid) : nil
    }

    /// The id of a group, given by name or in decimal; nil if the name is not known.
    public static func group(_ name: String) -> UInt32? {
        if let number = UInt32(name) { return number }
        if let number = Accounts.group(named: name) { return number }
        var entry = unsafe Glibc.group()
        let isFound = unsafe lookUp { buffer, size, isFound in
            var result: UnsafeMutablePointer<Glibc.group>?
            let error = unsafe getgrnam_r(name, &entry, buffer, size, &result)
            isFound = unsafe result != nil
            return error
        }
        return unsafe isFound ? entry.gr_gid : nil
    }

    /// The groups of a user; only its own one if they are more than ``maxGroups``.
    ///
    /// - Parameter group: the user's own group, which is among them.
    public static func groups(of name: String, group: UInt32) -> [UInt32] {
        var count = Int32(64)
        for _ in 0..<2 where count <= maxGroups {
            var groups = [gid_t](repeating: 0, count: Int(count))
            if unsafe getgrouplist(name, group, &groups, &count) >= 0 { return Array(groups.prefix(Int(count))) }
        }
        return [group]
    }

    /// The number of groups that a process can have on Linux (NGROUPS_MAX).
    private static let maxGroups: Int32 = 65_536

    /// The largest entry that is read, in bytes; a group may have many members.
    private static let entryLimit = 1 << 20

    /// Calls with growing room until the entry fits.
    private static func lookUp(_ call: (UnsafeMutablePointer<CChar>, Int, inout Bool) -> Int32) -> Bool {
        var size = 4096
        while size <= entryLimit {
            let buffer = UnsafeMutablePointer<CChar>.allocate(capacity: size)
            defer { unsafe buffer.deallocate() }
            var isFound = false
            let error = unsafe call(buffer, size, &isFound)
            if error != ERANGE { return error == 0 && isFound }
            size *= 4
        }
        return false
    }
}
