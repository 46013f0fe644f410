// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel

/// Finds the reason for which the data of a source that another host asks for is not newer. Pure. Times are in milliseconds.
struct FleetFault {
    /// The newest head entry; nil before the first one.
    let newest: NewestEntry?
    /// The failures of the last reads of addresses.
    let failures: [Failure]
    /// The time since the last answer of any address.
    let silence: Int64
    /// The time since this host began to read the addresses.
    let age: Int64
    /// The failure of this host to take or accept an answer; nil if it has accepted all.
    let own: Failure?
    /// The failure of this host's own request to the upstream; nil if it has made none since it took an answer.
    let request: Failure?

    /// The longest silence of all addresses that is no failure yet.
    static let maxSilence: Int64 = 60_000

    /// The first reason that applies; nil if nothing is wrong.
    ///
    /// - Parameter now: milliseconds since 1970.
    func failure(now: Int64) -> Failure? {
        for kind in [FailureKind.integrity, .clock] {
            if let failure = failures.filter({ $0.kind == kind }).max(by: { $0.at < $1.at }) { return failure }
        }
        if let own { return own }
        if silence > Self.maxSilence, let newest = failures.max(by: { $0.at < $1.at }) {
            var failure = Failure(
                kind: newest.kind, reason: newest.reason, status: newest.status,
                message: Message(.fleetUnread, MessageArgument.of(newest.message)), at: newest.at)
            failure.host = newest.host
            return failure
        }
        // The own failure of a host that may ask is more helpful than the failure of the host that asks.
        guard let newest else {
            guard request == nil, age > HeadJudgement.maxSilence else { return request }
            return Failure(kind: .late, message: Message(.fleetHeadless, "\(age / 1000)"), at: now)
        }
        let fault = late(newest, now: now) ?? newest.entry.error.map { failure($0, of: newest.issuer.host) }
        return fault == nil ? nil : request ?? fault
    }

    /// The failure of a leader that publishes nothing, though it announced that it would.
    private func late(_ newest: NewestEntry, now: Int64) -> Failure? {
        let entry = newest.entry
        let span = max(0, (entry.nextRefresh ?? entry.issuedAt) - entry.issuedAt)
        guard now - newest.seenAt > span + HeadJudgement.maxSilence else { return nil }
        let seconds = (now - newest.seenAt) / 1000
        var failure = Failure(kind: .late, message: Message(.fleetSilent, newest.issuer.host, "\(seconds)"), at: now)
        failure.host = newest.issuer.host
        return failure
    }

    /// The failure of the host that asks.
    private func failure(_ error: HeadEntry.Fault, of host: String) -> Failure {
        let words = [error.kind, error.reason, error.status.map { "\($0)" }].compactMap(\.self)
        var failure = Failure(
            kind: FailureKind(rawValue: error.kind) ?? .other, reason: error.reason.map { FailureReason(rawValue: $0) },
            status: error.status, message: Message(.fleetFailed, host, words.joined(separator: " ")), at: error.at)
        failure.host = host
        return failure
    }

    /// Whether two failures have the same meaning.
    static func isSame(_ one: Failure?, _ other: Failure?) -> Bool {
        one?.kind == other?.kind && one?.reason == other?.reason && one?.status == other?.status
            && one?.host == other?.host && one?.message.key == other?.message.key
    }
}
