// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import CLinux
import Glibc

/// The sole owner of one child process: it is killed and reaped when its owner goes without having waited.
public struct ChildProcess: ~Copyable, Sendable {
    public let pid: Int32
    /// Ready for reading when the process has ended (pidfd_open(2)).
    private let ended: FileDescriptor
    private var isReaped = false

    /// Starts `program` (a path; or a name, looked for in PATH).
    ///
    /// - Parameters:
    ///   - arguments: Without the program's own name.
    ///   - environment: All of it, as `NAME=value`; nil for this process's.
    ///   - input, output, error: Descriptors of this process that become 0, 1 and 2; no others are inherited but those
    ///     that are not close-on-exec.
    public init(
        _ program: String, _ arguments: [String] = [], environment: [String]? = nil, directory: String? = nil,
        input: Int32 = 0, output: Int32 = 1, error: Int32 = 2
    ) throws(SystemError) {
        var words: [UnsafeMutablePointer<CChar>?] = unsafe ([program] + arguments).map { unsafe strdup($0) } + [nil]
        var variables = unsafe (environment ?? Environment.all).map { unsafe strdup($0) } + [nil]
        let folder = unsafe directory.map { unsafe strdup($0) } ?? nil
        defer {
            let copies = unsafe words + variables + [folder]
            for index in unsafe copies.indices { unsafe free(copies[index]) }
        }
        var pid: Int32 = 0
        let failure = unsafe linux_spawn(&pid, program, &words, &variables, folder, input, output, error)
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

    /// Sends a signal; false where the process has ended.
    @discardableResult
    public borrowing func signal(_ number: Int32) -> Bool {
        kill(pid, number) == 0
    }

    /// True once the process has ended, waiting for that at most `timeout` (nil: for ever).
    public borrowing func hasEnded(within timeout: Duration?) throws(SystemError) -> Bool {
        try ended.wait(for: .read, timeout: timeout)
    }

    /// Returns when the process has ended.
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
