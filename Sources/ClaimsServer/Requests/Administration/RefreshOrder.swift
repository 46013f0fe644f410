// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import ClaimsPlatform
import ClaimsRefresh
import ClaimsStore
import Synchronization

/// A client's order to refresh sources.
struct RefreshOrder: Sendable {
    /// The sources, in the order of the outcomes.
    var sources: [SourceID]
    /// Whether the completion waits until the refreshes have ended.
    var waits: Bool
    /// Whether backoff, Retry-After (RFC 9110, section 10.2.3) and validators are ignored.
    var isForced: Bool
    /// Whether changes are accepted that the guard holds or would hold.
    var isAccepted: Bool
    /// Receives how far the refresh of a source is, on any thread, before the completion.
    typealias Watcher = @Sendable (SourceID, RefreshProgress) -> Void

    /// Told how far each refresh is; nil where nobody asks.
    var watcher: Watcher?
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

extension RefreshOrder {
    /// Receives the reports on refreshes, in the order of the sources; called once, on any thread.
    typealias Completion = @Sendable ([RefreshReport]) -> Void

    /// Carries the order out, see ``start(with:done:)``.
    ///
    /// One that accepts a body waits for the reloads that were asked for before it: the body is that of their configuration.
    func perform(with services: ServerServices, done: @escaping Completion) {
        guard isAccepted else { return start(with: services.refresher, done: done) }
        services.reloads.afterReloads {
            renewed(services.catalogs.current()).start(with: services.refresher, done: done)
        }
    }

    /// Starts refreshes. It calls `done` once: after all have ended, or, if the order does not wait, after all have
    /// started.
    private func start(with refresher: Refresher, done: @escaping Completion) {
        guard !sources.isEmpty else { return done([]) }
        let gathering = RefreshGathering(sources.count, done: done)
        let watching = watcher.map { RefreshWatching(sources, $0) }
        for (index, source) in sources.enumerated() {
            let options = RefreshOptions(force: isForced, accept: isAccepted)
            let completion: @Sendable (RefreshReport) -> Void = { report in
                watching?.end(source)
                gathering.set(index, report)
            }
            let watcher = watching.map { watching in
                { @Sendable (progress: RefreshProgress) in watching.note(progress, of: source) }
            }
            switch refresher.refresh(source, options, completion: waits ? completion : nil, watcher: watcher) {
            case .started, .joined:
                if !waits { gathering.set(index, RefreshReport(source, outcome: .started)) }
            case .leftAlone(let until): gathering.set(index, .skipped(source, until: until))
            case .unconfigured: gathering.set(index, .gone(source))
            case .stopping: gathering.set(index, RefreshReport(source, outcome: .skipped))
            }
        }
    }
}

/// Collects the outcomes of several sources until all have arrived.
private final class RefreshGathering: Sendable {
    private struct State {
        var reports: [RefreshReport?]
        var missing: Int
    }

    private let state: Mutex<State>
    private let done: @Sendable ([RefreshReport]) -> Void

    init(_ count: Int, done: @escaping @Sendable ([RefreshReport]) -> Void) {
        state = Mutex(State(reports: Array(repeating: nil, count: count), missing: count))
        self.done = done
    }

    func set(_ index: Int, _ report: RefreshReport) {
        let complete = state.withLock { state -> [RefreshReport]? in
            guard state.reports[index] == nil else { return nil }
            state.reports[index] = report
            state.missing -= 1
            return state.missing == 0 ? state.reports.compactMap(\.self) : nil
        }
        if let complete { done(complete) }
    }
}

/// Tells how far refreshes are: of the sites of a collection all together, of another source by itself.
private final class RefreshWatching: Sendable {
    private let collections: Mutex<[String: SiteProgress]>
    private let tell: RefreshOrder.Watcher

    init(_ sources: [SourceID], _ tell: @escaping RefreshOrder.Watcher) {
        let counts = Dictionary(sources.map { ($0.collection, 1) }, uniquingKeysWith: +)
        collections = Mutex(counts.filter { $0.value > 1 }.mapValues { _ in SiteProgress() })
        self.tell = tell
    }

    func note(_ progress: RefreshProgress, of source: SourceID) {
        // Told under the lock, so that the lines of several sites come in their order.
        collections.withLock { collections in
            guard collections[source.collection] != nil else { return tell(source, progress) }
            let whole = collections[source.collection]?.note(progress, of: source, at: SystemClock.monotonic)
            if let whole { tell(SourceID(source.collection), whole) }
        }
    }

    func end(_ source: SourceID) { collections.withLock { $0[source.collection]?.end(source) } }
}
