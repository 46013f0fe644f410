// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsHTTP
import ClaimsModel
import ClaimsPlatform
import ClaimsSnapshot
import ClaimsStore

/// One attempt to bring a collection up to date, from the request to the published generation, on the calling thread.
///
///     let report = RefreshAttempt.run(name, context: context, settings: settings, options: options, cancellation: c)
///
/// It fetches, takes the body in and commits. What an answer or a failure means is decided by `SourceUpdate` and
/// `ShrinkGuard`.
struct RefreshAttempt {
    private enum Interruption: Error {
        case failed(FetchFailure)
        /// The collection has changed meanwhile: what was fetched belongs to another definition or generation.
        case outdated
    }

    /// A body that has come, and what it means for the source if it is taken.
    private struct Received {
        let pages: [FetchedBody]
        let hash: String
        let join: JoinOutcome
        let update: SourceUpdate
        let source: SourceRow
    }

    /// How often a refresh is begun whose collection changes under it.
    private static let maxAttempts = 3

    private let context: RefreshContext
    private let settings: Settings
    private let options: RefreshOptions
    private let cancellation: HTTPCancellation
    private let meter: RefreshMeter
    /// The beginning of the attempt, for the log.
    private let start: AttemptStart
    /// The collection as it was when the attempt began.
    private let view: CollectionView
    private let requests: SourceRequests

    private var name: String { view.definition.name }
    private var known: SourceRow { view.condition.source }
    /// Whether there is data of an upstream to compare with.
    private var hasData: Bool { view.condition.row.hasData && !view.condition.row.isBundle }

    /// Refreshes a collection. A failure is in the report and, as far as it concerns the source, in state.db.
    static func run(
        _ name: String, context: RefreshContext, settings: Settings, options: RefreshOptions,
        cancellation: HTTPCancellation, meter: RefreshMeter
    ) -> RefreshReport {
        let start = AttemptStart(at: context.clock.now())
        for attempt in 1... {
            guard let view = context.store.catalog.current()[name],
                let requests = SourceRequests(view.definition, limits: settings.transfer)
            else { break }
            var outcome = Self(
                context: context, settings: settings, options: options, cancellation: cancellation, meter: meter,
                start: start, view: view, requests: requests)
            do throws(Interruption) {
                outcome = try outcome.prepared()
                return try outcome.refresh()
            } catch {
                switch error {
                case .failed(let failure): return outcome.fail(failure)
                case .outdated where attempt == maxAttempts:
                    return outcome.fail(FetchFailure(.other, Message(.definitionChanging)))
                case .outdated: continue
                }
            }
        }
        return RefreshReport(collection: name, outcome: .gone)
    }

    private init(
        context: RefreshContext, settings: Settings, options: RefreshOptions, cancellation: HTTPCancellation,
        meter: RefreshMeter, start: AttemptStart, view: CollectionView, requests: SourceRequests
    ) {
        self.context = context
        self.settings = settings
        self.options = options
        self.cancellation = cancellation
        self.meter = meter
        self.start = start
        self.view = view
        self.requests = requests
    }

    /// The same attempt with a snapshot that can be trusted to compare with, if there are records.
    private func prepared() throws(Interruption) -> RefreshAttempt {
        try storing { () throws(StoreError) in try context.opener.ensureDirectory() }
        guard hasData else { return self }
        if view.snapshot == nil { context.opener.settle(name) } else { context.opener.verify(name) }
        guard let view = context.store.catalog.current()[name] else { throw .outdated }
        guard view.snapshot != nil else {
            throw .failed(FetchFailure(view.condition.problem ?? StoreError(.missing, "open the snapshot of \(name)")))
        }
        return Self(
            context: context, settings: settings, options: options, cancellation: cancellation, meter: meter,
            start: start, view: view, requests: requests)
    }

    // MARK: - Fetching

