// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import ClaimsOutbox
import ClaimsPlatform
import ClaimsStore
import Synchronization

/// A request that is answered when operations are neither queued nor being sent, or wait for a person.
struct OutboxWait: Sendable {
    var operations: [OperationID]
    /// The time after which the request is answered even if its operations still wait.
    var timeout: Duration
    /// Whether the answer is not needed any more.
    var isCancelled: @Sendable () -> Bool
    /// Called at most four times a second for each operation that is being sent.
    var progress: @Sendable (SendingProgress) -> Void
    /// Called once: true in time, false after the timeout.
    var done: @Sendable (Bool) -> Void
}

/// Answers requests that wait for operations, and reports the progress of these.
///
/// It inspects the operations and the deadlines after each commit, and four times a second while a request waits.
final class OutboxWatch: Sendable {
    private struct Waiting {
        let wait: OutboxWait
        /// The time at which the request is answered even if its operations still wait, in nanoseconds of the monotonic
        /// clock.
        let deadline: UInt64
        /// The progress that was reported last.
        var reported: [OperationID: SendingProgress] = [:]
    }

    private struct State {
        var all: [Waiting] = []
        /// Whether the loop inspects them again and again.
        var isPolling = false
    }

    private let loop: EventLoop
    private let catalogs: CatalogPublisher
    private let outbox: Outbox
    private let state = Mutex(State())

    /// The interval at which progress is reported.
    private static let interval: Duration = .milliseconds(250)

    /// - Parameter loop: the event loop that inspects the operations.
    init(_ loop: EventLoop, _ catalogs: CatalogPublisher, _ outbox: Outbox) {
        self.loop = loop
        self.catalogs = catalogs
        self.outbox = outbox
        catalogs.observe { [weak self] _ in self?.handleCommit() }
    }

    /// Begins to wait. Safe on any thread.
    func add(_ wait: OutboxWait) {
        let deadline = SystemClock.monotonic &+ wait.timeout.wholeNanoseconds
        state.withLock { $0.all.append(Waiting(wait: wait, deadline: deadline)) }
        loop.post { [self] in
            inspect()
            let isFirst = state.withLock { state in
                defer { state.isPolling = !state.all.isEmpty }
                return !state.isPolling && !state.all.isEmpty
            }
            if isFirst { poll() }
        }
    }

    /// Inspects them at once, because operations may have changed.
    private func handleCommit() {
        guard !state.withLock({ $0.all.isEmpty }) else { return }
        loop.post { [self] in inspect() }
    }

    private func poll() {
        loop.schedule(after: Self.interval) { [self] in
            reportProgress()
            inspect()
            let goesOn = state.withLock { state in
                state.isPolling = !state.all.isEmpty
                return state.isPolling
            }
            if goesOn { poll() }
        }
    }

    /// Answers each request that waits no longer: its operations are neither queued nor being sent, or wait behind one that
    /// waits for a person; its time is over; or it was cancelled.
    private func inspect() {
        guard !state.withLock({ $0.all.isEmpty }) else { return }
        let now = SystemClock.monotonic
        let catalog = catalogs.current()
        let awaited = state.withLock { state in Set(state.all.flatMap(\.wait.operations)) }
        let underWay = Set(
            catalog.unsettledOperations.lazy.filter { operation in
                guard awaited.contains(operation.id) else { return false }
                return operation.state == .sending
                    || operation.state == .queued && catalog.stuckObstacle(to: operation) == nil
            }.map(\.id))
        let ended = state.withLock { state -> [(OutboxWait, isInTime: Bool)] in
            var ended: [(OutboxWait, isInTime: Bool)] = []
            state.all.removeAll { waiting in
                let wait = waiting.wait
                // A request that came meanwhile is inspected next.
                guard awaited.isSuperset(of: wait.operations) else { return false }
                let isUnderWay = wait.operations.contains { underWay.contains($0) }
                guard !isUnderWay || now >= waiting.deadline || wait.isCancelled() else { return false }
                ended.append((wait, !isUnderWay))
                return true
            }
            return ended
        }
        for (wait, isInTime) in ended { wait.done(isInTime) }
    }

    private func reportProgress() {
        let reports = state.withLock { state -> [(OutboxWait, SendingProgress)] in
            var reports: [(OutboxWait, SendingProgress)] = []
            for index in state.all.indices {
                for id in state.all[index].wait.operations {
                    guard let progress = outbox.progress(of: id), state.all[index].reported[id] != progress else {
                        continue
                    }
                    state.all[index].reported[id] = progress
                    reports.append((state.all[index].wait, progress))
                }
            }
            return reports
        }
        for (wait, progress) in reports { wait.progress(progress) }
    }
}
