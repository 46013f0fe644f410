// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsHTTP
import ClaimsModel
import ClaimsPlatform
import ClaimsStore

extension RefreshAttempt {
    /// Makes the requests, and decides whether what has come is to be read.
    func ask() throws(Interruption) -> Step {
        inputs.meter.begin()
        let began = UpstreamAnswer(began: context.clock.now(), isComplete: true)
        let join = JoinFetch(
            fetcher: context.fetcher, definition: view.definition, target: requests.join, known: known,
            isForced: options.force, cancellation: inputs.cancellation, meter: inputs.meter
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
            let entry = entry(
                .unchanged, source, pages: answer.pages,
                records: self.source.site == nil ? view.condition.row.records : nil)
            try Self.storing { () throws(StoreError) in
                try context.store.note(source, of: self.source.collection, isConfirmed: true, by: began, logging: entry)
            }
            return .ended(report(.unchanged, after: source))
        }
        let received = ReceivedAnswer(
            attempt: self, scope: AnswerScope(site: self.source.site), answer: began, pages: answer.pages,
            hash: hash ?? "", join: join, update: update,
            source: source)
        if let report = stillHeld(received) { return .ended(report) }
        return .received(received)
    }

    private func fetch(usingValidators isConditional: Bool) throws(Interruption) -> FetchedPages {
        let validators = known.validators.key == requests.records.key ? known.validators.http : nil
        do throws(FetchFailure) {
            return try context.fetcher.fetch(
                requests.records, validators: isConditional ? validators : nil, cancellation: inputs.cancellation,
                meter: inputs.meter)
        } catch { throw .failed(error) }
    }

    /// The report on a body that was held before and is not to be taken yet; nil: it may be taken now.
    private func stillHeld(_ received: ReceivedAnswer) -> RefreshReport? {
        guard hasData, !options.accept, var held = known.held, held.bodyHash == received.hash,
            case .hold(let since, let wait, let reason) = verdict(held.summary, at: received)
        else { return nil }
        held.since = since
        return hold(received.update.held(held, wait: wait, reason: reason), received)
    }
}
