// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

public import ClaimsClient

/// Why a command could not do what it was told.
public enum CommandError: Error {
    case usage(UsageError)
    case client(ClientError)
    case output(OutputError)
    /// The command itself has something to say: how to end, and why.
    case failed(ExitCode, kind: String, message: String, hint: String? = nil)
}