    private func refresh() throws(Interruption) -> RefreshReport {
        meter.begin()
        let began = UpstreamAnswer(began: context.clock.now(), isComplete: true)
        let join = JoinFetch(
            fetcher: context.fetcher, definition: view.definition, target: requests.join, known: known,
            isForced: options.force, cancellation: cancellation, meter: meter
        ).run()
        if let failure = join.failure, failure.isCancelled { throw .failed(failure) }
        let isComparable = hasData && !join.changesValues
        let answer = try fetch(usingValidators: isComparable && !options.force)
        let hash = answer.isNotModified ? known.bodyHash : answer.hash(key: requests.records.key)
        let update = update(known)
        let source = update.succeeded(
            .init(
                isNotModified: answer.isNotModified, bodyHash: hash, validators: answer.validators,
                maxAge: answer.maxAge, join: join))
        if answer.isNotModified || isComparable && hash == known.bodyHash {
            let entry = entry(.unchanged, source, pages: answer.pages, records: view.condition.row.records)
            try storing { () throws(StoreError) in
                try context.store.note(source, of: name, isConfirmed: true, by: began, logging: entry)
            }
            return report(.unchanged, after: source)
        }
        let received = Received(pages: answer.pages, hash: hash ?? "", join: join, update: update, source: source)
        if let report = stillHeld(received) { return report }
        return try takeIn(received, by: began)
    }

    private func fetch(usingValidators isConditional: Bool) throws(Interruption) -> FetchedPages {
        let validators = known.validators.key == requests.records.key ? known.validators.http : nil
        do throws(FetchFailure) {
            return try context.fetcher.fetch(
                requests.records, validators: isConditional ? validators : nil, cancellation: cancellation, meter: meter
            )
        } catch { throw .failed(error) }
    }

    // MARK: - Taking a body in

    /// Decodes a body and makes a generation of it, unless it says nothing new, or the guard holds it.
    private func takeIn(_ received: Received, by answer: UpstreamAnswer) throws(Interruption) -> RefreshReport {
        let base = hasData ? view.snapshot : nil
        var intake = try storing { () throws(StoreError) -> RecordIntake in
            try self.intake(received, base: base)
        }
        meter.read(0)
        for page in received.pages {
            do throws(IntakeError) { try intake.read(page) } catch {
                intake.abandon()
                if case .store(let error) = error, error.code == .mismatch { throw .outdated }
                throw .failed(FetchFailure(error, root: requests.records.root))
            }
        }
        let counts = intake.counts
        if base != nil, !options.accept {
            let summary = HeldSummary(counts, before: view.condition.row.records)
            if case .hold(let since, let wait, let reason) = verdict(summary, hash: received.hash, at: received) {
                intake.abandon()
                let body = SourceRow.Held(bodyHash: received.hash, since: since, summary: summary)
                return hold(received.update.held(body, wait: wait, reason: reason), received)
            }
        }
        meter.write(intake.elements)
        var source = received.source
        source.drift = intake.drift(after: known.drift)
        let isUnchanged = base != nil && counts.isUnchanged
        var entry = entry(isUnchanged ? .unchanged : .updated, source, pages: received.pages)
        entry.refresh.note(counts)
        do throws(StoreError) {
            if isUnchanged {
                try context.store.confirm(intake, source, by: answer, logging: entry)
            } else {
                try context.store.commit(intake, source, by: answer, logging: entry)
            }
        } catch {
            throw error.code == .mismatch ? .outdated : .failed(FetchFailure(error))
        }
        var report = report(isUnchanged ? .unchanged : .updated, after: source)
        report.counts = counts
        if case .changed(let table?, _) = received.join { report.ignoredJoinRecords = table.ignored }
        return report
    }

