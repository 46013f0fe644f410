// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import ClaimsPlatform
import ClaimsStore
import ClaimsUpstream
import Synchronization

extension Refresher {
    /// How long the schedule may be idle before it looks at the clock and the logs again.
    private static let maxIdle = Duration.seconds(30)
    /// How long until a refresh is tried again that could not begin.
    private static let retryInterval = Duration.seconds(2)
    /// How long until a snapshot that could not be built is tried again.
    private static let repairInterval = Duration.seconds(30)

    /// How long a host must want no requests for a refresh not to begin.
    private static let minHostFloor = Duration.seconds(5)
    /// By how many milliseconds the end of a host's wish may differ from the time that is told.
    private static let floorTolerance: Int64 = 1_000

    /// One round of the schedule: begins what is due, and waits for what comes next. False once it is over.
    func tick() -> Bool {
        tickCount.add(1, ordering: .relaxed)
        let seen = changes.read { $0 }
        if queue.read({ $0.isStopping }) { return false }
        let now = context.clock.now()
        eraser.look(removedBefore: now - settings.withLock { $0.history.keep.wholeMilliseconds })
        var wait = Self.maxIdle.wholeMilliseconds
        for view in context.store.catalog.current().views {
            let name = view.definition.name
            if view.snapshot == nil && view.condition.problem != nil, !queue.read({ $0.isBusy(name) }) { repair(name) }
            tidyLog(of: view, now: now)
            for source in view.definition.sources { wait = min(wait, look(at: source, of: view, now: now)) }
        }
        _ = changes.wait(upTo: .milliseconds(max(1, wait))) { $0 == seen ? nil : true }
        return true
    }

    /// Notes which sources were refused when they were last asked: a start is what follows a credential that was put in
    /// place, so they are asked without their long wait.
    func noteRefusals() {
        let sources = context.store.catalog.current().views.flatMap { view in
            view.definition.sources.filter { view.condition.source(of: $0).lastError?.isAboutSecret == true }
        }
        refused.withLock { $0 = Set(sources) }
    }

    /// Has the log of a collection trimmed that has grown beyond its limits without a refresh.
    private func tidyLog(of view: CollectionView, now: Int64) {
        let name = view.definition.name
        let limits = context.opener.retention(of: view.definition, now: now)
        let isDue = tidying.withLock {
            $0.isDue(name, view.condition.log, limits, at: SystemClock.monotonic)
        }
        guard isDue else { return }
        let isPosted = post(to: SourceID(name)) { [self] in
            if !tidy(name, hasUpdated: false) { tidying.withLock { $0.failed(name) } }
        }
        if !isPosted { tidying.withLock { $0.failed(name) } }
    }

    /// Begins the refresh of a source that is due.
    ///
    /// - Returns: the time until it is due, in milliseconds; the longest time where a refresh is under way.
    private func look(at source: SourceID, of view: CollectionView, now: Int64) -> Int64 {
        guard !queue.read({ $0.isRunning(source) }), let requests = requests(source, view.definition) else {
            return .max
        }
        let schedule = context.schedule(source, view.definition)
        let known = view.condition.source(of: source)
        let state = known.schedule(for: requests)
        let floor = hostFloor(of: requests, now: now)
        let early = refused.withLock { $0.contains(source) } ? known.dueAfterRefusal : nil
        let due = max(min(schedule.due(state, now: now), early ?? .max), floor ?? .min)
        if due <= now {
            refresh(source, RefreshOptions(force: false))
            return queue.read { $0.isRunning(source) } ? .max : Self.retryInterval.wholeMilliseconds
        }
        tell(known, of: source, due: schedule.due(after: state).map { min($0, early ?? .max) }, floor: floor)
        return due - now
    }

    /// Has the time told at which a source is asked next, where that is another one than its last request has left: since
    /// then another interval is in force, or its host wants no requests for longer.
    ///
    /// - Parameters:
    ///   - due: when the source is due by its schedule; nil: at once.
    ///   - floor: the time until which its host wants no requests.
    private func tell(_ known: SourceRow, of source: SourceID, due: Int64?, floor: Int64?) {
        if let floor, floor > due ?? .min {
            // It is counted from the clock since boot, and so comes out a little different each time.
            if let told = known.due, abs(told - floor) <= Self.floorTolerance { return }
            context.store.reschedule(source.collection, from: known, due: floor)
        } else if let due, due != known.due {
            context.store.reschedule(source.collection, from: known, due: due)
        }
    }

    /// The time until which the host of a source wants no requests, in milliseconds since 1970; nil where it takes some,
    /// or will so soon that a refresh rather waits.
    func hostFloor(of requests: SourceRequests, now: Int64) -> Int64? {
        guard let until = context.fetcher.gate.floor(ofURL: requests.records.url),
            until - now > Self.minHostFloor.wholeMilliseconds
        else { return nil }
        return until
    }

    /// Tries again to build a snapshot that could not be built, now and then.
    private func repair(_ collection: String) {
        let now = SystemClock.monotonic
        let isDue = repairs.withLock { repairs in
            if let last = repairs[collection], now - last < Self.repairInterval.wholeNanoseconds { return false }
            repairs[collection] = now
            return true
        }
        guard isDue else { return }
        _ = post(to: SourceID(collection)) { [context, rounds] in
            rounds.withoutRounds(of: collection) { context.opener.settle(collection) }
        }
    }
}
