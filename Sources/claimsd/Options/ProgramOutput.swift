// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The lines of claimsd's own tasks, which end without serving.
///
/// The bytes are those of arrays that outlive the call; write(2) has no safe form, and `print` tells no failure.
enum ProgramOutput {
    /// Writes all of a text to standard output; false if that failed. A reader that has gone is no failure.
    static func printAll(_ bytes: [UInt8]) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = unsafe rest.withUnsafeBytes { unsafe Glibc.write(1, $0.baseAddress, $0.count) }
            if count >= 0 {
                rest = rest.dropFirst(count)
            } else if errno != EINTR {
                return errno == EPIPE
            }
        }
        return true
    }

    /// Writes a line for people to standard error.
    static func complain(_ message: String) {
        let line = Array("claimsd: \(message)\n".utf8)
        _ = unsafe line.withUnsafeBytes { unsafe write(2, $0.baseAddress, $0.count) }
    }
}
