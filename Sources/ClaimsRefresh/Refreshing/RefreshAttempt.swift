// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import ClaimsPlatform
import ClaimsSnapshot
import ClaimsStore
import ClaimsUpstream

/// One attempt to bring a source up to date, up to the answer of its upstream.
///
///     switch RefreshAttempt.ask(inputs) {
///     case .ended(let report): print(report.outcome)
///     case .received(let answer): rounds.submit(answer) { _ in }
///     case .outdated, .ahead: break
///     }
///
/// A `GenerationRound` makes a generation of the answer, together with the answers of other sites. `SourceUpdate` and
/// `ShrinkGuard` decide the effect of an answer or a failure.
struct RefreshAttempt: Sendable {
    /// The source, the order and the services of an attempt.
    struct Inputs: Sendable {
        let source: SourceID
        let context: RefreshContext
        let settings: Settings
        let options: RefreshOptions
        /// Identifies the requests for which the options were given; see `SourceRequests.key`.
        let key: UInt64
        let cancellation: HTTPCancellation
        let meter: RefreshMeter
        /// The beginning of the attempt, for the log.
        let start: AttemptStart
        /// Whether all records are asked for because the position is ahead of the upstream's clock.
        var isRecall = false
        /// Whether it is the first one since a start, of a source that was refused before.
        var followsRefusal = false
        /// Knows the secrets that the requests carried.
        let trace = RequestTrace(keepsRefusals: false)

        /// The collection as it is now; nil if it is gone.
        var view: CollectionView? { context.store.catalog.current()[source.collection] }

        /// The options for these requests: a body is accepted only if it belongs to the requests that were in force
        /// then.
        func options(for requests: SourceRequests) -> RefreshOptions {
            RefreshOptions(force: options.force, accept: options.accept && requests.key == key)
        }
    }

    enum Interruption: Error {
        case failed(FetchFailure)
        /// The collection has changed meanwhile: the fetched answer belongs to another definition or generation.
        case outdated
    }

    /// The way on after a source was asked.
    enum Step {
        case ended(RefreshReport)
        case received(ReceivedAnswer)
        /// The source is to be asked again.
        case outdated
        /// The source is to be asked for all records: the position is ahead of the upstream's clock.
        case ahead
    }

    /// The number of times that a refresh is begun if its collection changes under it.
    static let maxAttempts = 3

    let inputs: Inputs
    /// The collection as it was when the attempt began.
    let view: CollectionView
    let requests: SourceRequests
    /// nil for a source that does not support requests for changes.
    let plan: IncrementalPlan?
    /// The question to the source, if it can be asked for changes.
    let request: IncrementalPlan.Request?
    /// The permit to ask a source that several hosts share.
    var permit: AskPermit?

    var source: SourceID { inputs.source }
    var context: RefreshContext { inputs.context }
    var settings: Settings { inputs.settings }
    var options: RefreshOptions { inputs.options(for: requests) }
    var known: SourceRow { view.condition.source(of: source) }
    /// Whether there is data of this upstream to compare with.
    var hasData: Bool { view.hasData(of: source) }

    /// Asks the source, and finishes an attempt that needs no new generation. A failure is in the report and, if it
    /// concerns the source, in state.db.
    static func ask(_ inputs: Inputs) -> Step {
        guard let view = inputs.view, let attempt = Self(inputs, view) else {
            return .ended(RefreshReport.gone(inputs.source))
        }
        do throws(Interruption) {
            let view = try trusted(view, inputs.context)
            guard var attempt = Self(inputs, view) else { throw .outdated }
            if let step = try attempt.askHosts() { return step }
            return try attempt.ask()
        } catch {
            switch error {
            case .failed(let failure): return .ended(attempt.fail(failure))
            case .outdated: return .outdated
            }
        }
    }

    /// nil if the definition has no such source.
    init?(_ inputs: Inputs, _ view: CollectionView) {
        guard
            let requests = SourceRequests(
                view.definition, site: inputs.source.site, limits: inputs.settings.transfer)
        else { return nil }
        self.inputs = inputs
        self.view = view
        self.requests = requests
        permit = nil
        plan = inputs.context.incrementalPlan(inputs.source, view.definition)
        let moment = IncrementalPlan.Moment(
            now: inputs.context.clock.now(), awaitsDeletion: !view.condition.ownDeletions.isEmpty)
        let known = view.condition.source(of: inputs.source)
        request = plan.map { plan in
            if inputs.isRecall || inputs.followsRefusal && known.full.error?.isAboutSecret == true { return .all }
            return plan.request(known, key: requests.records.key, inputs.options(for: requests), moment)
        }
    }

    /// The newest view of a collection, with a snapshot that can be trusted to compare with, if there are records.
    static func trusted(_ view: CollectionView, _ context: RefreshContext) throws(Interruption) -> CollectionView {
        let name = view.definition.name
        try storing { () throws(StoreError) in try context.opener.ensureDirectory() }
        guard view.condition.row.hasData, !view.condition.row.isBundle else { return view }
        if view.snapshot == nil { context.opener.settle(name) } else { context.opener.verify(name) }
        guard let view = context.store.catalog.current()[name] else { throw .outdated }
        guard view.snapshot != nil else {
            throw .failed(FetchFailure(view.condition.problem ?? StoreError(.missing, "open the snapshot of \(name)")))
        }
        return view
    }

