// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// The exit codes of the daemon, on which the unit file depends.
enum DaemonExitCode {
    static let stopped: Int32 = 0
    static let failed: Int32 = 1
    static let usage: Int32 = 2
    /// The file that was given to `--define` or `--try` is not valid; as of claimsctl.
    static let invalid: Int32 = 8
    /// The upstream failed; as of claimsctl.
    static let upstreamFailed: Int32 = 11
    /// The configuration or the machine needs a correction by hand (EX_CONFIG of sysexits.h).
    static let configuration: Int32 = 78
    /// The program starts itself again, without systemd. The process never exits with this code.
    static let startAgain: Int32 = -1
}
