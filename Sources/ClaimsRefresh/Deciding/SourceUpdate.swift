// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
public import ClaimsStore
import ClaimsUpstream

/// Decides how the end of a refresh changes the row of its source: schedule, validators, held body, error. Pure.
///
///     let update = SourceUpdate(known: row, requests: requests, schedule: schedule, now: now, random: 0.5)
///     let row = update.failed(failure)
struct SourceUpdate {
    /// A good answer, as far as the row keeps it.
    struct Answer {
        /// The upstream said that nothing has changed since the validators were given.
        var isNotModified = false
        /// The hash of the body that the upstream has now.
        var bodyHash: String?
        var validators = HTTPValidators()
        /// The time for which the upstream calls the answer fresh, in milliseconds.
        var maxAge: Int64?
        var join = JoinOutcome.none
        /// The time up to which it knows the upstream, in milliseconds since 1970; nil: when it ended.
        var asOf: Int64?
        /// The question to a source that can be asked for changes; nil for others.
        var request: IncrementalPlan.Request?
        /// Whether all records were asked for because the position was ahead.
        var isRecall = false
        /// Whether all records are still to be asked for, because the position was ahead.
        var owesAll = false

        init(
            isNotModified: Bool = false, bodyHash: String?, validators: HTTPValidators = HTTPValidators(),
            maxAge: Int64? = nil, join: JoinOutcome = .none
        ) {
            self.isNotModified = isNotModified
            self.bodyHash = bodyHash
            self.validators = validators
            self.maxAge = maxAge
            self.join = join
        }
    }

    /// The row before.
    let known: SourceRow
    let requests: SourceRequests
    let schedule: RefreshSchedule
    /// When the last request ended, in milliseconds since 1970.
    let now: Int64
    /// A number from 0 to below 1.
    let random: Double

    /// The number of milliseconds by which an answer is too old to be accepted; nil if it is not.
    ///
    /// It is not compared with data of another request, or with data that is dated ahead of the clock.
    func lag(of moment: AnswerMoment) -> Int64? { known.lag(of: moment, key: requests.records.key, now: now) }

    /// Returns the row after a good answer. A failure of the join is reported, but is no failure of the source.
    func succeeded(_ answer: Answer) -> SourceRow {
        var row = ended(.succeeded(maxAge: answer.maxAge))
        row.origin = requests.records.origin
        row.asOf = answer.asOf ?? now
        if !answer.isNotModified { row.fetchedAt = now }
        row.held = nil
        row.bodyHash = answer.bodyHash
        if !(answer.isNotModified && answer.validators.isEmpty) {
            // A 304 need not repeat them.
            row.validators = SourceRow.Validators(answer.validators, key: requests.records.key)
        }
        switch answer.join {
        case .none, .dropped:
            row.joinHash = nil
            row.joinValidators = SourceRow.Validators()
        case .unchanged(let answer), .changed(_, let answer):
            row.joinHash = answer.hash
            row.joinValidators = answer.validators
        case .failed: break
        }
        row.lastError = answer.join.failure.map { failure in
            Failure(
                kind: .join, reason: failure.reason, site: row.site, status: failure.status,
                message: Message(.join, MessageArgument.of(failure.message)), at: now)
        }
        record(answer, in: &row)
        return row
    }

    /// Records the effect of a good answer on the requests for all records. The position is recorded when it is known.
    private func record(_ answer: Answer, in row: inout SourceRow) {
        switch answer.request {
        case nil:
            row.position = nil
            row.full = SourceRow.FullRequests()
        case .all:
            row.position = nil
            row.full = SourceRow.FullRequests()
            row.full.asOf = row.asOf
            let isUnscheduled = answer.isRecall || known.full.failures > 0 || known.full.isOwed
            row.full.retryAt = isUnscheduled ? now + IncrementalPlan.recallPause : known.full.retryAt
        case .changes:
            if answer.owesAll, row.full.failures == 0 { row.full.isOwed = true }
            guard row.full.failures > 0 || row.full.isOwed else { return }
            row.lastError = row.lastError ?? row.full.error
            // The next request for all records has a time of its own.
            if let retryAt = row.full.retryAt { row.due = min(row.due ?? retryAt, max(retryAt, now + Self.minPause)) }
        }
    }

    /// The time between two requests of one source at least, in milliseconds.
    private static let minPause: Int64 = 1000

    /// Returns the row after a failed request for all records that is not urgent: the changes are requested at once.
    func failedFull(_ failure: FetchFailure) -> SourceRow {
        let before = RefreshSchedule.State(failures: known.full.failures)
        let state = schedule.state(after: event(failure), from: before, now: now, random: random)
        var row = known
        row.triedKey = requests.key
        row.endedAt = now
        // After an answer that is too old there is no failure in the state, and the interval is the wait.
        row.full.failures = max(1, state.failures)
        row.full.retryAt = schedule.due(after: state)
        row.full.isOwed = false
        row.full.error = failure.at(now)
        row.full.error?.site = row.site
        row.lastError = row.full.error
        row.retryAfter = state.retryAfter
        row.due = max(now, state.retryAfter ?? now)
        return row
    }