    static func storing<Answer: ~Copyable>(
        _ body: () throws(StoreError) -> Answer
    ) throws(Interruption) -> Answer {
        do throws(StoreError) { return try body() } catch { throw .failed(FetchFailure(error)) }
    }
}

/// A body that has come, and its effect on the source if it is accepted.
struct ReceivedAnswer: Sendable {
    let attempt: RefreshAttempt
    /// The records that it speaks for.
    let scope: AnswerScope
    /// When it was asked for, and whether it has all records.
    let answer: UpstreamAnswer
    /// The pages, of one walk or of two.
    let walks: FetchedWalks
    /// The upstream's clock as the first walk began.
    let clock: UpstreamClock
    /// Whether the pages are to be asked for once more.
    let doubt: SecondWalk
    /// The value by which the last page names the state of the data, as JSON.
    let token: String?
    let hash: String
    let join: JoinOutcome
    let update: SourceUpdate
    /// The row of the source if the body is accepted.
    let source: SourceRow
    /// The answer as another host has published it; nil for one of the upstream.
    var shared: SharedAnswer?

    var isCancelled: Bool { attempt.inputs.cancellation.isCancelled }
}

extension CollectionCondition {
    /// The row of one of the collection's sources.
    func source(of id: SourceID) -> SourceRow { source(of: id.site) }
}

extension CollectionView {
    /// Whether there is data of this upstream to compare with. There is none before its first answer.
    func hasData(of source: SourceID) -> Bool {
        guard condition.row.hasData, !condition.row.isBundle else { return false }
        // The records may belong to other sources: to sites, or to the only source before or after them.
        if source.site == nil, condition.sites.isEmpty { return true }
        return condition.source(of: source).asOf != nil
    }

    /// Whether the records of the source are served that there was before the sites.
    var isChangingOver: Bool {
        guard definition.source.sites != nil, condition.row.hasData, !condition.row.isBundle else { return false }
        return condition.source.asOf != nil
    }
}

/// The moment at which an attempt to refresh begins, for its entry in the log.
struct AttemptStart {
    /// Milliseconds since 1970.
    let at: Int64
    /// Nanoseconds of the monotonic clock.
    private let monotonic = SystemClock.monotonic

    init(at: Int64) {
        self.at = at
    }

    /// The entry about the attempt, without changes of records.
    ///
    /// - Parameters:
    ///   - source: the state of the source after the attempt.
    ///   - bytes: the size of the bodies that came.
    ///   - records: the number of records in the answer; nil if it is unknown.
    ///   - maxKept: the number of entries of the collection that are kept.
    func entry(
        _ outcome: RefreshOutcome, _ source: SourceRow, bytes: Int, records: Int?, maxKept: Int
    ) -> RefreshNote {
        // A source may keep the error of an earlier request for everything when its answers about changes are good.
        let kind = outcome.isFailure ? source.lastError?.kind : nil
        var refresh = LoggedRefresh(at: at, outcome: outcome, kind: kind, bytes: bytes, records: records)
        refresh.site = source.site
        return RefreshNote(refresh, began: monotonic, maxKept: maxKept)
    }
}

