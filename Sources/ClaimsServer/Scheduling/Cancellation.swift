// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// A flag that tells running work that its result is no longer wanted.
///
/// Any thread may set it and read it. Work that can be cancelled looks at it from time to time.
final class Cancellation: Sendable {
    private let flag = Atomic<Bool>(false)

    /// Whether ``cancel()`` was called.
    var isCancelled: Bool { flag.load(ordering: .relaxed) }

    /// Sets the flag; calling it again does nothing.
    func cancel() {
        flag.store(true, ordering: .relaxed)
    }
}
