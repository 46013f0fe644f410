// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The user whose rights this process has.
public enum ProcessUser {
    /// The number of the user whose rights the process has.
    public static var number: UInt32 { geteuid() }

    /// The number of the user's own group.
    public static var group: UInt32 { getegid() }

    /// Gives up root's rights for those of another user, for good.
    ///
    /// - Parameters:
    ///   - user: the number of the user.
    ///   - group: the number of the user's own group.
    ///   - name: the name of the user, whose further groups are taken, too; nil for a number without a name.
    /// - Throws: the failure of a call; the process must end then, because it may have parts of either user's rights.
    public static func become(user: UInt32, group: UInt32, name: String?) throws(SystemError) {
        let operation = "become the user \(name ?? "\(user)")"
        let groups: Int32
        if let name {
            groups = unsafe initgroups(name, group)
        } else {
            var only = group
            groups = unsafe setgroups(1, &only)
        }
        guard groups == 0, setgid(group) == 0, setuid(user) == 0 else { throw .last(operation) }
        // Root's rights must be out of reach now.
        guard user == 0 || (geteuid() == user && getuid() == user && setuid(0) != 0) else {
            throw SystemError(operation, errno: EPERM)
        }
    }
}
