// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import ClaimsUpstream

/// The state of reading the address of a leader. Pure. Times are in milliseconds of the clock since the boot, unless
/// stated otherwise.
struct AddressState: Sendable {
    /// The validators of the last good head.
    private(set) var validators: HTTPValidators?
    /// The end of the last good read.
    private(set) var readAt: Int64?
    private(set) var failedAt: Int64?
    private(set) var failures = 0
    /// The failure of the last read; nil after a good one.
    private(set) var failure: Failure?
    /// The time of the newest head that the address served, and of the newest that this host has published there.
    private var servedIssue: Int64 = 0
    private var publishedIssue: Int64 = 0
    /// A published head that the address has not served yet.
    private var awaited: (issuedAt: Int64, since: Int64)?
    /// The clock of the address minus this one at the last good read that gave it, in milliseconds.
    private(set) var clockDifference: Int64?
    /// The number of good reads in a row at which the address had another time than this host.
    private var strangeTimes = 0
    /// The number of reads that were requested, and that have ended.
    var wanted: UInt64 = 0
    var ended: UInt64 = 0

    /// The time for which a read counts before a request.
    private static let validity: Int64 = 5_000
    /// The time for which an address that did not answer is left alone before a request.
    private static let failedValidity: Int64 = 60_000
    /// The number of reads in a row after which a differing clock is reported.
    private static let maxStrangeTimes = 3
    /// The longest time for which an own address may lack the published head.
    static let maxUnserved: Int64 = 60_000

    /// Records a good read.
    ///
    /// - Parameters:
    ///   - validators: the validators of a new head; nil if the head has not changed.
    ///   - issuedAt: the time of the newest entry of a new head.
    ///   - date: the clock of the address, and `now` this one, in milliseconds since 1970.
    mutating func succeeded(
        _ validators: HTTPValidators?, issuedAt: Int64? = nil, date: Int64?, now: Int64, uptime: Int64
    ) {
        self.validators = validators ?? self.validators
        readAt = uptime
        (failedAt, failures, failure) = (nil, 0, nil)
        clockDifference = date.map { $0 - now } ?? clockDifference
        let isStrange = date.map { abs($0 - now) > HeadJudgement.maxClockDifference } ?? false
        strangeTimes = isStrange ? strangeTimes + 1 : 0
        servedIssue = max(servedIssue, issuedAt ?? 0)
        if let awaited, servedIssue >= awaited.issuedAt {
            self.awaited = publishedIssue > servedIssue ? (publishedIssue, uptime) : nil
        }
    }

    /// Records a head that this host has published, by the time of its newest entry; 0: it has none.
    mutating func published(_ issuedAt: Int64, uptime: Int64) {
        // The time may also be earlier, if the clock was set back.
        let isSetBack = issuedAt > 0 && HeadJudgement.isAhead(publishedIssue, now: issuedAt)
        publishedIssue = isSetBack ? issuedAt : max(publishedIssue, issuedAt)
        if isSetBack { awaited = nil }
        awaited = awaited ?? (issuedAt, uptime)
    }

    /// The change for people that a failed read causes.
    enum Event { case refused, gone }

    /// Whether the address has been without an answer for so long that people were informed.
    var isGone: Bool { failures >= Self.failuresToReport }
    private static let failuresToReport = 3

    /// Records a failed read.
    ///
    /// - Returns: the change that people are informed of; nil if there is none.
    mutating func failed(_ failure: Failure, uptime: Int64) -> Event? {
        let isRefusal = failure.kind == .integrity || failure.kind == .clock
        let wasRefusal = self.failure.map { $0.kind == failure.kind } ?? false
        self.failure = failure
        failedAt = uptime
        failures += 1
        if isRefusal { return wasRefusal ? nil : .refused }
        return failures == Self.failuresToReport ? .gone : nil
    }

    /// Whether a read is due before a request to an upstream.
    func isDueBeforeRequest(_ uptime: Int64) -> Bool {
        if let readAt, uptime - readAt < Self.validity { return false }
        if let failedAt, uptime - failedAt < Self.failedValidity { return false }
        return true
    }

    /// The time until the next read.
    ///
    /// - Parameter random: a number from 0 to below 1.
    func wait(poll: Int64, random: Double) -> Int64 {
        if failures > 0 { return FleetRetry.wait(after: failures) }
        return poll + Int64(Double(poll) * (random - 0.5) * 0.2)
    }

    /// The first problem between this host and the addresses, for people; nil if there is none.
    ///
    /// - Parameters:
    ///   - states: the states of the addresses of `leaders`, in their order.
    ///   - own: the rank of this host among the leaders; nil if it is none.
    static func problem(
        _ states: [AddressState], of leaders: [FleetDefinition.Leader], own: Int?, uptime: Int64
    ) -> String? {
        zip(states, leaders).enumerated().lazy.compactMap { index, address in
            address.0.problem(address.1, isOwn: index == own, uptime: uptime)
        }.first
    }

    /// The problem between this host and the address, for people; nil if there is none.
    func problem(_ leader: FleetDefinition.Leader, isOwn: Bool, uptime: Int64) -> String? {
        if strangeTimes >= Self.maxStrangeTimes {
            return "this clock and that of \(leader.host) differ by over a minute; one of the two is wrong"
        }
        guard isOwn, let awaited, uptime - awaited.since > Self.maxUnserved else { return nil }
        let address = HTTPURL.withoutSecrets(leader.address(of: FleetHead.fileName))
        let reason = failure?.message.text("en") ?? "it has an older head"
        return "\(address) does not serve what this host has published: \(reason)"
    }
}
