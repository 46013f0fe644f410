// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import ClaimsOutbox
import ClaimsPlatform
import ClaimsServer
import Synchronization

/// Answers requests that wait for operations, and tells them how far these are.
///
/// It looks at the operations after each news of them, and four times a second while something waits.
final class OutboxWatch: Sendable {
    /// Returns the state of an operation; nil for one that is settled or unknown.
    typealias State = @Sendable (OperationID) -> OperationState?
    /// Returns how much of an operation's request is sent; nil while none is under way.
    typealias Progress = @Sendable (OperationID) -> SendingProgress?

    private struct Waiting {
        let wait: OutboxWait
        /// In nanoseconds of the monotonic clock.
        let end: UInt64
        var told: [OperationID: SendingProgress] = [:]
    }

    private struct Waitings {
        var all: [Waiting] = []
        /// Whether the loop looks again and again.
        var isLooking = false
    }

    private let loop: EventLoop
    private let state: State
    private let progress: Progress
    private let waitings = Mutex(Waitings())

    /// The interval at which progress is told.
    private static let interval: Duration = .milliseconds(250)

    /// - Parameter loop: the event loop that looks at the operations.
    init(_ loop: EventLoop, state: @escaping State, progress: @escaping Progress) {
        self.loop = loop
        self.state = state
        self.progress = progress
    }

    /// Begins to wait. Safe on any thread.
    func add(_ wait: OutboxWait) {
        let end = SystemClock.monotonic &+ wait.timeout.wholeNanoseconds
        waitings.withLock { $0.all.append(Waiting(wait: wait, end: end)) }
        loop.post { [self] in
            look()
            let isFirst = waitings.withLock { waitings in
                defer { waitings.isLooking = !waitings.all.isEmpty }
                return !waitings.isLooking && !waitings.all.isEmpty
            }
            if isFirst { lookAgain() }
        }
    }

    /// Looks at once, because operations have changed. Safe on any thread.
    func note() {
        guard !waitings.withLock({ $0.all.isEmpty }) else { return }
        loop.post { [self] in look() }
    }

    private func lookAgain() {
        loop.schedule(after: Self.interval) { [self] in
            tell()
            look()
            let goesOn = waitings.withLock { waitings in
                waitings.isLooking = !waitings.all.isEmpty
                return waitings.isLooking
            }
            if goesOn { lookAgain() }
        }
    }

    /// Answers each request whose operations are neither queued nor being sent.
    private func look() {
        let now = SystemClock.monotonic
        let ended = waitings.withLock { waitings -> [(OutboxWait, isInTime: Bool)] in
            var ended: [(OutboxWait, isInTime: Bool)] = []
            waitings.all.removeAll { waiting in
                let wait = waiting.wait
                let isUnderWay = wait.operations.contains { id in
                    let state = state(id)
                    return state == .queued || state == .sending
                }
                guard !isUnderWay || now >= waiting.end || wait.isCancelled() else { return false }
                ended.append((wait, !isUnderWay))
                return true
            }
            return ended
        }
        for (wait, isInTime) in ended { wait.done(isInTime) }
    }

    private func tell() {
        let news = waitings.withLock { waitings -> [(OutboxWait, SendingProgress)] in
            var news: [(OutboxWait, SendingProgress)] = []
            for index in waitings.all.indices {
                for id in waitings.all[index].wait.operations {
                    guard let progress = progress(id), waitings.all[index].told[id] != progress else { continue }
                    waitings.all[index].told[id] = progress
                    news.append((waitings.all[index].wait, progress))
                }
            }
            return news
        }
        for (wait, progress) in news { wait.progress(progress) }
    }
}
