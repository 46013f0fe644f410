// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

public import ClaimsModel
public import ClaimsStore

/// How a refresh ended.
public struct RefreshReport: Sendable, Equatable {
    public enum Outcome: String, Sendable {
        /// There is a new generation.
        case updated
        /// The upstream confirmed what is there.
        case unchanged
        case failed
        /// The guard did not let it in.
        case held
        /// Nothing was asked: the upstream wants to be left alone, there is no address, or the daemon is stopping.
        case skipped
    }

    /// What is worth a line in the journal, because it is not as it was the time before.
    public enum Transition: String, Sendable {
        case none
        /// The first failure after a success.
        case failed
        /// The source failed so often that it is only probed.
        case opened
        /// The first success after failures, or after something was held.
        case recovered
        /// A body that was not seen before is held.
        case held
        /// A new generation, with nothing special about it.
        case updated
    }

    public var collection: String
    public var outcome: Outcome
    public var transition = Transition.none
    /// What the body says; all zero where none was read.
    public var counts = IntakeCounts()
    /// Why it failed, or is held, or what went wrong with the second request.
    public var failure: Failure?
    /// When the source is asked again, in milliseconds since 1970.
    public var next: Int64?

    public init(collection: String, outcome: Outcome) {
        self.collection = collection
        self.outcome = outcome
    }
}
