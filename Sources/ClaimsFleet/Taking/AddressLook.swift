// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import ClaimsUpstream

/// The outcomes of the looks at the address of a leader. Pure. Times are in milliseconds of the clock since the boot, if nothing
/// else is said.
struct AddressLook: Sendable {
    /// Those of the last good head.
    private(set) var validators: HTTPValidators?
    /// The end of the last good look.
    private(set) var readAt: Int64?
    private(set) var failedAt: Int64?
    private(set) var failures = 0
    /// The failure of the last look; nil after a good one.
    private(set) var failure: Failure?
    /// The number of good looks in a row at which the address had another time than this host.
    private var strangeTimes = 0
    /// The number of looks that were asked for, and that have ended.
    var wanted: UInt64 = 0
    var ended: UInt64 = 0

    /// The time for which a look counts before a request.
    private static let validity: Int64 = 5_000
    /// The time for which an address that did not answer is left alone before a request.
    private static let failedValidity: Int64 = 60_000
    private static let firstBackoff: Int64 = 1_000
    static let maxBackoff: Int64 = 60_000
    /// The number of looks in a row after which another clock is told.
    private static let maxStrangeTimes = 3
    /// The longest time for which an own address may lack the published head.
    static let maxUnserved: Int64 = 60_000

    /// Takes note of a good look.
    ///
    /// - Parameters:
    ///   - validators: those of a new head; nil where it is as it was.
    ///   - date: the clock of the address, and `now` this one, in milliseconds since 1970.
    mutating func succeeded(_ validators: HTTPValidators?, date: Int64?, now: Int64, uptime: Int64) {
        self.validators = validators ?? self.validators
        readAt = uptime
        (failedAt, failures, failure) = (nil, 0, nil)
        let isStrange = date.map { abs($0 - now) > HeadJudgement.maxClockDifference } ?? false
        strangeTimes = isStrange ? strangeTimes + 1 : 0
    }

    mutating func failed(_ failure: Failure, uptime: Int64) {
        self.failure = failure
        failedAt = uptime
        failures += 1
    }

    /// Whether a look is due before a request to an upstream.
    func isDueBeforeRequest(_ uptime: Int64) -> Bool {
        if let readAt, uptime - readAt < Self.validity { return false }
        if let failedAt, uptime - failedAt < Self.failedValidity { return false }
        return true
    }

    /// The time until the next look.
    ///
    /// - Parameter random: from 0 to below 1.
    func wait(poll: Int64, random: Double) -> Int64 {
        if failures > 0 { return Self.backoff(after: failures) }
        return poll + Int64(Double(poll) * (random - 0.5) * 0.2)
    }

    /// The wait after failures in a row.
    static func backoff(after failures: Int) -> Int64 {
        min(maxBackoff, firstBackoff << Int64(min(max(failures, 1) - 1, 10)))
    }

    /// The first problem between this host and the addresses, for people; nil where there is none.
    ///
    /// - Parameters:
    ///   - looks: those at the addresses of `leaders`, in their order.
    ///   - own: the place of this host among the leaders; nil where it is none.
    ///   - publishedFor: the time since the first publication of this host; nil where there was none.
    static func problem(
        _ looks: [AddressLook], of leaders: [FleetDefinition.Leader], own: Int?, publishedFor: Int64?
    ) -> String? {
        zip(looks, leaders).enumerated().lazy.compactMap { index, look in
            look.0.problem(look.1, unservedFor: index == own ? publishedFor : nil)
        }.first
    }

    /// The problem between this host and the address, for people; nil where there is none.
    ///
    /// - Parameter unservedFor: the time since the first publication of this host; nil for the address of another one.
    func problem(_ leader: FleetDefinition.Leader, unservedFor: Int64?) -> String? {
        if strangeTimes >= Self.maxStrangeTimes {
            return "this clock and that of \(leader.host) differ by over a minute; one of the two is wrong"
        }
        guard let unservedFor, unservedFor > Self.maxUnserved, let failure else { return nil }
        let address = HTTPURL.withoutSecrets(leader.address(of: FleetHead.fileName))
        return "\(address) does not serve what this host has published: \(failure.message.text("en"))"
    }
}
