// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import ClaimsPlatform
import ClaimsSnapshot
import ClaimsStore
import ClaimsUpstream

/// Makes one generation of the answers of a collection's sources, on the calling thread.
///
/// A mistake in one answer ends that one alone: the generation is begun again without it.
struct GenerationRound {
    typealias Ending = GenerationRounds.Ending

    /// An error of the generation, or of one of its answers.
    private enum Interruption: Error {
        case all(RefreshAttempt.Interruption)
        /// The answer with this index has ended, and the others continue.
        case one(Int, Ending)
    }

    private let received: [ReceivedAnswer]
    private let view: CollectionView

    private var context: RefreshContext { received[0].attempt.context }
    private var settings: Settings { received[0].attempt.settings }
    private var name: String { view.definition.name }

    /// Takes answers of one collection in, and returns how each has ended, in their order.
    static func run(_ received: [ReceivedAnswer]) -> [Ending] {
        var endings: [Ending?] = received.map { _ in nil }
        var mismatches = 0
        while true {
            let open = endings.indices.filter { endings[$0] == nil }
            guard let first = open.first else { return endings.compactMap(\.self) }
            do throws(Interruption) {
                let view = try view(received[first].attempt)
                let reports = try Self(received: open.map { received[$0] }, view: view).makeGeneration()
                for (index, report) in zip(open, reports) { endings[index] = .ended(report) }
            } catch {
                switch error {
                case .one(let index, let ending): endings[open[index]] = ending
                case .all(.outdated) where mismatches < RefreshAttempt.maxAttempts: mismatches += 1
                case .all(.outdated): for index in open { endings[index] = .outdated }
                case .all(.failed(let failure)):
                    for index in open { endings[index] = .ended(received[index].attempt.fail(failure)) }
                }
            }
        }
    }

    private static func view(_ attempt: RefreshAttempt) throws(Interruption) -> CollectionView {
        guard let view = attempt.inputs.view else {
            throw .one(0, .ended(RefreshReport.gone(attempt.source)))
        }
        do throws(RefreshAttempt.Interruption) { return try RefreshAttempt.trusted(view, attempt.context) } catch {
            throw .all(error)
        }
    }

    /// Decodes the bodies and makes a generation of them, unless they bring nothing new, or the guard holds one.
    private func makeGeneration() throws(Interruption) -> [RefreshReport] {
        for (index, answer) in received.enumerated() where !isCurrent(answer) { throw .one(index, .outdated) }
        let base = view.condition.row.isBundle ? nil : view.committed
        var intake = try storing { () throws(StoreError) -> RecordIntake in
            try self.intake(base: base)
        }
        var taken: [ReadAnswer] = []
        for (index, answer) in received.enumerated() {
            do throws(Interruption) { taken.append(try read(answer, index, into: &intake)) } catch {
                intake.abandon()
                throw error
            }
        }
        return try commit(intake, taken, isNew: base == nil || view.isChangingOver)
    }

    /// Whether the definition still asks for the answer.
    private func isCurrent(_ answer: ReceivedAnswer) -> Bool {
        let requests = SourceRequests(
            view.definition, site: answer.attempt.source.site, limits: answer.attempt.settings.transfer)
        return requests?.key == answer.attempt.requests.key
    }

    // MARK: - Reading

    private func intake(base: CommittedRecords?) throws(StoreError) -> RecordIntake {
        let definition = view.definition
        let (attempt, join, now) = (received[0].attempt, received[0].join, received[0].update.now)
        var stage = try context.store.database.stage(
            view.condition.row.number, at: now,
            historyBytes: definition.history.applied(to: settings.history).bytes)
        var joined: JoinTable?
        switch join {
        case .changed(let table?, _):
            try stage.keep(joined: table.stored)
            joined = table
        case .dropped: try stage.keep(joined: [])
        case .none: break
        case .unchanged, .changed(nil, _), .failed:
            let stored = try context.store.database.joined(of: view.condition.row)
            joined = JoinTable(definition: definition, stored: stored)
        }
        var plan = IntakePlan(
            definition: definition, joined: joined, base: base, isJoinChanged: join.changesValues, now: now,
            recordLimit: attempt.requests.records.limits.records,
            isCancelled: { [received] in received.contains { $0.isCancelled } },
            observe: { [received] records in
                for answer in received { answer.attempt.inputs.meter.read(records) }
            })
        plan.bounds = view.recentBounds
        plan.pendingFiles = context.store.pendingFiles
        // The records of the only source before them, or of sites that are gone.
        plan.dropsOtherSources = definition.source.sites != nil && view.isChangingOver
        plan.trustsBytes = received.allSatisfy(\.isSameRequest)
        plan.ownDeletions = view.condition.ownDeletions
        let isShared = received[0].shared != nil
        plan.hasPages = attempt.requests.records.paging != nil && !isShared
        if isShared { plan.deleted = SharedAnswer.deleted }
        let identity = SnapshotIdentity(
            epoch: context.store.epoch, generation: stage.generation, fileID: RandomBytes.integer() | 1,
            definitionHash: definition.shapeHash)
        return try RecordIntake(
            plan, root: isShared ? SharedAnswer.root : attempt.requests.records.root, stage: stage,
            directory: context.opener.directory,
            identity: identity)
    }

    /// An answer that was read, and its result.
    private struct ReadAnswer {
        let counts: IntakeCounts
        let row: SourceRow
        let ignoredJoinRecords: Int
    }

