// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import ClaimsPlatform
import ClaimsStore
import ClaimsUpstream
import Synchronization

extension Refresher {
    /// A refresh that has begun, with what is needed to begin it again.
    private struct Run: Sendable {
        var inputs: RefreshAttempt.Inputs
        /// The time of its begin, in monotonic nanoseconds.
        let begin: UInt64
        var attempts = 1
    }

    func run(_ source: SourceID, _ start: RefreshQueue.Start) {
        let isPosted = post(to: source) { [self] in
            show(source.collection, isRefreshing: true)
            report(.began(source))
            let wasRefused = refused.withLock { $0.remove(source) } != nil
            var inputs = RefreshAttempt.Inputs(
                source: source, context: pressing(source, start.options), settings: settings.withLock { $0 },
                options: start.options, key: start.key,
                cancellation: start.cancellation, meter: meter(of: source),
                start: AttemptStart(at: context.clock.now()))
            inputs.followsRefusal = wasRefused
            attempt(Run(inputs: inputs, begin: SystemClock.monotonic))
        }
        if isPosted { return }
        // No thread to be had: the source is tried again at the next tick.
        let (completions, _) = queue.update { $0.finish(source) }
        for completion in completions { completion(RefreshReport(source, outcome: .skipped)) }
    }

    /// The context of a refresh, whose requests press as its source was due.
    private func pressing(_ source: SourceID, _ options: RefreshOptions) -> RefreshContext {
        let known = context.store.catalog.current()[source.collection]?.condition.source(of: source)
        var context = context
        context.fetcher = context.fetcher.pressing(
            HostUrgency(isForced: options.force, due: min(known?.due ?? 0, context.clock.now())))
        return context
    }

    private func attempt(_ run: Run) { proceed(run, RefreshAttempt.ask(run.inputs)) }

    private func proceed(_ run: Run, _ step: RefreshAttempt.Step) {
        switch step {
        case .ended(let report): end(run, report)
        case .outdated: again(run)
        case .ahead:
            var run = run
            run.inputs.isRecall = true
            again(run)
        case .received(let answer):
            rounds.submit(answer) { [self] ending in
                switch ending {
                case .ended(let report): end(run, report)
                case .outdated: again(run)
                case .incomplete: walkAgain(run, answer)
                }
            }
        }
    }

    /// Asks for the pages of an answer once more, on a thread that makes no generation meanwhile.
    private func walkAgain(_ run: Run, _ answer: ReceivedAnswer) {
        let isPosted = post(to: run.inputs.source) { [self] in proceed(run, RefreshAttempt.askAgain(answer)) }
        // No thread to be had: the source is tried again at the next tick.
        if !isPosted { end(run, RefreshReport(run.inputs.source, outcome: .skipped)) }
    }

    /// Asks the source of a refresh again, because its collection has changed meanwhile.
    private func again(_ run: Run) {
        let source = run.inputs.source
        var next = run
        next.attempts += 1
        let following = next
        guard run.attempts < RefreshAttempt.maxAttempts, post(to: source, { [self] in attempt(following) }) else {
            // A stop says nothing of the source.
            return end(
                run, isStopping ? RefreshReport(source, outcome: .skipped) : RefreshAttempt.giveUp(run.inputs))
        }
    }

    private func end(_ run: Run, _ report: RefreshReport) {
        let source = run.inputs.source
        var report = report
        report.duration = .nanoseconds(Int64(clamping: SystemClock.monotonic &- run.begin))
        let (completions, next, isBusy) = queue.update { queue in
            let (completions, next) = queue.finish(source)
            return (completions, next, queue.isBusy(source.collection))
        }
        if !isBusy { show(source.collection, isRefreshing: false) }
        for completion in completions { completion(report) }
        self.report(.ended(report))
        if let next { self.run(source, next) }
        // Answers of other sites may have waited for this one.
        if source.site != nil { rounds.run(source.collection) }
        changes.update { $0 += 1 }
        tidy(source.collection, hasUpdated: report.outcome == .updated)
    }

    /// A meter that tells its news to those who wait for the refresh of a source then.
    private func meter(of source: SourceID) -> RefreshMeter {
        RefreshMeter { [queue] progress in
            let watchers = queue.update(waking: .none) { $0.note(progress, of: source) }
            for watcher in watchers { watcher(progress) }
        }
    }

    /// Runs work on the thread of a collection while no generation of it is made, then tidies up; false where there is no
    /// thread to be had.
    func post(to collection: String, _ work: @escaping @Sendable (Settings) -> Void) -> Bool {
        post(to: SourceID(collection)) { [self] in
            let settings = settings.withLock { $0 }
            rounds.withoutRounds(of: collection) { work(settings) }
            tidy(collection, hasUpdated: true)
        }
    }

    /// Deletes what a refresh or other commits have superseded; nobody waits for it.
    ///
    /// - Returns: false where the store could not; what is left goes with the next commit.
    @discardableResult
    func tidy(_ collection: String, hasUpdated: Bool) -> Bool {
        defer { if hasUpdated { ProcessMemory.trim() } }
        do throws(StoreError) {
            try context.opener.tidy(collection)
            return true
        } catch { return false }
    }

    private func show(_ collection: String, isRefreshing: Bool) {
        context.store.catalog.update {
            $0.replacing(collection) { view in
                var condition = view.condition
                condition.isRefreshing = isRefreshing
                return view.with(condition)
            }
        }
    }
}
