// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import ClaimsPlatform
import ClaimsStore
import ClaimsUpstream

extension RefreshAttempt {
    /// Judges what a body would change.
    func verdict(_ summary: HeldSummary, at received: ReceivedAnswer) -> ShrinkGuard.Verdict {
        let candidate = ShrinkGuard.Candidate(
            before: summary.before, after: summary.after, missing: summary.removed, quarantined: summary.quarantined,
            move: ShrinkGuard.Move(from: known.origin, to: requests.records.origin), bodyHash: received.hash)
        return ShrinkGuard(settings.shrinkGuard).verdict(
            candidate, held: known.held?.sighting, now: received.update.now)
    }

    /// Notes that a body is held back.
    ///
    /// - Parameter row: the row of the source, with the held body.
    func hold(_ row: SourceRow, _ received: ReceivedAnswer) -> RefreshReport {
        let counts = row.held.map { IntakeCounts($0.summary) }
        var entry = entry(.held, row, pages: received.walks.bodies)
        if let counts { entry.refresh.note(counts) }
        note(row, entry)
        var report = report(.held, after: row)
        if let counts { report.counts = counts }
        return report
    }

    /// Hides what the requests carried in what is told of them.
    var mask: SecretMask { SecretMask(inputs.trace.secrets) }

    /// Notes a failure: the data stays as it is.
    func fail(_ failure: FetchFailure) -> RefreshReport {
        if failure.isCancelled { return RefreshReport(source, outcome: .skipped) }
        let failure = failure.hiding(mask)
        // The row as it is now: the collection may have changed under this attempt.
        guard let row = inputs.view?.condition.source(of: source) else {
            return RefreshReport.gone(source)
        }
        let failed = isDispensable(failure, row) ? update(row).failedFull(failure) : update(row).failed(failure)
        var entry = entry(.failed, failed)
        entry.refresh.bytes = inputs.meter.bytes
        note(failed, entry)
        return RefreshReport(source, outcome: .failed, before: row, after: failed)
    }

    /// Whether what has changed can be asked for after a request for all records has failed. Without a position it cannot,
    /// nor where that request would be for all records again, as while an accepted delete waits to be seen.
    private func isDispensable(_ failure: FetchFailure, _ row: SourceRow) -> Bool {
        guard request == .all, row.position?.key == requests.records.key, let plan else { return false }
        let moment = IncrementalPlan.Moment(
            now: context.clock.now(), awaitsDeletion: !view.condition.ownDeletions.isEmpty)
        let after = update(row).failedFull(failure)
        return plan.request(after, key: requests.records.key, RefreshOptions(), moment) != .all
    }

    /// Ends an attempt whose collection keeps changing under it.
    static func giveUp(_ inputs: Inputs) -> RefreshReport {
        guard let view = inputs.view, let attempt = Self(inputs, view) else {
            return RefreshReport.gone(inputs.source)
        }
        return attempt.fail(FetchFailure(.other, Message(.definitionChanging)))
    }

    func update(_ row: SourceRow) -> SourceUpdate {
        SourceUpdate(
            known: row, requests: requests, schedule: context.schedule(source, view.definition),
            now: context.clock.now(), random: context.random())
    }

    func report(_ outcome: RefreshOutcome, after row: SourceRow) -> RefreshReport {
        RefreshReport(source, outcome: outcome, before: known, after: row)
    }

    /// Keeps what is known of the source; on a full disk only in memory, so that the next try is not at once.
    private func note(_ row: SourceRow, _ entry: RefreshNote) {
        do throws(StoreError) { try context.store.note(row, of: source.collection, logging: entry) } catch {
            context.store.show(row, of: source.collection)
        }
    }

    /// The entry of the log about this attempt, without changes of records.
    func entry(
        _ outcome: RefreshOutcome, _ row: SourceRow, pages: [FetchedBody] = [], records: Int? = nil
    ) -> RefreshNote {
        inputs.start.entry(
            outcome, row, bytes: pages.reduce(0) { $0 + $1.count }, records: records,
            maxKept: view.definition.history.applied(to: settings.history).refreshes)
    }
}
