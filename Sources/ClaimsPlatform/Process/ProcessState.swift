// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// The state of a process at one moment, from /proc/PID/stat (proc_pid_stat(5)).
///
/// The process may have ended and its id may be in use again, so the state must inform people only and decide nothing.
public struct ProcessState: Equatable, Sendable {
    /// The name of the program, cut to 15 bytes.
    public let name: String
    /// The letter of the state, such as `S` for sleeping or `T` for stopped.
    public let letter: Character
    /// The time at which the process was started, in clock ticks since the boot: together with the id, it identifies
    /// the process until the next boot. Nil if it is not known.
    public let startTime: UInt64?

    /// Reads the state of a process; nil if there is no process with that id, or if it cannot be seen.
    public init?(_ pid: Int32) {
        guard let text = try? Files.readText("/proc/\(pid)/stat", cap: 1 << 16) else { return nil }
        self.init(text: text)
    }

    /// Reads the text of /proc/PID/stat, `1234 (name) S …`; nil for any other text.
    init?(text: String) {
        // The name may have a parenthesis in it.
        guard let open = text.firstIndex(of: "("), let close = text.lastIndex(of: ")"), open < close,
            let letter = text[close...].dropFirst(2).first
        else { return nil }
        name = String(text[text.index(after: open)..<close])
        self.letter = letter
        // The 20th of the numbers, of which the letter is the first.
        let numbers = text[close...].dropFirst(2).split(separator: " ")
        startTime = numbers.count > 19 ? UInt64(numbers[19]) : nil
    }

    /// Whether the process was started before a time, in nanoseconds since the boot; false if that is not known.
    public func hasStarted(before time: UInt64) -> Bool {
        startTime.map { $0 <= time / (1_000_000_000 / Self.ticksPerSecond) } ?? false
    }

    /// The clock ticks per second that the kernel reports to programs (USER_HZ), on every machine that this runs on.
    private static let ticksPerSecond: UInt64 = 100

    /// Whether a signal or a debugger has stopped the process.
    public var isStopped: Bool { letter == "T" || letter == "t" }
    /// Whether the process is systemd, which listens for the services that it starts.
    public var isManager: Bool { name == "systemd" }
}
