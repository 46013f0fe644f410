// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsHTTP
import ClaimsModel
import ClaimsPlatform
import ClaimsSnapshot
import ClaimsStore

/// Makes one generation of the answers of a collection's sources, on the calling thread.
///
/// What is wrong with one answer ends that one alone: the generation is begun again without it.
struct GenerationRound {
    typealias Ending = GenerationRounds.Ending

    /// An error of the generation, or of one of its answers.
    private enum Interruption: Error {
        case all(RefreshAttempt.Interruption)
        /// The answer of this index ends so, and the others go on.
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
                let reports = try Self(received: open.map { received[$0] }, view: view).takeIn()
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
            throw .one(0, .ended(RefreshReport(attempt.source, outcome: .gone)))
        }
        do throws(RefreshAttempt.Interruption) { return try RefreshAttempt.trusted(view, attempt.context) } catch {
            throw .all(error)
        }
    }

    /// Decodes the bodies and makes a generation of them, unless they say nothing new, or the guard holds one.
    private func takeIn() throws(Interruption) -> [RefreshReport] {
        for (index, answer) in received.enumerated() where !isCurrent(answer) { throw .one(index, .outdated) }
        let base = view.condition.row.isBundle ? nil : view.snapshot
        var intake = try storing { () throws(StoreError) -> RecordIntake in
            try self.intake(base: base)
        }
        for (index, answer) in received.enumerated() {
            do throws(Interruption) { try read(answer, index, into: &intake) } catch {
                intake.abandon()
                throw error
            }
        }
        return try commit(intake, isNew: base == nil)
    }

    /// Whether the definition still asks for what has come.
    private func isCurrent(_ answer: ReceivedAnswer) -> Bool {
        let requests = SourceRequests(
            view.definition, site: answer.attempt.source.site, limits: answer.attempt.settings.transfer)
        return requests?.key == answer.attempt.requests.key
    }

    // MARK: - Reading

    private func intake(base: Snapshot?) throws(StoreError) -> RecordIntake {
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
        let plan = RecordIntake.Plan(
            definition: definition, joined: joined, base: base, isJoinChanged: join.changesValues, now: now,
            recordLimit: attempt.requests.records.limits.records,
            isCancelled: { [cancellation = attempt.inputs.cancellation] in cancellation.isCancelled },
            observe: { [meter = attempt.inputs.meter] in meter.read($0) })
        let identity = SnapshotIdentity(
            epoch: context.store.epoch, generation: stage.generation, fileID: RandomBytes.integer() | 1,
            definitionHash: definition.shapeHash)
        return try RecordIntake(
            plan, root: attempt.requests.records.root, stage: stage, directory: context.opener.directory,
            identity: identity)
    }

    /// Reads one answer, and asks the guard.
    private func read(
        _ answer: ReceivedAnswer, _ index: Int, into intake: inout RecordIntake
    ) throws(Interruption) {
        let attempt = answer.attempt
        attempt.inputs.meter.read(0)
        for page in answer.pages {
            do throws(IntakeError) { try intake.read(page) } catch {
                if case .store(let error) = error {
                    throw .all(error.code == .mismatch ? .outdated : .failed(FetchFailure(error)))
                }
                let failure = FetchFailure(error, root: attempt.requests.records.root)
                throw .one(index, .ended(attempt.fail(failure)))
            }
        }
        if view.hasData(of: attempt.source), !attempt.options.accept {
            let summary = HeldSummary(intake.counts, before: view.condition.row.records)
            if case .hold(let since, let wait, let reason) = attempt.verdict(summary, at: answer) {
                let body = SourceRow.Held(bodyHash: answer.hash, since: since, summary: summary)
                let row = answer.update.held(body, wait: wait, reason: reason)
                throw .one(index, .ended(attempt.hold(row, answer)))
            }
        }
        attempt.inputs.meter.write(intake.elements)
    }

    // MARK: - Committing

    private func commit(_ intake: consuming RecordIntake, isNew: Bool) throws(Interruption) -> [RefreshReport] {
        let (answer, attempt) = (received[0], received[0].attempt)
        let counts = intake.counts
        var source = answer.source
        source.drift = intake.drift(after: attempt.known.drift)
        let outcome = !isNew && counts.isUnchanged ? RefreshReport.Outcome.unchanged : .updated
        var entry = attempt.entry(outcome == .unchanged ? .unchanged : .updated, source, pages: answer.pages)
        entry.refresh.note(counts)
        do throws(StoreError) {
            if outcome == .unchanged {
                try context.store.confirm(intake, [source], by: answer.answer, logging: [entry])
            } else {
                try context.store.commit(intake, [source], by: answer.answer, logging: [entry])
            }
        } catch {
            throw .all(error.code == .mismatch ? .outdated : .failed(FetchFailure(error)))
        }
        var report = attempt.report(outcome, after: source)
        report.counts = counts
        if case .changed(let table?, _) = answer.join { report.ignoredJoinRecords = table.ignored }
        return [report]
    }

    private func storing<Answer: ~Copyable>(
        _ body: () throws(StoreError) -> Answer
    ) throws(Interruption) -> Answer {
        do throws(StoreError) { return try body() } catch { throw .all(.failed(FetchFailure(error))) }
    }
}
