// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// The loops that serve. Safe on any thread.
final class LoopTeam: Sendable {
    let loops: [ServingLoop]
    private let balance: Mutex<LoopBalance>

    init(_ loops: [ServingLoop]) {
        self.loops = loops
        balance = Mutex(LoopBalance(loops: loops.count))
    }

    /// Where a connection begins.
    func first(token: UInt64) -> ServingLoop { loops[balance.withLock { $0.first(token: token) }] }

    /// Notes that a loop has a heavy connection more, or one less.
    func count(_ change: Int, heavyOf number: Int) {
        balance.withLock { $0.count(change, heavyOf: number) }
    }

    /// Where a connection is served best that loop `number` serves now; nil: there.
    func place(isHeavy: Bool, token: UInt64, now number: Int) -> ServingLoop? {
        balance.withLock { $0.place(isHeavy: isHeavy, token: token, now: number) }.map { loops[$0] }
    }
}
