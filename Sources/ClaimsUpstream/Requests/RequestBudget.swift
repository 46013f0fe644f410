// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// The time that the requests of one walk through an upstream's pages have left.
public struct RequestBudget: Sendable, Equatable {
    /// The time for requests, those for tokens too.
    public var transfer: Duration
    /// The time for waits: those for a turn at the host, and those before a page is asked for again.
    public var pause: Duration

    public init(transfer: Duration, pause: Duration) {
        self.transfer = transfer
        self.pause = pause
    }
}
