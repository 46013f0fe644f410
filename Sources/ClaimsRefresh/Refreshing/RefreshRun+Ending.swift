// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsHTTP
import ClaimsModel
import ClaimsPlatform
import ClaimsStore

extension RefreshRun {
    /// The source after a good answer.
    func succeeded(
        _ known: SourceRow, _ definition: Definition, _ target: FetchTarget, _ answer: FetchedPages, _ hash: String?,
        _ join: JoinResult, _ now: Int64
    ) -> SourceRow {
        var source = known
        source.scheduled = context.schedule(definition).state(
            after: .succeeded(maxAge: answer.maxAge), from: known.scheduled, now: now, random: context.random())
        source.triedKey = target.key
        source.origin = target.origin
        source.asOf = now
        if !answer.isNotModified { source.fetchedAt = now }
        source.held = nil
        source.bodyHash = hash
        source.validators = SourceRow.Validators(answer, key: target.key, known: known.validators)
        if join.isAnswered {
            source.joinHash = join.hash
            source.joinValidators = join.validators
        }
        source.lastError = join.failure.map { failure in
            Failure(
                kind: .join, status: failure.status, message: Message(.join, failure.message.text("en")), at: now)
        }
        return source
    }

    /// Notes a failure: the data stays as it is.
    func fail(_ failure: FetchFailure, _ target: FetchTarget) -> RefreshReport {
        guard let view = context.store.catalog.current()[name], !failure.isCancelled else {
            return RefreshReport(collection: name, outcome: .skipped)
        }
        let now = context.clock.now()
        let known = view.condition.source
        var source = known
        source.scheduled = context.schedule(view.definition).state(
            after: .failed(failure.kind, status: failure.status, retryAfter: failure.retryAfter),
            from: known.scheduled(for: target), now: now, random: context.random())
        source.triedKey = target.key
        source.lastError = failure.at(now)
        note(source)
        return report(.failed, before: known, after: source)
    }

    /// Notes that a body is held.
    func hold(
        _ held: SourceRow.Held, _ wait: Int64, _ reason: Message, _ view: CollectionView, _ target: FetchTarget,
        _ now: Int64
    ) -> RefreshReport {
        let known = view.condition.source
        var source = known
        source.scheduled = context.schedule(view.definition).state(
            after: .held(confirm: wait), from: known.scheduled, now: now, random: context.random())
        source.triedKey = target.key
        source.held = held
        source.lastError = Failure(kind: .held, message: reason, at: now)
        note(source)
        var report = report(.held, before: known, after: source)
        report.counts = IntakeCounts(held.summary)
        return report
    }

    /// The report on a body that was held before and is not to be taken yet; nil: it may be taken now.
    func stillHeld(
        _ held: SourceRow.Held, _ view: CollectionView, _ target: FetchTarget, _ now: Int64
    ) -> RefreshReport? {
        if options.accept { return nil }
        let candidate = ShrinkGuard.Candidate(
            before: view.condition.row.records, after: held.summary.after, quarantined: held.summary.quarantined,
            bodyHash: held.bodyHash)
        let verdict = ShrinkGuard(settings.shrinkGuard).verdict(candidate, held: held.sighting, now: now)
        guard case .hold(let since, let wait, let reason) = verdict else { return nil }
        var held = held
        held.since = since
        return hold(held, wait, reason, view, target, now)
    }

    func report(_ outcome: RefreshReport.Outcome, before: SourceRow, after: SourceRow) -> RefreshReport {
        var report = RefreshReport(collection: name, outcome: outcome)
        report.failure = after.lastError
        report.next = after.due
        report.transition =
            switch outcome {
            case .failed:
                after.failures == 1 ? .failed : after.failures == RefreshSchedule.failuresToOpen ? .opened : .none
            case .held: before.held?.bodyHash == after.held?.bodyHash ? .none : .held
            case .updated, .unchanged:
                before.failures > 0 || before.held != nil ? .recovered : outcome == .updated ? .updated : .none
            case .skipped: .none
            }
        return report
    }

    /// Keeps what is known of the source; on a full disk only in memory, so that the next try is not at once.
    private func note(_ source: SourceRow) {
        do throws(StoreError) { try context.store.note(source, of: name) } catch {
            context.store.show(source, of: name)
        }
    }
}

extension SourceRow.Held {
    var sighting: ShrinkGuard.Sighting { ShrinkGuard.Sighting(bodyHash: bodyHash, since: since) }
}

extension SourceRow.Validators {
    /// What an answer said; a 304 need not repeat it.
    init(_ answer: FetchedPages, key: UInt64, known: SourceRow.Validators) {
        if answer.isNotModified && answer.validators.isEmpty {
            self = known
        } else {
            self.init(
                key: key, etag: answer.validators.etag, lastModified: answer.validators.lastModified,
                url: answer.validators.url)
        }
    }

    /// nil where there are none.
    var http: HTTPValidators? {
        etag == nil && lastModified == nil ? nil : HTTPValidators(etag: etag, lastModified: lastModified, url: url)
    }
}

extension HeldSummary {
    init(_ counts: IntakeCounts, before: Int) {
        self.init(
            before: before, after: counts.records, added: counts.added, updated: counts.updated,
            removed: counts.removed, quarantined: counts.quarantined)
    }
}

extension IntakeCounts {
    init(_ summary: HeldSummary) {
        self.init()
        records = summary.after
        added = summary.added
        updated = summary.updated
        removed = summary.removed
        quarantined = summary.quarantined
    }
}
