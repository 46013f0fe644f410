// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// A request that is not answered yet.
struct InFlight: Sendable {
    /// The id as it came, quotes included.
    let id: [UInt8]
    /// Distinguishes it from an earlier request with the same id.
    let token: UInt64
    /// Told when nobody waits for the answer any more; nil where the work cannot be taken back.
    let cancellation: Cancellation?
}

/// Says from any thread that nobody waits for a piece of work any more.
final class Cancellation: Sendable {
    private let flag = Atomic<Bool>(false)

    /// Whether somebody has called ``cancel()``.
    var isCancelled: Bool { flag.load(ordering: .relaxed) }

    func cancel() {
        flag.store(true, ordering: .relaxed)
    }
}
