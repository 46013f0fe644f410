// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsPlatform
import ClaimsServer
import Synchronization

/// The work that waits for reloads. Safe on any thread.
final class ReloadQueue: ReloadAwaiting, Sendable {
    private struct State {
        var work: [Int: @Sendable () -> Void] = [:]
        var count = 0
        /// Brings the reloads to their end that were asked for.
        var settle: (@Sendable () -> Void)?
        /// Whether there are no more reloads: the daemon ends.
        var isOver = false
    }

    private let control: EventLoop
    private let state = Mutex(State())

    /// - Parameter control: the event loop of reloads.
    init(_ control: EventLoop) { self.control = control }

    /// Sets what brings the reloads to their end that were asked for; it is called on the control loop.
    func start(_ settle: @escaping @Sendable () -> Void) { state.withLock { $0.settle = settle } }

    /// Runs work after the reloads that have been asked for so far, on the control loop.
    ///
    /// ``end()`` runs what waits before the server ends, since clients wait for it. After that, work runs on the caller's
    /// thread.
    func afterReloads(_ work: @escaping @Sendable () -> Void) {
        let number = state.withLock { state -> Int? in
            if state.isOver { return nil }
            state.count += 1
            state.work[state.count] = work
            return state.count
        }
        guard let number else { return work() }
        control.post { [self] in
            state.withLock { $0.settle }?()
            let work = state.withLock { $0.work.removeValue(forKey: number) }
            work?()
        }
    }

    /// Runs all work that waits, in its order. Later work has nothing to wait for.
    func end() {
        let work = state.withLock { state in
            state.isOver = true
            defer { state.work = [:] }
            return state.work.sorted { $0.key < $1.key }.map { $0.value }
        }
        for work in work { work() }
    }
}
