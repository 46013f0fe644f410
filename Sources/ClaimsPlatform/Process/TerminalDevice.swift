// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import CLinux
import Glibc

/// The terminal that a descriptor refers to, if it does.
public enum TerminalDevice {
    /// Whether the descriptor refers to a terminal (isatty(3)).
    public static func isTerminal(_ fd: Int32) -> Bool { isatty(fd) == 1 }

    /// The size of the terminal in characters; nil if `fd` is no terminal or its size is unknown.
    public static func size(_ fd: Int32) -> (columns: Int, rows: Int)? {
        var columns: Int32 = 0
        var rows: Int32 = 0
        guard unsafe linux_terminal_size(fd, &columns, &rows) == 0, columns > 0, rows > 0 else { return nil }
        return (Int(columns), Int(rows))
    }
}
