// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

public import ClaimsPlatform

/// Why the daemon gave no answer that could be used.
public enum ClientError: Error {
    /// Nobody could be reached at the socket; nothing was sent.
    case unreachable(path: String, SystemError)
    /// The daemon ended the connection; whether it did what was asked is not known.
    case closed
    /// No answer came in time; whether the daemon did what was asked is not known.
    case timedOut(Duration)
    /// What came is no answer of this protocol.
    case malformed(String)
    /// The daemon answered that it will not or cannot.
    case refused(Refusal)
}
