// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// How a process ended.
public enum ExitStatus: Equatable, Sendable {
    case exited(Int32)
    case killed(signal: Int32)

    /// As a shell has it: the exit code, or 128 and the signal.
    public var code: Int32 {
        switch self {
        case .exited(let code): code
        case .killed(let signal): 128 + signal
        }
    }
}
