// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsPlatform
import Glibc

/// Writes notes to standard error and the report to standard output.
enum BenchConsole {
    static func note(_ text: String) {
        write(text + "\n", STDERR_FILENO)
    }

    static func report(_ text: String) {
        write(text, STDOUT_FILENO)
    }

    private static func write(_ text: String, _ raw: Int32) {
        let output = FileDescriptor(owning: raw)
        try? output.write(Array(text.utf8))
        _ = output.release()
    }
}
