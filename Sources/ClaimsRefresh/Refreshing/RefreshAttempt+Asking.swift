// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import ClaimsPlatform
import ClaimsStore
import ClaimsUpstream

extension RefreshAttempt {
    /// Makes the requests, and decides whether what has come is to be read.
    func ask() throws(Interruption) -> Step {
        inputs.meter.begin()
        let begin = fetcher.uptime
        for secret in requests.ownSecrets { inputs.trace.note(secret: Array(secret.utf8)) }
        var join = JoinFetch(
            fetcher: fetcher, definition: view.definition, target: requests.join, known: known,
            isForced: options.force, cancellation: inputs.cancellation, meter: inputs.meter
        ).run()
        if let failure = join.failure, failure.isCancelled { throw .failed(failure) }
        if case .failed(let failure) = join { join = .failed(failure.hiding(mask)) }
        let isConditional = isComparable(after: join) && !options.force
        return try judge(FetchedWalks(begin: begin, first: try fetch(usingValidators: isConditional)), join)
    }

    /// Asks for all pages once more, because an answer lacks records that are here.
    static func askAgain(_ received: ReceivedAnswer) -> Step {
        let attempt = received.attempt
        attempt.inputs.meter.begin()
        do throws(Interruption) {
            var walks = received.walks
            walks.second = try attempt.fetchAgain(after: walks.first)
            return try attempt.judge(walks, received.join)
        } catch {
            switch error {
            case .failed(let failure): return .ended(attempt.fail(failure))
            case .outdated: return .outdated
            }
        }
    }

    /// Whether an answer with the bytes of the last one changes nothing.
    private func isComparable(after join: JoinOutcome) -> Bool { hasData && !join.changesValues && plan == nil }

    /// Decides whether what has come is to be read, and what it means for the source if it is taken. All times are told
    /// by the clock as it is now.
    private func judge(_ walks: FetchedWalks, _ join: JoinOutcome) throws(Interruption) -> Step {
        let (answer, key) = (walks.first, requests.records.key)
        let moment = AnswerMoment(
            now: context.clock.now(), uptime: fetcher.uptime, begin: walks.begin, oldest: walks.oldest)
        let began = UpstreamAnswer(began: moment.asOf, isComplete: !isIncremental)
        let hash = answer.isNotModified ? known.bodyHash : walks.latest.hash(key: key)
        let update = update(known)
        let clock = UpstreamClock(answer, moment)
        if hasData, let lag = update.lag(of: moment) { throw .failed(FetchFailure(older: lag)) }
        if let plan, isIncremental, plan.recallsAll(known, at: clock, now: update.now) { return .ahead }
        var good = SourceUpdate.Answer(
            isNotModified: answer.isNotModified, bodyHash: hash, validators: answer.validators,
            maxAge: walks.maxAge, join: join)
        (good.asOf, good.request, good.isRecall) = (moment.asOf, request, inputs.isRecall)
        if let plan, isIncremental { good.owesAll = plan.owesAll(known, at: clock, now: update.now) }
        // Each request is for another answer.
        if plan != nil { (good.bodyHash, good.validators) = (nil, HTTPValidators()) }
        // The data that is served then may be neither of two walks that differ.
        if !walks.isSteady(key: key) { good.bodyHash = nil }
        let source = update.succeeded(good)
        let isFirst = walks.second == nil
        if isFirst, answer.isNotModified || isComparable(after: join) && hash == known.bodyHash {
            let entry = entry(
                .unchanged, source, pages: answer.pages,
                records: self.source.site == nil ? view.condition.row.records : nil)
            try Self.storing { () throws(StoreError) in
                try context.store.note(source, of: self.source.collection, isConfirmed: true, by: began, logging: entry)
            }
            return .ended(report(.unchanged, after: source))
        }
        let doubt =
            isFirst ? SecondWalk(requests.records.request, end: answer.end, isWhole: !isIncremental) : .none
        let received = ReceivedAnswer(
            attempt: self, scope: scope, answer: began, walks: walks, clock: clock, doubt: doubt,
            token: try token(of: answer), hash: hash ?? "", join: join, update: update, source: source)
        if isFirst, let report = stillHeld(received) { return .ended(report) }
        return .received(received)
    }

    private var fetcher: SourceFetcher { context.fetcher.traced(by: inputs.trace) }

    private func fetch(usingValidators isConditional: Bool) throws(Interruption) -> FetchedPages {
        let validators = known.validators.key == requests.records.key ? known.validators.http : nil
        var target = requests.records
        if let plan, case .changes(let position) = request { target = target.setting(plan.target, to: position) }
        do throws(FetchFailure) {
            return try fetcher.fetch(
                target, validators: isConditional ? validators : nil, cancellation: inputs.cancellation,
                meter: inputs.meter)
        } catch {
            // The upstream does not know what has changed since then.
            if isIncremental, error.kind == .httpStatus, error.status == 410 {
                forgetPosition()
                throw .outdated
            }
            throw .failed(error)
        }
    }

    private func fetchAgain(after first: FetchedPages) throws(Interruption) -> FetchedPages {
        do throws(FetchFailure) {
            return try fetcher.fetchAgain(
                requests.records, after: first, cancellation: inputs.cancellation, meter: inputs.meter)
        } catch { throw .failed(error) }
    }

    /// The report on a body that was held before and is not to be taken yet; nil: it may be taken now, or is to be read
    /// again.
    private func stillHeld(_ received: ReceivedAnswer) -> RefreshReport? {
        guard hasData, !options.accept, view.condition.ownDeletions.isEmpty, var held = known.held,
            held.bodyHash == received.hash,
            case .hold(let since, let wait, let reason) = verdict(held.summary, at: received)
        else { return nil }
        held.since = since
        return hold(received.update.held(held, wait: wait, reason: reason), received)
    }
}
