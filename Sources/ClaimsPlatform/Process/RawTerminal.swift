// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import CLinux
import Glibc

/// The terminal of this process without echo, lines and signals of keys, so that each key is read as it is pressed.
///
/// The terminal is also restored when a signal ends the process, or the program traps: a handler writes a few bytes to
/// the terminal, restores its settings, ends the ``BoundChildren``, and lets the signal end the process.
public enum RawTerminal {
    /// Changes the terminal, also again after ``leave()``.
    ///
    /// - Parameters:
    ///   - input: the descriptor whose settings change; the descriptor of the first call counts.
    ///   - output: the descriptor that `leaving` is written to; it may be nonblocking.
    ///   - leaving: written when the terminal is restored.
    public static func enter(input: Int32, output: Int32, leaving: StaticString) throws(SystemError) {
        // The handler reads state that is made at its first use.
        BoundChildren.remove(-1)
        let result = unsafe linux_terminal_enter(
            input, output, leaving.utf8Start, leaving.utf8CodeUnitCount, { BoundChildren.end() })
        guard result == 0 else { throw .last("take the terminal") }
    }

    /// Restores the terminal; does nothing if it was not changed.
    public static func leave() { linux_terminal_leave() }

    /// Stops the process like ^Z, and returns when it continues. SIGTSTP must be collected by a `SignalReader`.
    ///
    /// - Parameter wholeGroup: whether the other processes of the job are stopped too.
    public static func stop(wholeGroup: Bool) { linux_terminal_stop(wholeGroup ? 1 : 0) }
}
