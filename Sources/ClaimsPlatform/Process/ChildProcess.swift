// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import CLinux
import Glibc

/// The sole owner of one child process, which is killed and reaped if this value is released before `wait`.
public struct ChildProcess: ~Copyable, Sendable {
    /// The process id, which stays reserved until the process is reaped.
    public let pid: Int32
    /// Ready for reading when the process has ended (pidfd_open(2)).
    private let ended: FileDescriptor
    private var isReaped = false

    /// Starts `program`, which is a path or a name to be found in PATH.
    ///
    /// - Parameters:
    ///   - arguments: The arguments after the program's own name.
    ///   - environment: All variables, as `NAME=value`; nil for the variables of this process.
    ///   - directory: The working directory; nil for the directory of this process.
    ///   - input: The descriptor of this process that becomes the child's standard input.
    ///   - output: The descriptor that becomes its standard output.
    ///   - error: The descriptor that becomes its standard error. Other descriptors are inherited unless they are
    ///     close-on-exec.
    ///   - leadsGroup: Whether it leads a process group of its own, which ``signalGroup(_:)`` reaches.
    public init(
        _ program: String, _ arguments: [String] = [], environment: [String]? = nil, directory: String? = nil,
        input: Int32 = 0, output: Int32 = 1, error: Int32 = 2, leadsGroup: Bool = false
    ) throws(SystemError) {
        var words: [UnsafeMutablePointer<CChar>?] = unsafe ([program] + arguments).map { unsafe strdup($0) } + [nil]
        var variables = unsafe (environment ?? Environment.all).map { unsafe strdup($0) } + [nil]
        let folder = unsafe directory.map { unsafe strdup($0) } ?? nil
        defer {
            let copies = unsafe words + variables + [folder]
            for index in unsafe copies.indices { unsafe free(copies[index]) }
        }
        var pid: Int32 = 0
        let failure = unsafe linux_spawn(
            &pid, program, &words, &variables, folder, input, output, error, leadsGroup ? 1 : 0)
        guard failure == 0 else { throw SystemError("start \(program)", errno: failure) }
        let raw = linux_pidfd(pid)
        guard raw >= 0 else {
            let failure = SystemError.last("watch the process \(pid)")
            kill(pid, SIGKILL)
            _ = Self.reap(pid)
            throw failure
        }
        self.pid = pid
        ended = FileDescriptor(owning: raw)
    }

    deinit {
        guard !isReaped else { return }
        kill(pid, SIGKILL)
        _ = Self.reap(pid)
    }

    /// Sends the signal of that number (kill(2)); false if it could not be sent.
    @discardableResult
    public borrowing func signal(_ number: Int32) -> Bool {
        kill(pid, number) == 0
    }

    /// Sends a signal to every process of the group that it leads, also after it has ended; false if it could not be
    /// sent.
    @discardableResult
    public borrowing func signalGroup(_ number: Int32) -> Bool {
        kill(-pid, number) == 0
    }

    /// Whether the process has ended, after waiting at most `timeout` for that; nil waits without end.
    public borrowing func hasEnded(within timeout: Duration?) throws(SystemError) -> Bool {
        try ended.wait(for: .read, timeout: timeout)
    }

    /// The descriptor that is ready for reading when the process has ended, for poll(2). This value owns it.
    public var endDescriptor: Int32 { ended.raw }

    /// Leaves the process to itself: it continues after this value is gone.
    public consuming func abandon() { isReaped = true }

    /// Waits until the process has ended, and reaps it (waitpid(2)).
    public consuming func wait() -> ExitStatus {
        isReaped = true
        return Self.reap(pid)
    }

    private static func reap(_ pid: Int32) -> ExitStatus {
        var status: Int32 = 0
        while unsafe waitpid(pid, &status, 0) < 0 && errno == EINTR {}
        let signal = status & 0x7f
        return signal == 0 ? .exited(status >> 8 & 0xff) : .killed(signal: signal)
    }
}

/// The way in which a process ended: with an exit code from 0 to 255, or by a signal.
public enum ExitStatus: Equatable, Sendable {
    case exited(Int32)
    case killed(signal: Int32)

    /// The code that a shell shows: the exit code, or 128 plus the number of the signal.
    public var code: Int32 {
        switch self {
        case .exited(let code): code
        case .killed(let signal): 128 + signal
        }
    }
}
