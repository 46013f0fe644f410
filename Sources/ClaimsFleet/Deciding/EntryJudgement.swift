// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import ClaimsRefresh
import ClaimsStore

/// Decides the meaning of another host's head entry for a source. Pure. Times are in milliseconds since 1970.
struct EntryJudgement {
    enum Outcome {
        /// All of it is known.
        case nothing
        /// The records here are right; as_of, error and the next request may be others.
        case confirmed(SharedState)
        /// The records there are older than the records here.
        case refused(Failure)
        /// The records are to be fetched.
        case wanted
    }

    let newest: NewestEntry
    /// The state that was taken last; nil if the data here is not from this fleet.
    let taken: FollowedState?
    let known: SourceRow
    /// Whether there is data to compare with.
    let hasData: Bool
    /// Whether all records are wanted in any case.
    let isForced: Bool
    let now: Int64

    /// Whether the entry was issued after the entry that was taken. An entry that was issued under a wrong clock does
    /// not count.
    static func isNews(_ newest: NewestEntry, after taken: FollowedState?, now: Int64) -> Bool {
        guard let taken else { return true }
        return newest.order > taken.order
            || newest.isClockTrusted && HeadJudgement.isAhead(taken.issuedAt, now: now) && newest.order != taken.order
    }

    /// - Parameter fault: the failure for which the data is not newer.
    func outcome(_ fault: Failure?, in fleet: String) -> Outcome {
        let entry = newest.entry
        let isMisdated = newest.isClockTrusted && known.asOf.map { HeadJudgement.isAhead($0, now: now) } ?? false
        let isNews = Self.isNews(newest, after: taken, now: now)
        if let taken, !isForced, !isNews || taken.state == entry.state {
            if taken.issuedAt == entry.issuedAt && !isNews || taken.state != entry.state {
                return FleetFault.isSame(fault, known.lastError)
                    ? .nothing : .confirmed(unmoved(fault, taken, in: fleet))
            }
            var state = state(fault, join: taken.join, in: fleet, confirming: taken)
            state.asOf = isMisdated ? entry.asOf : max(entry.asOf, known.asOf ?? entry.asOf)
            return .confirmed(state)
        }
        guard let asOf = known.asOf, hasData, entry.asOf < asOf, !isMisdated else { return .wanted }
        var failure = FetchFailure(.late, reason: .older, Message(.answerOlder, "\((asOf - entry.asOf) / 1000)")).at(
            now)
        failure.host = newest.issuer.host
        return FleetFault.isSame(failure, known.lastError) ? .nothing : .refused(failure)
    }

    /// The state of the source as it is, with another failure.
    private func unmoved(_ fault: Failure?, _ taken: FollowedState, in fleet: String) -> SharedState {
        SharedState(
            position: taken.position(in: fleet), records: taken.state,
            asOf: known.asOf ?? newest.entry.asOf, fullAsOf: known.full.asOf, next: known.due, error: fault,
            join: taken.join)
    }

    /// The state of the source once the entry is taken.
    ///
    /// - Parameters:
    ///   - join: the state of the joined values; nil without a join.
    ///   - known: the same state, if its records are here already.
    func state(
        _ fault: Failure?, join: String?, in fleet: String, confirming known: FollowedState? = nil
    ) -> SharedState {
        let entry = newest.entry
        let next = FollowedState(
            state: entry.state, issuedAt: entry.issuedAt, host: newest.issuer.host, join: join,
            definition: known?.definition ?? entry.definition, version: known?.version ?? entry.version)
        return SharedState(
            position: next.position(in: fleet), records: entry.state, asOf: entry.asOf, fullAsOf: entry.fullAsOf,
            next: entry.nextRefresh,
            error: fault, join: join)
    }
}