    /// Reads one answer, and asks the guard.
    private func read(
        _ answer: ReceivedAnswer, _ index: Int, into intake: inout RecordIntake
    ) throws(Interruption) -> ReadAnswer {
        let attempt = answer.attempt
        attempt.inputs.meter.read(0)
        let elements = intake.elements
        do throws(IntakeError) {
            try intake.begin(answer.scope, isSecondWalk: answer.walks.second != nil)
            try Self.read(answer.walks.latest, into: &intake)
            if answer.walks.second != nil {
                intake.beginEarlierWalk()
                try Self.read(answer.walks.first, into: &intake)
            }
            try intake.end()
        } catch { throw interruption(error, of: answer, index) }
        if let shared = answer.shared, let records = shared.records, intake.elements - elements != records {
            let mistake = "it has not the \(records) records that it should have"
            let failure = FetchFailure(
                .integrity, Message(.fleetDamaged, shared.state.position.host ?? "", mistake))
            throw .one(index, .ended(attempt.fail(failure)))
        }
        if answer.doubt.isPossible, answer.doubt.isNeeded(lacking: intake.lacking) { throw .one(index, .incomplete) }
        let counts = intake.counts
        if view.hasData(of: attempt.source), !attempt.options.accept {
            let summary = HeldSummary(counts, extent: intake.extent)
            if case .hold(let since, let wait, let reason) = attempt.verdict(summary, at: answer) {
                if answer.scope.isIncremental {
                    attempt.forgetPosition()
                    throw .one(index, .outdated)
                }
                let body = SourceRow.Held(bodyHash: answer.hash, since: since, summary: summary)
                let row = answer.update.held(body, wait: wait, reason: reason)
                throw .one(index, .ended(attempt.hold(row, answer)))
            }
        }
        attempt.inputs.meter.write(intake.elements)
        var row = answer.source
        row.drift = intake.drift(after: attempt.known.drift)
        row.position = answer.position(found: intake.position)
        var ignored = 0
        if case .changed(let table?, _) = answer.join { ignored = table.ignored }
        return ReadAnswer(counts: counts, row: row, ignoredJoinRecords: ignored)
    }

    private static func read(_ walk: FetchedPages, into intake: inout RecordIntake) throws(IntakeError) {
        for (page, date) in zip(walk.pages, walk.dates) { try intake.read(page, sentAt: date) }
    }

    /// The meaning of an error in one of several answers.
    private func interruption(_ error: IntakeError, of answer: ReceivedAnswer, _ index: Int) -> Interruption {
        if case .store(let error) = error {
            return .all(error.code == .mismatch ? .outdated : .failed(FetchFailure(error)))
        }
        var (answer, index) = (answer, index)
        if case .cancelled = error, let cancelled = received.firstIndex(where: \.isCancelled) {
            (answer, index) = (received[cancelled], cancelled)
        }
        let failure = FetchFailure(error, root: answer.attempt.requests.records.root)
        return .one(index, .ended(answer.attempt.fail(failure)))
    }

    // MARK: - Committing

    private func commit(
        _ intake: consuming RecordIntake, _ taken: [ReadAnswer], isNew: Bool
    ) throws(Interruption) -> [RefreshReport] {
        let outcomes = taken.map { !isNew && $0.counts.isUnchanged ? RefreshOutcome.unchanged : .updated }
        var rows = taken.map(\.row)
        // This is the only source that existed before the sites; its validators would belong to other records.
        if view.definition.source.sites != nil, view.condition.source != SourceRow() { rows.append(SourceRow()) }
        let notes = received.indices.map { index in
            let answer = received[index]
            var note = answer.attempt.entry(
                outcomes[index] == .unchanged ? .unchanged : .updated, taken[index].row, pages: answer.walks.bodies)
            note.refresh.record(taken[index].counts)
            return note
        }
        do throws(StoreError) {
            if outcomes.allSatisfy({ $0 == .unchanged }) {
                try context.store.confirm(intake, rows, by: received[0].answer, logging: notes)
            } else {
                try context.store.commit(intake, rows, by: received[0].answer, logging: notes)
            }
        } catch {
            throw .all(error.code == .mismatch ? .outdated : .failed(FetchFailure(error)))
        }
        // After an error the next good answer does it.
        if view.definition.source.sites == nil, !view.condition.sites.isEmpty {
            try? context.store.forgetSites(of: name)
        }
        return received.indices.map { index in
            var report = received[index].attempt.report(outcomes[index], after: taken[index].row)
            report.counts = taken[index].counts
            report.isIncremental = received[index].scope.isIncremental
            report.isShared = received[index].shared != nil
            report.ignoredJoinRecords = taken[index].ignoredJoinRecords
            return report
        }
    }

    private func storing<Answer: ~Copyable>(
        _ body: () throws(StoreError) -> Answer
    ) throws(Interruption) -> Answer {
        do throws(StoreError) { return try body() } catch { throw .all(.failed(FetchFailure(error))) }
    }
}

extension HeldSummary {
    init(_ counts: IntakeCounts, extent: AnswerExtent) {
        self.init(
            before: extent.before, after: extent.after, added: counts.added, updated: counts.updated,
            removed: extent.missing, quarantined: extent.quarantined)
    }
}

extension LoggedRefresh {
    /// Records the changes that a body brings.
    mutating func record(_ counts: IntakeCounts) {
        records = counts.records
        added = counts.added
        updated = counts.updated
        removed = counts.removed
        quarantined = counts.quarantined
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
