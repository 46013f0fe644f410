// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import ClaimsPlatform
import ClaimsStore
import ClaimsUpstream

/// The part of an attempt that belongs to sources which several hosts share.
extension RefreshAttempt {
    /// Asks the hosts that share the source.
    ///
    /// - Returns: the next step; nil if this host asks the upstream, or if the source is not shared.
    mutating func askHosts() throws(Interruption) -> Step? {
        guard let shared = context.shared, shared.shares(source) else { return nil }
        inputs.meter.begin()
        switch shared.step(for: question) {
        case .ask(let permit):
            self.permit = permit
            return nil
        case .nothing(let failure): return .ended(RefreshReport.unchanged(source, known, failure))
        case .cancelled: return .ended(RefreshReport(source, outcome: .skipped))
        case .confirmed(let state): return .ended(try confirm(state))
        case .answer(let answer): return receive(answer)
        case .failed(let failure): return .ended(refuse(failure))
        }
    }

    /// The question to the hosts that share the source.
    fileprivate var question: SharedQuestion {
        SharedQuestion(
            source: source, definition: view.definition, known: known, hasData: hasData,
            options: options, isFreeToAsk: isFreeToAsk, cancellation: inputs.cancellation, now: context.clock.now())
    }

    private var isFreeToAsk: Bool {
        let now = context.clock.now()
        return context.sharedDue(source, of: view.definition, known: known, by: requests, now: now).map { $0 <= now }
            ?? true
    }

    /// Records that another host confirms the data here, or names the failure because of which there is none newer.
    fileprivate func confirm(_ state: SharedState) throws(Interruption) -> RefreshReport {
        let row = update(known).row(after: state, isNew: false)
        let isNewer = row.asOf != known.asOf
        let entry =
            isNewer ? entry(.unchanged, row, records: source.site == nil ? view.condition.row.records : nil) : nil
        try Self.storing { () throws(StoreError) in
            try context.store.record(
                row, of: source.collection, isConfirmed: true,
                by: isNewer ? UpstreamAnswer(began: state.asOf, isComplete: false) : nil, logging: entry)
        }
        if !isNewer { return RefreshReport.unchanged(source, row, row.lastError) }
        var report = report(.unchanged, after: row)
        report.isShared = true
        return report
    }

    /// The records of another host, as an answer to be read.
    fileprivate func receive(_ answer: SharedAnswer) -> Step {
        let update = update(known)
        var join = JoinOutcome.none
        if view.definition.source.join != nil {
            let kept = JoinOutcome.Answer(hash: answer.state.join, validators: SourceRow.Validators())
            if let joined = answer.joined {
                join = .changed(JoinTable(definition: view.definition, stored: joined), kept)
            } else {
                join = .unchanged(kept)
            }
        } else if known.joinHash != nil {
            join = .dropped
        }
        let received = ReceivedAnswer(
            attempt: self, scope: AnswerScope(site: source.site, isIncremental: answer.isIncremental),
            answer: UpstreamAnswer(began: answer.state.asOf, isComplete: !answer.isIncremental),
            walks: FetchedWalks(
                begin: fetcher.uptime,
                first: FetchedPages(isNotModified: false, pages: answer.pages, validators: HTTPValidators())),
            clock: UpstreamClock(time: update.now, isKnown: false), doubt: .none, token: nil,
            hash: answer.state.records, join: join, update: update,
            source: update.row(after: answer.state, isNew: true), shared: answer)
        if let report = stillHeld(received) { return .ended(report) }
        return .received(received)
    }

    /// Records the failure to take an answer of another host: the data stays as it is.
    fileprivate func refuse(_ failure: Failure?) -> RefreshReport {
        let row = update(known).untaken(failure)
        guard failure != nil else {
            do throws(StoreError) { try context.store.record(row, of: source.collection) } catch {
                context.store.show(row, of: source.collection)
            }
            return RefreshReport.unchanged(source, row, nil)
        }
        record(row, entry(.failed, row))
        return RefreshReport(source, outcome: .failed, before: known, after: row)
    }
}

extension ReceivedAnswer {
    /// Erases the records that were erased on the host that has published the answer.
    ///
    /// - Returns: nil if they are erased. Otherwise the next step: something may be left of them, so that the answer is not
    ///   read now, and comes again.
    func forgetRecords(_ rounds: GenerationRounds) -> RefreshAttempt.Step? {
        guard let ids = shared?.forgotten, !ids.isEmpty else { return nil }
        let (name, context) = (attempt.source.collection, attempt.context)
        let isWanted: @Sendable () -> Bool = { [attempt] in !attempt.inputs.cancellation.isCancelled }
        do throws(StoreError) {
            let outcome = try rounds.withoutRounds(of: name) {
                Result { () throws(StoreError) in
                    // No user of this host has asked for it.
                    var order = ForgetOrder(collection: name, ids: ids, isDryRun: false, uid: 0, at: update.now)
                    order.isTaken = true
                    return try context.forget(order, while: isWanted)
                }
            }
            context.shared?.postponed(try outcome.get().refused, of: attempt.source)
            return nil
        } catch {
            let skipped = RefreshAttempt.Step.ended(RefreshReport(attempt.source, outcome: .skipped))
            guard isWanted() else { return skipped }
            switch error.code {
            // The collection has changed meanwhile.
            case .mismatch: return .outdated
            // A generation of it is still being made.
            case .late: return skipped
            default: return .ended(attempt.refuse(FetchFailure(error).at(update.now)))
            }
        }
    }
}
