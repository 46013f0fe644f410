// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import CCurl
import Synchronization

/// Ends a transfer from another thread, at once and for good.
///
/// One may serve several transfers, one after the other; cancelled before one begins, it ends that one too.
public final class HTTPCancellation: Sendable {
    @safe
    private struct State {
        var isCancelled = false
        /// Invariant: a live multi handle, for it is withdrawn, under the lock, before it is freed.
        nonisolated(unsafe) var transfer: UnsafeMutableRawPointer?
    }

    private let state = Mutex(State())

    public init() {}

    public var isCancelled: Bool {
        state.withLock { state in state.isCancelled }
    }

    /// Ends the transfer that runs, or the next one.
    public func cancel() {
        state.withLock { state in
            state.isCancelled = true
            if let transfer = unsafe state.transfer { _ = unsafe ccurl_multi_wakeup(transfer) }
        }
    }

    /// Lets `cancel` wake up the wait in `multi`, until this is called with nil.
    func attach(_ multi: UnsafeMutableRawPointer?) {
        let handle = unsafe Handle(pointer: multi)
        state.withLock { state in unsafe state.transfer = handle.pointer }
    }

    /// Carries a handle into the lock. Invariant: `wakeup`, all that is done with it there, is safe on any thread.
    @safe
    private struct Handle: @unchecked Sendable {
        let pointer: UnsafeMutableRawPointer?
    }
}
