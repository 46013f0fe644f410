// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// The outcome of the refresh of one source. The raw value is its name in the protocol, and in the log of refreshes.
public enum RefreshOutcome: String, Sendable, CaseIterable {
    /// The refresh began, and nobody waits for its end.
    case started
    /// There is a new generation.
    case updated
    /// The upstream confirmed the data.
    case unchanged
    case failed
    /// The guard holds the body back; the earlier data is still served.
    case held
    /// No request was made: the host wants none yet, the daemon is stopping, or there is no such source any more.
    case skipped

    /// Whether the upstream has answered, and the answer was taken.
    public var isSuccess: Bool { self == .updated || self == .unchanged }

    /// Whether the upstream was asked in vain: the data is none the newer.
    public var isFailure: Bool { self == .failed || self == .held }
}

/// The outcome of trying a definition: what a refresh would do. The raw value is its name in the protocol.
public enum TrialOutcome: String, Sendable, CaseIterable {
    case wouldUpdate = "would_update"
    case unchanged, held, failed
    /// The files have mistakes, so that no request was made.
    case invalid
}