    private func intake(_ received: Received, base: Snapshot?) throws(StoreError) -> RecordIntake {
        let definition = view.definition
        let now = received.update.now
        var stage = try context.store.database.stage(
            view.condition.row.number, at: now,
            historyBytes: definition.history.applied(to: settings.history).bytes)
        var joined: JoinTable?
        switch received.join {
        case .changed(let table?, _):
            try stage.keep(joined: table.stored)
            joined = table
        case .dropped: try stage.keep(joined: [])
        case .none: break
        case .unchanged, .changed(nil, _), .failed:
            let stored = try context.store.database.joined(of: view.condition.row)
            joined = JoinTable(definition: definition, stored: stored)
        }
        let plan = RecordIntake.Plan(
            definition: definition, joined: joined, base: base, isJoinChanged: received.join.changesValues, now: now,
            recordLimit: requests.records.limits.records, isCancelled: { [cancellation] in cancellation.isCancelled },
            observe: { [meter] in meter.read($0) })
        let identity = SnapshotIdentity(
            epoch: context.store.epoch, generation: stage.generation, fileID: RandomBytes.integer() | 1,
            definitionHash: definition.shapeHash)
        return try RecordIntake(
            plan, root: requests.records.root, stage: stage, directory: context.opener.directory, identity: identity)
    }

    // MARK: - Ending

    /// The report on a body that was held before and is not to be taken yet; nil: it may be taken now.
    private func stillHeld(_ received: Received) -> RefreshReport? {
        guard hasData, !options.accept, var held = known.held, held.bodyHash == received.hash,
            case .hold(let since, let wait, let reason) = verdict(held.summary, hash: held.bodyHash, at: received)
        else { return nil }
        held.since = since
        return hold(received.update.held(held, wait: wait, reason: reason), received)
    }

    private func verdict(_ summary: HeldSummary, hash: String, at received: Received) -> ShrinkGuard.Verdict {
        let candidate = ShrinkGuard.Candidate(
            before: view.condition.row.records, after: summary.after, missing: summary.removed,
            quarantined: summary.quarantined,
            move: ShrinkGuard.Move(from: known.origin, to: requests.records.origin), bodyHash: hash)
        return ShrinkGuard(settings.shrinkGuard).verdict(
            candidate, held: known.held?.sighting, now: received.update.now)
    }

    private func hold(_ source: SourceRow, _ received: Received) -> RefreshReport {
        let counts = source.held.map { IntakeCounts($0.summary) }
        var entry = entry(.held, source, pages: received.pages)
        if let counts { entry.refresh.note(counts) }
        note(source, entry)
        var report = report(.held, after: source)
        if let counts { report.counts = counts }
        return report
    }

    /// Notes a failure: the data stays as it is.
    private func fail(_ failure: FetchFailure) -> RefreshReport {
        // The row as it is now: the collection may have changed under this attempt.
        if failure.isCancelled { return RefreshReport(collection: name, outcome: .skipped) }
        guard let row = context.store.catalog.current()[name]?.condition.source else {
            return RefreshReport(collection: name, outcome: .gone)
        }
        let source = update(row).failed(failure)
        note(source, entry(.failed, source))
        return RefreshReport(collection: name, outcome: .failed, before: row, after: source)
    }

    private func update(_ row: SourceRow) -> SourceUpdate {
        SourceUpdate(
            known: row, requests: requests, schedule: context.schedule(view.definition), now: context.clock.now(),
            random: context.random())
    }

    private func report(_ outcome: RefreshReport.Outcome, after source: SourceRow) -> RefreshReport {
        RefreshReport(collection: name, outcome: outcome, before: known, after: source)
    }

    /// Keeps what is known of the source; on a full disk only in memory, so that the next try is not at once.
    private func note(_ source: SourceRow, _ entry: RefreshNote) {
        do throws(StoreError) { try context.store.note(source, of: name, logging: entry) } catch {
            context.store.show(source, of: name)
        }
    }

    /// The entry of the log about this attempt, without changes of records.
    private func entry(
        _ outcome: LoggedRefresh.Outcome, _ source: SourceRow, pages: [FetchedBody] = [], records: Int? = nil
    ) -> RefreshNote {
        start.entry(
            outcome, source, bytes: pages.reduce(0) { $0 + $1.count }, records: records,
            maxKept: view.definition.history.applied(to: settings.history).refreshes)
    }

    private func storing<Answer: ~Copyable>(
        _ body: () throws(StoreError) -> Answer
    ) throws(Interruption) -> Answer {
        do throws(StoreError) { return try body() } catch { throw .failed(FetchFailure(error)) }
    }
}
