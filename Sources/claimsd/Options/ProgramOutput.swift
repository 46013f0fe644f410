// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsPlatform

/// The lines of claimsd's own tasks, which end without serving. `print` reports no failure.
enum ProgramOutput {
    /// Writes all of a text to standard output; false if that failed. A reader that has gone is no failure.
    static func printAll(_ bytes: [UInt8]) -> Bool {
        let output = BorrowedDescriptor(1)
        var done = 0
        do throws(SystemError) {
            while done < bytes.count {
                switch try output.write(bytes, in: done..<bytes.count) {
                case .bytes(let count): done += count
                case .wouldBlock: _ = try output.wait(for: .write, before: nil)
                case .closed: return true
                }
            }
            return true
        } catch {
            return false
        }
    }

    /// Writes a line for people to standard error. A failure of that cannot be reported.
    static func complain(_ message: String) {
        let line = Array("claimsd: \(message)\n".utf8)
        _ = try? BorrowedDescriptor(2).write(line, in: line.indices)
    }
}
