// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsHTTP
import ClaimsModel
import ClaimsPlatform
import ClaimsStore

/// One refresh of one collection, from the request to the published generation, on the calling thread.
struct RefreshRun {
    let context: RefreshContext
    let settings: Settings
    let name: String
    let options: RefreshOptions
    let cancellation: HTTPCancellation

    private enum Interruption: Error {
        case failed(FetchFailure)
        /// The collection was changed meanwhile: what was fetched belongs to another definition or generation.
        case outdated
    }

    /// Runs to the end; whatever goes wrong is in the report and, as far as it concerns the source, in state.db.
    func run() -> RefreshReport {
        var attempts = 3
        while let view = context.store.catalog.current()[name],
            let target = FetchTarget.records(of: view.definition, limits: settings.transfer)
        {
            attempts -= 1
            do throws(Interruption) {
                return try refresh(try prepared(view), target)
            } catch {
                if case .failed(let failure) = error { return fail(failure, target) }
                if attempts == 0 {
                    return fail(FetchFailure(.other, Message(.other, "its definition keeps changing")), target)
                }
            }
        }
        return RefreshReport(collection: name, outcome: .skipped)
    }

    /// The view to compare with: one whose snapshot can be trusted, if there are records.
    private func prepared(_ view: CollectionView) throws(Interruption) -> CollectionView {
        guard view.condition.row.hasData, !view.condition.row.isBundle else { return view }
        if view.snapshot == nil { context.opener.settle(name) } else { context.opener.verify(name) }
        guard let view = context.store.catalog.current()[name] else { throw .outdated }
        guard view.snapshot != nil else {
            throw .failed(FetchFailure(view.condition.problem ?? StoreError(.missing, "open the snapshot of \(name)")))
        }
        return view
    }

    private func refresh(_ view: CollectionView, _ target: FetchTarget) throws(Interruption) -> RefreshReport {
        let known = view.condition.source
        let hasData = view.condition.row.hasData && !view.condition.row.isBundle
        let join = join(view)
        if let failure = join.failure, failure.isCancelled { throw .failed(failure) }
        var validators: HTTPValidators?
        if hasData && !options.force && !join.isChanged && known.validators.key == target.key {
            validators = known.validators.http
        }
        let answer: FetchedPages
        do throws(FetchFailure) {
            answer = try context.fetcher.fetch(target, validators: validators, cancellation: cancellation)
        } catch { throw .failed(error) }
        let now = context.clock.now()
        let hash = answer.isNotModified ? known.bodyHash : answer.hash(key: target.key)
        let source = succeeded(known, view.definition, target, answer, hash, join, now)
        if answer.isNotModified || hasData && !join.isChanged && hash == known.bodyHash {
            try storing { () throws(StoreError) in
                try context.store.note(source, of: name, isConfirmed: true)
            }
            return report(.unchanged, before: known, after: source)
        }
        if hasData, let held = known.held, held.bodyHash == hash, let report = stillHeld(held, view, target, now) {
            return report
        }
        return try take(answer, hash ?? "", view, target, join, source, now)
    }

    /// Decodes a body and makes a generation of it, unless it says nothing new, or the guard holds it.
    private func take(
        _ answer: FetchedPages, _ hash: String, _ view: CollectionView, _ target: FetchTarget, _ join: JoinResult,
        _ succeeded: SourceRow, _ now: Int64
    ) throws(Interruption) -> RefreshReport {
        let known = view.condition.source
        let row = view.condition.row
        let base = row.hasData && !row.isBundle ? view.snapshot : nil
        var intake = try storing { () throws(StoreError) -> RecordIntake in
            return try self.intake(view, target, join, base, now)
        }
        for page in answer.pages {
            do throws(IntakeError) { try intake.read(page) } catch {
                intake.abandon()
                throw .failed(FetchFailure(error, root: target.root))
            }
        }
        let counts = intake.counts
        if base != nil, !options.accept {
            let candidate = ShrinkGuard.Candidate(
                before: row.records, after: counts.records, quarantined: counts.quarantined, bodyHash: hash)
            let verdict = ShrinkGuard(settings.shrinkGuard).verdict(candidate, held: known.held?.sighting, now: now)
            if case .hold(let since, let wait, let reason) = verdict {
                intake.abandon()
                let summary = HeldSummary(counts, before: row.records)
                return hold(.init(bodyHash: hash, since: since, summary: summary), wait, reason, view, target, now)
            }
        }
        var source = succeeded
        source.drift = base == nil ? intake.drift : intake.drift.merging(known.drift)
        let isUnchanged = base != nil && counts.isUnchanged
        do throws(StoreError) {
            if isUnchanged { try intake.confirm(source) } else { try intake.commit(source) }
        } catch {
            throw error.code == .mismatch ? .outdated : .failed(FetchFailure(error))
        }
        var report = report(isUnchanged ? .unchanged : .updated, before: known, after: source)
        report.counts = counts
        return report
    }

    private func intake(
        _ view: CollectionView, _ target: FetchTarget, _ join: JoinResult, _ base: Snapshot?, _ now: Int64
    ) throws(StoreError) -> RecordIntake {
        let definition = view.definition
        var stage = try context.store.stage(
            view.condition.row.number, at: now, changeLimit: settings.history.changes)
        var table = join.table
        if let table { try stage.keep(joined: table.stored) } else if join.isDropped { try stage.keep(joined: []) }
        if table == nil && !join.isDropped && definition.source.join != nil {
            table = JoinTable(definition: definition, stored: try context.store.joined(of: view.condition.row))
        }
        let plan = RecordIntake.Plan(
            definition: definition, joined: table, base: base, isJoinChanged: join.isChanged, now: now,
            recordLimit: target.limits.records, isCancelled: { [cancellation] in cancellation.isCancelled })
        let identity = SnapshotIdentity(
            epoch: context.store.epoch, generation: stage.generation, fileID: RandomBytes.integer() | 1,
            definitionHash: definition.shapeHash)
        return try RecordIntake(
            plan, root: target.root, stage: stage, directory: context.opener.directory, identity: identity)
    }

    private func storing<Answer: ~Copyable>(
        _ body: () throws(StoreError) -> Answer
    ) throws(Interruption) -> Answer {
        do throws(StoreError) { return try body() } catch { throw .failed(FetchFailure(error)) }
    }
}
