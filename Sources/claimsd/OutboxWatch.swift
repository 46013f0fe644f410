// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import ClaimsPlatform
import ClaimsServer

/// Answers requests that wait for operations, and tells them how far these are.
///
/// It looks at the operations after each news of them, and four times a second while something waits.
///
/// Invariant behind the unchecked conformance: `waiting` and `isLooking` are touched on the thread of the loop only. An
/// actor cannot own the thread of an event loop.
final class OutboxWatch: @unchecked Sendable {
    /// Returns the state of an operation; nil for one that is settled or unknown.
    typealias State = @Sendable (OperationID) -> OperationState?
    /// Returns how much of an operation's request is sent; nil while none is under way.
    typealias Progress = @Sendable (OperationID) -> OperationProgress?

    private struct Waiting {
        let wait: OutboxWait
        /// In nanoseconds of the monotonic clock.
        let end: UInt64
        var told: [OperationID: OperationProgress] = [:]
    }

    private let loop: EventLoop
    private let state: State
    private let progress: Progress
    /// Invariant: confined to the loop's thread.
    private var waiting: [Waiting] = []
    /// Invariant: confined to the loop's thread.
    private var isLooking = false

    /// The interval at which progress is told.
    private static let interval: Duration = .milliseconds(250)

    init(_ loop: EventLoop, state: @escaping State, progress: @escaping Progress) {
        self.loop = loop
        self.state = state
        self.progress = progress
    }

    /// Begins to wait. Safe on any thread.
    func add(_ wait: OutboxWait) {
        let end = SystemClock.monotonic &+ wait.timeout.wholeNanoseconds
        loop.post { [self] in
            waiting.append(Waiting(wait: wait, end: end))
            look()
            guard !isLooking, !waiting.isEmpty else { return }
            isLooking = true
            lookAgain()
        }
    }

    /// Looks at once, because operations have changed. Safe on any thread.
    func note() {
        loop.post { [self] in look() }
    }

    private func lookAgain() {
        loop.schedule(after: Self.interval) { [self] in
            tell()
            look()
            if waiting.isEmpty { isLooking = false } else { lookAgain() }
        }
    }

    /// Answers each request whose operations are neither queued nor being sent.
    private func look() {
        let now = SystemClock.monotonic
        waiting.removeAll { waiting in
            let wait = waiting.wait
            let isUnderWay = wait.operations.contains { id in
                let state = state(id)
                return state == .queued || state == .sending
            }
            guard !isUnderWay || now >= waiting.end || wait.isCancelled() else { return false }
            wait.done(!isUnderWay)
            return true
        }
    }

    private func tell() {
        for index in waiting.indices {
            for id in waiting[index].wait.operations {
                guard let progress = progress(id), waiting[index].told[id] != progress else { continue }
                waiting[index].told[id] = progress
                waiting[index].wait.progress(progress)
            }
        }
    }
}
