// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsRefresh
import ClaimsServer
import ClaimsStore
import Synchronization

/// Carries what a client asks of a refresh to the refresher, and what became of it back.
enum RefreshBridge {
    /// Gathers the reports of several collections until all are in.
    private final class Gathering: Sendable {
        private struct State {
            var reports: [RefreshOutcome?]
            var missing: Int
        }

        private let state: Mutex<State>
        private let done: @Sendable ([RefreshOutcome]) -> Void

        init(_ count: Int, done: @escaping @Sendable ([RefreshOutcome]) -> Void) {
            state = Mutex(State(reports: Array(repeating: nil, count: count), missing: count))
            self.done = done
        }

        func set(_ index: Int, _ report: RefreshOutcome) {
            let complete = state.withLock { state -> [RefreshOutcome]? in
                guard state.reports[index] == nil else { return nil }
                state.reports[index] = report
                state.missing -= 1
                return state.missing == 0 ? state.reports.compactMap(\.self) : nil
            }
            if let complete { done(complete) }
        }
    }

    /// Starts the refreshes; `done` is called once all have ended, or at once where nobody waits.
    static func carry(
        out order: RefreshOrder, _ refresher: Refresher, done: @escaping @Sendable ([RefreshOutcome]) -> Void
    ) {
        guard !order.collections.isEmpty else { return done([]) }
        let gathering = Gathering(order.collections.count, done: done)
        for (index, name) in order.collections.enumerated() {
            let options = RefreshOptions(force: order.isForced, accept: order.isAccepted)
            let completion: @Sendable (RefreshReport) -> Void = { report in
                gathering.set(index, RefreshOutcome(report))
            }
            switch refresher.refresh(name, options, completion: order.waits ? completion : nil) {
            case .started, .joined:
                if !order.waits { gathering.set(index, RefreshOutcome(collection: name, outcome: "started")) }
            case .leftAlone(let until):
                gathering.set(index, RefreshOutcome(collection: name, outcome: "skipped", until: until))
            case .unconfigured, .stopping:
                gathering.set(index, RefreshOutcome(collection: name, outcome: "skipped"))
            }
        }
    }
}

extension RefreshOutcome {
    /// What the refresher says, as the server tells it.
    fileprivate init(_ report: RefreshReport) {
        self.init(
            collection: report.collection, outcome: report.outcome.rawValue, added: report.counts.added,
            updated: report.counts.updated, removed: report.counts.removed, quarantined: report.counts.quarantined)
    }
}