    /// Returns the row after a failure: the facts about the data stay.
    ///
    /// An upstream whose answer is too old works: it is asked again as after a good answer.
    func failed(_ failure: FetchFailure) -> SourceRow {
        var row = ended(event(failure))
        row.lastError = failure.at(now)
        row.lastError?.site = row.site
        return row
    }

    private func event(_ failure: FetchFailure) -> RefreshSchedule.Event {
        if failure.kind == .late { return .succeeded(maxAge: nil) }
        return .failed(failure.kind, status: failure.status, retryAfter: failure.retryAfter)
    }

    /// Returns the row after a body that is not let in for another `wait` milliseconds.
    func held(_ body: SourceRow.Held, wait: Int64, reason: Message) -> SourceRow {
        var row = ended(.held(confirm: wait))
        row.held = body
        row.lastError = Failure(kind: .held, site: row.site, message: reason, at: now)
        return row
    }

    private func ended(_ event: RefreshSchedule.Event) -> SourceRow {
        let state = schedule.state(after: event, from: known.schedule(for: requests), now: now, random: random)
        var row = known
        row.triedKey = requests.key
        row.endedAt = now
        row.failures = state.failures
        row.retryAfter = state.retryAfter
        row.freshUntil = state.freshUntil
        row.due = schedule.due(after: state)
        return row
    }
}

/// The outcome of the second request, for the values that fill fields.
enum JoinOutcome {
    /// The part of a good answer that the row keeps.
    struct Answer {
        var hash: String?
        var validators: SourceRow.Validators
    }

    /// The definition has no join.
    case none
    /// The definition has no join any more: the values that it filled in go.
    case dropped
    case unchanged(Answer)
    /// Records may get other values than before. The table is nil if the definition uses nothing of it.
    case changed(JoinTable?, Answer)
    /// The values of the last good answer stay.
    case failed(FetchFailure)

    /// Whether a record may get other values although its own bytes are as they were.
    var changesValues: Bool {
        switch self {
        case .dropped, .changed: true
        case .none, .unchanged, .failed: false
        }
    }

    var failure: FetchFailure? {
        if case .failed(let failure) = self { failure } else { nil }
    }
}

extension SourceRow {
    /// The number of milliseconds by which an answer to a request with this key is too old to be accepted; nil if it is
    /// not.
    func lag(of moment: AnswerMoment, key: UInt64, now: Int64) -> Int64? {
        guard validators.key == key, let asOf, asOf <= now else { return nil }
        let lag = asOf - moment.asOf
        return lag > FetchedWalks.maxLag ? lag : nil
    }
}

extension SourceRow {
    /// The state for the schedule. Failures and waits of other requests do not count.
    func schedule(for requests: SourceRequests) -> RefreshSchedule.State {
        triedKey == requests.key ? schedule : RefreshSchedule.State()
    }

    /// When a source that was refused is due after a start, in milliseconds since 1970: at once, but once a minute over
    /// many starts.
    var dueAfterRefusal: Int64 { (endedAt ?? lastError?.at ?? 0) + RefreshSchedule.refusalPause }

    /// Whether the source has failed so often in a row that it is only probed.
    public var isOpen: Bool { schedule.isOpen }

    private var schedule: RefreshSchedule.State {
        // A row without a due time is asked at once: a new one, or one of a file that was recovered.
        guard let due else { return RefreshSchedule.State(failures: failures, retryAfter: retryAfter) }
        let hasRetry = failures > 0 || held != nil || full.failures > 0 || full.isOwed
        return RefreshSchedule.State(
            endedAt: endedAt ?? lastError?.at ?? asOf, retryAt: hasRetry ? due : nil, freshUntil: freshUntil,
            failures: failures, retryAfter: retryAfter)
    }
}

extension Failure {
    /// Whether a secret was missing or refused, so that another one may help.
    var isAboutSecret: Bool {
        switch kind {
        case .credential: true
        case .httpStatus: isForbidden
        case .join: isForbidden || reason.map { Self.secretReasons.contains($0) || status == 400 } ?? false
        default: false
        }
    }

    private var isForbidden: Bool { status == 401 || status == 403 }

    private static let secretReasons: Set<FailureReason> = [.missing, .mode, .unusable, .rejected, .token]
}

extension SourceRow.Held {
    var sighting: ShrinkGuard.Sighting { ShrinkGuard.Sighting(bodyHash: bodyHash, since: since) }
}

extension SourceRow.Validators {
    init(_ validators: HTTPValidators, key: UInt64) {
        self.init(
            key: key, etag: validators.etag, lastModified: validators.lastModified, url: validators.url)
    }

    /// nil if there are none.
    var http: HTTPValidators? {
        etag == nil && lastModified == nil ? nil : HTTPValidators(etag: etag, lastModified: lastModified, url: url)
    }
}
