// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// How many bytes all connections together hold back, where each alone stays within its own bounds.
///
/// Many that each take what they may would still add up to more memory than the daemon should have. Nobody waits for
/// anybody here: who comes once it is used up gets less at a time. Safe on any thread.
final class BufferBudget: Sendable {
    /// The budget of answers that were not taken yet, in bytes; what queries in flight may bring counts too.
    static let unsent = 32 << 20
    /// The budget of lines that were not read yet, in bytes.
    static let unread = 24 << 20
    /// What an answer, or a line, may always have, in bytes.
    static let share = 1 << 16

    private let held = Atomic<Int>(0)
    private let most: Int

    init(_ most: Int) {
        self.most = most
    }

    var isExhausted: Bool { excess >= 0 }

    /// How much is held back beyond the budget; negative while it lasts.
    var excess: Int { held.load(ordering: .relaxed) - most }

    /// How much one connection may add at once: half of what is left, so that many at the same time share it.
    var allowance: Int { max(Self.share, -excess / 2) }

    /// Notes that a connection holds back more, or less, than before.
    func change(by bytes: Int) {
        held.wrappingAdd(bytes, ordering: .relaxed)
    }
}
