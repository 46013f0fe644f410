// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The connection of this process with the journal (systemd.exec(5), `$JOURNAL_STREAM`).
public enum JournalStream {
    /// Whether standard error is connected with the journal.
    public static var isStandardError: Bool { isStandardError(variable: Environment["JOURNAL_STREAM"]) }

    /// Whether standard error is the stream that a variable names by device and inode; false without one.
    public static func isStandardError(variable: String?) -> Bool {
        var status = stat()
        guard let variable, unsafe fstat(2, &status) == 0 else { return false }
        return variable == "\(status.st_dev):\(status.st_ino)"
    }
}
