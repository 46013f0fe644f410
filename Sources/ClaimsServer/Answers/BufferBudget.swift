// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// A bound on the bytes that all connections together keep in memory.
///
/// Each connection has bounds of its own, but many connections at their bounds would still use too much memory. Nothing
/// blocks when the budget is used up: connections then get less room at a time. Safe on any thread.
final class BufferBudget: Sendable {
    /// The budget of answers that peers have not read, in bytes. Each request in flight counts as one `share`.
    static let unsent = 32 << 20
    /// The memory of request lines that are not read yet, in bytes; `LineLedger` shares it out.
    static let unread = 24 << 20
    /// The size that an answer or a line may always have, in bytes.
    static let share = 1 << 16

    /// The size of written answers at which they are sent although more lines wait, in bytes.
    static let sendThreshold = 1 << 17

    private let used = Atomic<Int>(0)
    /// The actions to call once the budget is no longer used up.
    private let waiting = Mutex<[@Sendable () -> Void]>([])
    private let maxBytes: Int

    init(maxBytes: Int) {
        self.maxBytes = maxBytes
    }

    /// Whether the whole budget is in use.
    var isExhausted: Bool { excess >= 0 }

    /// The number of bytes in use beyond the budget; negative while some are left.
    var excess: Int { used.load(ordering: .relaxed) - maxBytes }

    /// The number of bytes that one connection may add at once: half of what is left, so that several can share it.
    var allowance: Int { max(Self.share, -excess / 2) }

    /// Adds a connection's change in use, in bytes; negative if it uses less than before.
    func change(by bytes: Int) {
        let (before, after) = used.wrappingAdd(bytes, ordering: .relaxed)
        if before >= maxBytes, after < maxBytes { callWaiting() }
    }

    /// Calls `action` once, as soon as the budget is not used up: on any thread, or at once.
    func whenRelieved(_ action: @escaping @Sendable () -> Void) {
        waiting.withLock { $0.append(action) }
        // A change before the lock was held did not see the action, but is seen here.
        if !isExhausted { callWaiting() }
    }

    private func callWaiting() {
        let due = waiting.withLock { waiting in
            defer { waiting = [] }
            return waiting
        }
        for action in due { action() }
    }
}

/// The use of the memory that all connections share.
struct MemoryPressure: Equatable {
    /// Whether the budget of unsent answers is used up.
    var isUnsentExhausted = false
}
