// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import ClaimsPlatform
import ClaimsRefresh
import ClaimsServer
import ClaimsStore
import Synchronization

/// Passes the refreshes that clients order to the refresher, and its reports back.
enum RefreshBridge {
    /// Collects the outcomes of several sources until all have arrived.
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

    /// Tells how far refreshes are: of the sites of a collection all together, of another source by itself.
    private final class Watching: Sendable {
        private let collections: Mutex<[String: SiteProgress]>
        private let tell: @Sendable (RefreshStep) -> Void

        init(_ sources: [SourceID], _ tell: @escaping @Sendable (RefreshStep) -> Void) {
            let counts = Dictionary(sources.map { ($0.collection, 1) }, uniquingKeysWith: +)
            collections = Mutex(counts.filter { $0.value > 1 }.mapValues { _ in SiteProgress() })
            self.tell = tell
        }

        func note(_ progress: RefreshProgress, of source: SourceID) {
            // Told under the lock, so that the lines of several sites come in their order.
            collections.withLock { collections in
                guard collections[source.collection] != nil else { return tell(RefreshStep(progress, of: source)) }
                let whole = collections[source.collection]?.note(progress, of: source, at: SystemClock.monotonic)
                if let whole { tell(RefreshStep(whole, of: SourceID(source.collection))) }
            }
        }

        func end(_ source: SourceID) { collections.withLock { $0[source.collection]?.end(source) } }
    }

    /// Starts refreshes. It calls `done` once: after all have ended, or, if the order does not wait, after all have
    /// started.
    static func perform(
        _ order: RefreshOrder, with refresher: Refresher, done: @escaping @Sendable ([RefreshOutcome]) -> Void
    ) {
        guard !order.sources.isEmpty else { return done([]) }
        let gathering = Gathering(order.sources.count, done: done)
        let watching = order.watcher.map { Watching(order.sources, $0) }
        for (index, source) in order.sources.enumerated() {
            let options = RefreshOptions(force: order.isForced, accept: order.isAccepted)
            let completion: @Sendable (RefreshReport) -> Void = { report in
                watching?.end(source)
                gathering.set(index, RefreshOutcome(report))
            }
            let watcher = watching.map { watching in
                { @Sendable (progress: RefreshProgress) in watching.note(progress, of: source) }
            }
            switch refresher.refresh(source, options, completion: order.waits ? completion : nil, watcher: watcher) {
            case .started, .joined:
                if !order.waits { gathering.set(index, RefreshOutcome(source, status: .started)) }
            case .leftAlone(let until):
                gathering.set(index, RefreshOutcome(source, status: .skipped, until: until))
            case .unconfigured:
                var outcome = RefreshOutcome(source, status: .skipped)
                outcome.isGone = true
                gathering.set(index, outcome)
            case .stopping: gathering.set(index, RefreshOutcome(source, status: .skipped))
            }
        }
    }
}

extension RefreshOrder {
    /// The same order after a reload: of a collection that has sites now, or has none any more, all sources are asked.
    func renewed(_ catalog: Catalog) -> RefreshOrder {
        var order = self
        order.sources = []
        for source in sources {
            let current = catalog[source.collection]?.definition.sources ?? []
            let isSame = current.isEmpty || current.contains { ($0.site == nil) == (source.site == nil) }
            for next in isSame ? [source] : current where !order.sources.contains(next) { order.sources.append(next) }
        }
        return order
    }
}

extension RefreshStep {
    /// The step that the server tells for the progress of the refresher.
    fileprivate init(_ progress: RefreshProgress, of source: SourceID) {
        let phase: Phase =
            switch progress.phase {
            case .queued: .queued
            case .connect: .connect
            case .receive: .receive
            case .read: .read
            case .write: .write
            }
        self.init(
            source, phase: phase, bytes: progress.bytes, expected: progress.expected,
            pages: progress.pages, records: progress.records)
    }
}

extension RefreshOutcome {
    /// The outcome that the server tells for a report of the refresher.
    init(_ report: RefreshReport) {
        let status: Status =
            switch report.outcome {
            case .updated: .updated
            case .unchanged: .unchanged
            case .failed: .failed
            case .held: .held
            case .skipped, .gone: .skipped
            }
        self.init(
            report.source, status: status, added: report.counts.added,
            updated: report.counts.updated, removed: report.counts.removed, quarantined: report.counts.quarantined)
        volatile = report.counts.volatile
        isGone = report.outcome == .gone
    }
}
