// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// The outcome of one nonblocking read, write, send or receive.
public enum Transfer: Equatable, Sendable {
    /// The number of bytes that were moved; it is at least 1 unless no bytes were requested.
    case bytes(Int)
    /// No byte can be moved now. The caller waits for readiness before it tries again.
    case wouldBlock
    /// The peer has closed or reset the connection. No further transfer will succeed.
    case closed
}
