// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

public import ClaimsModel
import Synchronization

/// The mistakes in the configuration that stand now.
///
/// All configurations of a server share one, so that an answer after a reload never tells those from before it. It is safe
/// on any thread, and is read by rare requests only.
public final class StandingProblems: Sendable {
    private struct State {
        var problems: [ConfigurationProblem]
        /// The bundles that turned out bad when they were to be served, by collection.
        var bundles: [String: ConfigurationProblem] = [:]
    }

    private let state: Mutex<State>

    public init(_ problems: [ConfigurationProblem] = []) {
        state = Mutex(State(problems: problems))
    }

    /// All of them, in the order in which people are told. The bundle of a collection whose definition has a mistake is
    /// left out.
    public var all: [ConfigurationProblem] {
        state.withLock { state in
            let told = Set(state.problems.compactMap(\.collection))
            let bundles = state.bundles.filter { !told.contains($0.key) }.sorted { $0.key < $1.key }
            return state.problems + bundles.map(\.value)
        }
    }

    /// Replaces all but those of bundles.
    public func set(_ newest: [ConfigurationProblem]) {
        state.withLock { $0.problems = newest }
    }

    /// Notes that the bundle of a collection cannot be served, or nil: that it is served.
    ///
    /// - Parameter detail: the reason, in English.
    public func note(bundleOf collection: String, at path: String, unusable detail: String?) {
        let problem = detail.map { detail in
            ConfigurationProblem(
                location: ConfigurationLocation(file: path), message: "this bundle cannot be served: \(detail)",
                collection: collection)
        }
        state.withLock { $0.bundles[collection] = problem }
    }

    /// Forgets all bundles: those that are still bad will be noted again.
    public func forgetBundles() {
        state.withLock { $0.bundles = [:] }
    }
}
