// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import CLinux

/// What the kernel lets this process use.
public enum ResourceLimits {
    /// Raises the soft limit of open files to the hard one, and returns it.
    @discardableResult
    public static func raiseOpenFiles() throws(SystemError) -> Int {
        var soft: UInt64 = 0
        guard unsafe linux_raise_file_limit(&soft) == 0 else { throw .last("raise the limit of open files") }
        return Int(clamping: soft)
    }
}
