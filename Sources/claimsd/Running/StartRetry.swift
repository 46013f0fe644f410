// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsPlatform
import ClaimsSystemd
import Glibc

/// Decides how long a start waits for a temporary obstacle: a full disk, or a lock of another program. Pure.
struct StartRetry {
    /// The time within which all parts of a start together are tried again. The last try may wait for a lock, so that a
    /// start that fails takes about a minute.
    static let maxTime: Duration = .seconds(45)
    /// The time between two tries.
    static let interval: Duration = .seconds(1)

    enum Decision: Equatable {
        /// The start has failed.
        case end
        /// It is tried again; people are informed of a new cause.
        case wait(isNews: Bool)
    }

    private var deadline: UInt64?
    private var reported: String?

    /// The decision after a failure.
    ///
    /// - Parameter now: nanoseconds of the monotonic clock.
    mutating func decide(on failure: StartFailure, now: UInt64) -> Decision {
        let deadline = deadline ?? now &+ Self.maxTime.wholeNanoseconds
        self.deadline = deadline
        guard failure.mayPass, now < deadline else { return .end }
        defer { reported = failure.cause }
        return .wait(isNews: reported != failure.cause)
    }
}

/// Tries parts of the start, and reports the reason for waiting.
struct StartRetrier {
    private let log: Log
    private var retry = StartRetry()

    init(_ log: Log) { self.log = log }

    /// Does a part of the start, again and again until it goes well, fails for good, the time is over, or a signal ends it.
    mutating func run<Part>(
        endedBy signals: borrowing SignalReader, _ part: () throws(StartFailure) -> Part
    ) throws(StartFailure) -> Part {
        while true {
            do throws(StartFailure) {
                return try part()
            } catch {
                guard case .wait(let isNews) = retry.decide(on: error, now: SystemClock.monotonic) else { throw error }
                if isNews { report(error) }
            }
            ServiceManager.extendTimeout(.seconds(60))
            _ = Monitor(false).wait(upTo: StartRetry.interval) { $0 ? true : nil }
            while let signal = signals.next() {
                if signal != SIGHUP { throw .stopped }
            }
        }
    }

    private func report(_ failure: StartFailure) {
        ServiceManager.status("starting: it waits, because it \(failure.cause)")
        log.write(
            .warning, "the start waits for up to a minute", event: failure.event, fields: failure.fields)
    }
}