extension RefreshAttempt {
    /// Makes the requests, and decides whether the answer is to be read.
    func ask() throws(Interruption) -> Step {
        inputs.meter.begin()
        let begin = fetcher.uptime
        for secret in requests.ownSecrets { inputs.trace.record(secret: Array(secret.utf8)) }
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

    /// Decides whether the answer is to be read, and its effect on the source if it is accepted. All times are by the
    /// current clock.
    private func judge(_ walks: FetchedWalks, _ join: JoinOutcome) throws(Interruption) -> Step {
        let (answer, key) = (walks.first, requests.records.key)
        let moment = AnswerMoment(
            now: context.clock.now(), uptime: fetcher.uptime, begin: walks.begin, oldest: walks.oldest,
            floor: permit?.floor)
        if let permit, context.shared?.accepts(permit, of: source) != true {
            return .ended(RefreshReport(source, outcome: .skipped))
        }
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
        // Each request has a different answer, so hashes and validators of two answers are not compared.
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
                try context.store.record(
                    source, of: self.source.collection, isConfirmed: true, by: began, logging: entry)
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

    var fetcher: SourceFetcher { context.fetcher.traced(by: inputs.trace) }

    private func fetch(usingValidators isConditional: Bool) throws(Interruption) -> FetchedPages {
        let validators = known.validators.key == requests.records.key ? known.validators.http : nil
        var target = requests.records
        if let plan, case .changes(let position) = request { target = target.setting(plan.target, to: position) }
        do throws(FetchFailure) {
            return try fetcher.fetch(
                target, validators: isConditional ? validators : nil, cancellation: inputs.cancellation,
                meter: inputs.meter)
        } catch {
            // The upstream no longer knows the changes since then.
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

    /// The report on a body that was held before and is not to be accepted yet; nil: it may be accepted now, or must be
    /// read again.
    func stillHeld(_ received: ReceivedAnswer) -> RefreshReport? {
        guard hasData, !options.accept, view.condition.ownDeletions.isEmpty, var held = known.held,
            held.bodyHash == received.hash,
            case .hold(let since, let wait, let reason) = verdict(held.summary, at: received)
        else { return nil }
        held.since = since
        return hold(received.update.held(held, wait: wait, reason: reason), received)
    }
}

extension RefreshAttempt {
    /// Judges the changes that a body would make.
    func verdict(_ summary: HeldSummary, at received: ReceivedAnswer) -> ShrinkGuard.Verdict {
        // The guard of the host that asks the upstream has judged the gone records.
        let isShared = received.shared != nil
        let candidate = ShrinkGuard.Candidate(
            before: summary.before, after: isShared ? max(summary.before, summary.after) : summary.after,
            missing: isShared ? 0 : summary.removed, quarantined: summary.quarantined,
            move: ShrinkGuard.Move(from: known.origin, to: requests.records.origin), bodyHash: received.hash)
        return ShrinkGuard(settings.shrinkGuard).verdict(
            candidate, held: known.held?.sighting, now: received.update.now)
    }

    /// Records that a body is held back.
    ///
    /// - Parameter row: the row of the source, with the held body.
    func hold(_ row: SourceRow, _ received: ReceivedAnswer) -> RefreshReport {
        let counts = row.held.map { IntakeCounts($0.summary) }
        var entry = entry(.held, row, pages: received.walks.bodies)
        if let counts { entry.refresh.record(counts) }
        record(row, entry)
        var report = report(.held, after: row)
        if let counts { report.counts = counts }
        return report
    }

    /// The mask of the secrets that the requests carried, for the texts that are shown.
    var mask: SecretMask { SecretMask(inputs.trace.secrets) }

    /// Records a failure: the data stays as it is.
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
        record(failed, entry)
        return RefreshReport(source, outcome: .failed, before: row, after: failed)
    }

    /// Whether the changes can be requested after a request for all records has failed. They cannot be requested
    /// without a position, or if that request would also be for all records, as while an accepted delete waits to be
    /// seen.
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

    /// Stores the state of the source; on a full disk only in memory, so that the next attempt is not at once.
    func record(_ row: SourceRow, _ entry: RefreshNote) {
        do throws(StoreError) { try context.store.record(row, of: source.collection, logging: entry) } catch {
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

/// The part of an attempt that belongs to sources which can be asked for changes.
extension RefreshAttempt {
    /// Whether the answer has only what has changed.
    var isIncremental: Bool { if case .changes = request { true } else { false } }

    /// The records that the answer speaks for.
    var scope: AnswerScope { AnswerScope(site: source.site, isIncremental: isIncremental) }

    /// Forgets the position, so that the source is asked again for all records, at once.
    func forgetPosition() {
        var row = known
        row.position = nil
        do throws(StoreError) { try context.store.record(row, of: source.collection) } catch {
            // The disk is full: until there is room it is known in memory.
            context.store.show(row, of: source.collection)
        }
    }

    /// The token in the last page of an answer; nil if the source has none.
    func token(of answer: FetchedPages) throws(Interruption) -> String? {
        guard case .token(let pointer) = view.definition.source.since?.position, let page = answer.pages.last else {
            return nil
        }
        do throws(FetchFailure) {
            return try PositionToken.read(page, at: pointer, root: requests.records.root)
        } catch { throw .failed(error) }
    }
}

extension ReceivedAnswer {
    /// Whether the source was asked for the same as last time, by the same definition.
    var isSameRequest: Bool {
        if let shared { return attempt.known.position?.key == shared.state.position.key }
        return attempt.known.validators.key == attempt.requests.records.key
    }

    /// The position of the source once the answer is accepted.
    ///
    /// - Parameter found: the largest value of the field that names it.
    /// - Returns: nil if all records are to be asked for next.
    func position(found: String?) -> SourceRow.Position? {
        if let shared { return shared.state.position }
        let (key, known) = (attempt.requests.records.key, attempt.isIncremental ? attempt.known.position : nil)
        // Records may be behind a page that was not there for a moment: they are asked for again, all of them if there is no
        // earlier position.
        if walks.second == nil, walks.first.end == .missingAfterFull { return known?.key == key ? known : nil }
        return attempt.plan?.position(after: token ?? found, known: known, key: key, clock: clock)
    }
}

extension CollectionCondition {
    /// The ids of the records whose delete the upstream has accepted, and that is still to be seen.
    var ownDeletions: Set<[UInt8]> {
        Set(
            operations.map(\.operation).filter { $0.action == .delete && $0.state == .accepted }
                .map { Array($0.record.utf8) })
    }
}
