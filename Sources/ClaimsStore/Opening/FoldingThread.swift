// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
public import ClaimsPlatform

/// Makes files beside commits, on a thread of its own: folds local writes, at 256 entries or after a minute without a
/// write, and more than 256 recent records of an upstream; or merges middle files into bases.
public final class FoldingThread: Sendable {
    /// The files that a thread makes.
    public enum Work: String, Sendable {
        case folding = "fold"
        case merging = "merge"
    }

    private struct State {
        var plan: FoldingPlan
        var isStopping = false
    }

    private enum Step {
        case fold(String)
        /// The plan has changed: the next work is due before the time that the thread waits for.
        case replan
        case stop
    }

    private let opener: CollectionOpener
    private let work: Work
    private let state: Monitor<State>
    private let pool: WorkerPool

    /// Begins to watch the catalog of the opener's store.
    ///
    /// - Parameter rest: the time without writes after which a few entries are folded, and the time from a failure to
    ///   the next attempt.
    public init(
        _ opener: CollectionOpener, _ work: Work = .folding, rest: Duration = .seconds(60)
    ) throws(SystemError) {
        self.opener = opener
        self.work = work
        state = Monitor(State(plan: FoldingPlan(rest: rest)))
        pool = try WorkerPool(name: work.rawValue, threads: 1, urgency: .background)
        let state = state
        opener.store.catalog.observe { [weak state] catalog in
            if let state { Self.inspect(at: catalog, work, state) }
        }
        Self.inspect(at: opener.store.catalog.current(), work, state)
        pool.post { [self] in run() }
    }

    /// Ends a fold that is under way without effect, and begins no other one.
    public func stop() {
        state.update { $0.isStopping = true }
        pool.stop()
    }

    private static func inspect(at catalog: Catalog, _ work: Work, _ state: Monitor<State>) {
        let now = SystemClock.monotonic
        state.update { state in
            state.plan.forget(allBut: Set(catalog.views.map(\.definition.name)))
            for view in catalog.views {
                state.plan.record(
                    view.definition.name, entries: entries(of: view, work), seq: view.changedSeq, now: now)
            }
        }
    }

    /// The number of entries that a file is to be made of; 0 if none is due.
    private static func entries(of view: CollectionView, _ work: Work) -> Int {
        let bounds = RecentBounds.standard
        switch work {
        case .folding:
            if view.condition.row.isLocal { return view.overlay?.count ?? 0 }
            let count = view.committed?.recent?.contents.count ?? 0
            return count > min(bounds.maxRecords, StackWriter.manyRecent) ? FoldingPlan.manyEntries : 0
        case .merging:
            return view.committed?.files.isMergeDue(bounds.layers) == true ? FoldingPlan.manyEntries : 0
        }
    }

    private func run() {
        while case .fold(let name) = waitForStep() {
            do throws(StoreError) {
                let isWanted = { [state] in !state.read(\.isStopping) }
                let isDone =
                    switch work {
                    case .folding: try opener.fold(name, while: isWanted)
                    case .merging: try opener.merge(name, while: isWanted)
                    }
                if !isDone { state.update { $0.plan.fail(name, now: SystemClock.monotonic) } }
            } catch {
                let isCostly = work == .merging && error.code == .storageFull
                state.update { $0.plan.fail(name, now: SystemClock.monotonic, isCostly: isCostly) }
                // A snapshot that was replaced meanwhile holds the entries already; waiting for room was reported.
                if error.code != .mismatch, !isCostly { opener.report(name, .failed(error)) }
            }
        }
    }

    private func waitForStep() -> Step {
        while true {
            // A later due time is seen when this wait is over, an earlier one at once.
            let due = state.read { $0.plan.next?.due } ?? .max
            let step = state.wait(upTo: timeout(until: due), waking: .none) { state -> Step? in
                if state.isStopping { return .stop }
                guard let next = state.plan.next else { return nil }
                if next.due <= SystemClock.monotonic { return .fold(next.name) }
                return next.due < due ? .replan : nil
            }
            switch step {
            case nil, .replan?: continue
            case let step?: return step
            }
        }
    }

    /// The time for which nothing is to be folded, unless something is written; nil: without end.
    private func timeout(until due: UInt64) -> Duration? {
        guard due != .max else { return nil }
        let now = SystemClock.monotonic
        return .nanoseconds(Int64(clamping: due > now ? due - now : 0))
    }
}
