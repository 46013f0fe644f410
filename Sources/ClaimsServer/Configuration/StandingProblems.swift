// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

public import ClaimsModel
import Synchronization

/// The mistakes in the configuration that stand now.
///
/// All configurations of a server share one, so that an answer after a reload never tells those from before it. It is safe
/// on any thread, and is read by rare requests only.
public final class StandingProblems: Sendable {
    private let problems: Mutex<[ConfigurationProblem]>

    public init(_ problems: [ConfigurationProblem] = []) {
        self.problems = Mutex(problems)
    }

    /// All of them, in the order in which people are told.
    public var all: [ConfigurationProblem] { problems.withLock { $0 } }

    /// Replaces all of them.
    public func set(_ newest: [ConfigurationProblem]) {
        problems.withLock { $0 = newest }
    }
}
