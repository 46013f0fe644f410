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
/// Its stages are in files of their own: asking, and ending. What has come is taken in by a `GenerationRound`, with the
/// answers of other sites. The meaning of an answer or a failure is decided by `SourceUpdate` and `ShrinkGuard`.
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

        /// The collection as it is now; nil where it is gone.
        var view: CollectionView? { context.store.catalog.current()[source.collection] }

        /// The options for these requests: a body is accepted only of those that were in force then.
        func options(for requests: SourceRequests) -> RefreshOptions {
            RefreshOptions(force: options.force, accept: options.accept && requests.key == key)
        }
    }

    enum Interruption: Error {
        case failed(FetchFailure)
        /// The collection has changed meanwhile: what was fetched belongs to another definition or generation.
        case outdated
    }

    /// The way on after a source was asked.
    enum Step {
        case ended(RefreshReport)
        case received(ReceivedAnswer)
        /// To be asked again.
        case outdated
        /// To be asked for all records: the position is ahead of the upstream's clock.
        case ahead
    }

    /// How often a refresh is begun whose collection changes under it.
    static let maxAttempts = 3

    let inputs: Inputs
    /// The collection as it was when the attempt began.
    let view: CollectionView
    let requests: SourceRequests
    /// nil for a source that does not tell what has changed.
    let plan: IncrementalPlan?
    /// The question to the source, if it tells what has changed.
    let request: IncrementalPlan.Request?

    var source: SourceID { inputs.source }
    var context: RefreshContext { inputs.context }
    var settings: Settings { inputs.settings }
    var options: RefreshOptions { inputs.options(for: requests) }
    var known: SourceRow { view.condition.source(of: source) }
    /// Whether there is data of this upstream to compare with.
    var hasData: Bool { view.hasData(of: source) }

    /// Asks the source, and ends what needs no new generation. A failure is in the report and, as far as it concerns the
    /// source, in state.db.
    static func ask(_ inputs: Inputs) -> Step {
        guard let view = inputs.view, let attempt = Self(inputs, view) else {
            return .ended(RefreshReport.gone(inputs.source))
        }
        do throws(Interruption) {
            let view = try trusted(view, inputs.context)
            guard let attempt = Self(inputs, view) else { throw .outdated }
            return try attempt.ask()
        } catch {
            switch error {
            case .failed(let failure): return .ended(attempt.fail(failure))
            case .outdated: return .outdated
            }
        }
    }

    /// nil where the definition has no such source.
    init?(_ inputs: Inputs, _ view: CollectionView) {
        guard
            let requests = SourceRequests(
                view.definition, site: inputs.source.site, limits: inputs.settings.transfer)
        else { return nil }
        self.inputs = inputs
        self.view = view
        self.requests = requests
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

/// A body that has come, and what it means for the source if it is taken.
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
    /// The row of the source if the body is taken.
    let source: SourceRow

    var isCancelled: Bool { attempt.inputs.cancellation.isCancelled }
}

extension CollectionCondition {
    /// The row of one of the collection's sources.
    func source(of id: SourceID) -> SourceRow { source(of: id.site) }
}

extension CollectionView {
    /// Whether there is data of this upstream to compare with. Its first answer has none.
    func hasData(of source: SourceID) -> Bool {
        guard condition.row.hasData, !condition.row.isBundle else { return false }
        // Records may be those of other sources: of sites, or of the only source before or after them.
        if source.site == nil, condition.sites.isEmpty { return true }
        return condition.source(of: source).asOf != nil
    }

    /// Whether the records of the source are served that there was before the sites.
    var isChangingOver: Bool {
        guard definition.source.sites != nil, condition.row.hasData, !condition.row.isBundle else { return false }
        return condition.source.asOf != nil
    }
}
