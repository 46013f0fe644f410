// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import CLinux
import Glibc

/// The variables that this process was started with. The process changes them only as it begins, so any thread
/// may read them.
public enum Environment {
    /// The value of a variable; nil if it is not set.
    public static subscript(name: String) -> String? {
        guard let value = unsafe getenv(name) else { return nil }
        return unsafe String(cString: value)
    }

    /// The value of a variable; nil if it is not set or empty.
    public static func nonempty(_ name: String) -> String? {
        guard let value = self[name], !value.isEmpty else { return nil }
        return value
    }

    /// Removes the variables whose names begin with a prefix. It is for the start of a program: no other thread may run yet, as
    /// any of them may be reading a variable.
    public static func remove(beginningWith prefix: String) {
        for variable in all where variable.hasPrefix(prefix) { unsafe unsetenv(String(variable.prefix { $0 != "=" })) }
    }

    /// The folder of the user's session, `XDG_RUNTIME_DIR`; nil if it is not an absolute path, or if another user could
    /// put files there: the folder must be this user's and have 0700 (XDG base directory specification).
    ///
    /// - Parameters:
    ///   - variable: returns the value of a variable, or nil.
    ///   - isPrivate: returns whether a folder is this user's alone.
    public static func runtimeDirectory(
        _ variable: (String) -> String?, isPrivate: (String) -> Bool
    ) -> String? {
        guard let folder = variable("XDG_RUNTIME_DIR"), folder.utf8.first == UInt8(ascii: "/"), isPrivate(folder) else {
            return nil
        }
        return folder
    }

    /// All variables, each as `NAME=value`.
    public static var all: [String] {
        var result: [String] = []
        guard var entry = unsafe linux_environment() else { return [] }
        while let text = unsafe entry.pointee {
            unsafe result.append(String(cString: text))
            unsafe entry += 1
        }
        return result
    }
}
