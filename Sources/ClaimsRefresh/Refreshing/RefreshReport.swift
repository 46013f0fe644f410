// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

package import ClaimsModel
package import ClaimsStore

/// How a refresh ended.
package struct RefreshReport: Sendable, Equatable {
    package enum Outcome: String, Sendable {
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
    package enum Transition: String, Sendable {
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

    package var collection: String
    package var outcome: Outcome
    package var transition = Transition.none
    /// What the body says; all zero where none was read.
    package var counts = IntakeCounts()
    /// Why it failed, or is held, or what went wrong with the second request.
    package var failure: Failure?
    /// When the source is asked again, in milliseconds since 1970.
    package var next: Int64?

    package init(collection: String, outcome: Outcome) {
        self.collection = collection
        self.outcome = outcome
    }
}
