// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

public import ClaimsModel
public import ClaimsStore

/// The options of a refresh that a user asks for; a refresh that is due has none of them.
public struct RefreshOptions: Sendable, Equatable {
    /// Whether the request is made now, without validators and in spite of `Retry-After`.
    public var force: Bool
    /// Whether a body is accepted that the guard holds or would hold.
    public var accept: Bool

    public init(force: Bool = false, accept: Bool = false) {
        self.force = force
        self.accept = accept
    }

    /// Whether a refresh with these options does everything that a refresh with `other` would do.
    func covers(_ other: RefreshOptions) -> Bool {
        (force || !other.force) && (accept || !other.accept)
    }

    /// The options of a refresh that does everything that both would do.
    func union(_ other: RefreshOptions) -> RefreshOptions {
        RefreshOptions(force: force || other.force, accept: accept || other.accept)
    }
}

/// The outcome of a refresh.
public struct RefreshReport: Sendable, Equatable {
    /// A change since the previous refresh that is reported in the journal.
    public enum Transition: String, Sendable {
        case none
        /// The first failure after a success.
        case failed
        /// A failure of another kind than the one before, such as a refusal after a timeout.
        case failedOtherwise
        /// The source has failed ``RefreshSchedule/failuresToOpen`` times in a row; from now on it is only probed.
        case opened
        /// The first success after failures, or after something was held.
        case recovered
        /// The guard holds a body that it has not seen before.
        case held
        /// A new generation is served, and none of the other transitions applies.
        case updated
    }

    public var source: SourceID
    public var outcome: RefreshOutcome
    /// Whether the collection has lost its definition, or this source, since the refresh was asked for.
    public var isGone = false
    public var transition = Transition.none
    /// The changes that the body brings; all zero if none was read.
    public var counts = IntakeCounts()
    /// Whether the upstream was asked only for what has changed.
    public var isIncremental = false
    /// Whether another host has answered, and not the upstream.
    public var isShared = false
    /// The number of records of a new answer to the second request that fill nothing, because they have no key.
    public var ignoredJoinRecords = 0
    /// Why the refresh failed, why the body is held, or why the join failed.
    public var failure: Failure?
    /// The time of the next request, in milliseconds since 1970; nil if none is planned. If the source was skipped, it
    /// is the time before which its host wants no request.
    public var next: Int64?
    /// The time that the refresh took.
    public var duration = Duration.zero

    public init(_ source: SourceID, outcome: RefreshOutcome) {
        self.source = source
        self.outcome = outcome
    }

    /// The report on a source that is not there any more.
    public static func gone(_ source: SourceID) -> Self {
        var report = Self(source, outcome: .skipped)
        report.isGone = true
        return report
    }

    /// The report on a source that is not asked before a time, in milliseconds since 1970.
    public static func skipped(_ source: SourceID, until: Int64) -> Self {
        var report = Self(source, outcome: .skipped)
        report.next = until
        return report
    }

    /// The report on a source about which other hosts had no news.
    ///
    /// - Parameter failure: the failure because of which there is nothing newer; nil: there was none.
    static func unchanged(_ source: SourceID, _ row: SourceRow, _ failure: Failure?) -> Self {
        var report = Self(source, outcome: failure == nil ? .unchanged : .failed)
        (report.failure, report.next, report.isShared) = (failure, row.due, true)
        return report
    }

    public var collection: String { source.collection }

    /// A report on a source whose row was `before` and is `after`.
    init(_ source: SourceID, outcome: RefreshOutcome, before: SourceRow, after: SourceRow) {
        self.init(source, outcome: outcome)
        failure = after.lastError
        next = after.due
        transition =
            switch outcome {
            case .failed:
                Self.transition(
                    failures: after.full.failures > before.full.failures ? after.full.failures : after.failures,
                    before: before.lastError, after: after.lastError)
            case .held: before.held?.bodyHash == after.held?.bodyHash ? .none : .held
            case .updated, .unchanged:
                after.full.error == nil && before.isTroubled
                    ? .recovered : outcome == .updated ? .updated : .none
            case .started, .skipped: .none
            }
    }

    /// Whether the upstream refuses the request itself, so that asking again will hardly help.
    public var isRefused: Bool { Self.isRefusal(failure) }

    private static func transition(failures: Int, before: Failure?, after: Failure?) -> Transition {
        if failures == 1 || failures == 0 && before == nil { return .failed }
        if failures == RefreshSchedule.failuresToOpen { return .opened }
        // A person has something else to do then.
        return before?.kind == after?.kind && isRefusal(before) == isRefusal(after) ? .none : .failedOtherwise
    }

    private static func isRefusal(_ failure: Failure?) -> Bool {
        guard let status = failure?.status else { return false }
        return (400..<500).contains(status) && status != 429
    }
}

extension SourceRow {
    /// Whether the last answer was not accepted, or no answer came.
    fileprivate var isTroubled: Bool {
        failures > 0 || held != nil || full.failures > 0 || lastError?.kind == .late
    }
}

extension RefreshReport {
    /// The same report, with the time that the refresh took.
    func lasting(_ duration: Duration) -> RefreshReport {
        var report = self
        report.duration = duration
        return report
    }
}
