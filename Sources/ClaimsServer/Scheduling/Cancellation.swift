// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// A flag that tells running work that its result is no longer wanted.
///
/// Any thread may set it and read it. Work that can be cancelled looks at it from time to time, or is told.
final class Cancellation: Sendable {
    private let flag = Atomic<Bool>(false)
    /// The work that is done when the flag is set.
    private let reaction = Mutex<(@Sendable () -> Void)?>(nil)

    /// Whether ``cancel()`` was called.
    var isCancelled: Bool { flag.load(ordering: .relaxed) }

    /// Sets the flag; calling it again does nothing.
    func cancel() {
        let react = reaction.withLock { reaction in
            flag.store(true, ordering: .relaxed)
            defer { reaction = nil }
            return reaction
        }
        react?()
    }

    /// Has `react` called once, on the thread that cancels; at once if that has happened.
    func whenCancelled(_ react: @escaping @Sendable () -> Void) {
        let isLate = reaction.withLock { reaction in
            if !isCancelled { reaction = react }
            return isCancelled
        }
        if isLate { react() }
    }
}
