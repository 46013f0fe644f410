// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// The numbers of answered requests, one for each loop, for `status`.
///
/// Each loop counts for itself, so that loops never wait for each other's cache lines.
final class AnswerCounts: Sendable {
    /// The number of one loop. Only that loop adds; any thread may read.
    final class Counter: Sendable {
        private let count = Atomic<Int>(0)

        /// Adds answers. A store is enough, as no other thread writes.
        func add(_ answers: Int) {
            count.store(count.load(ordering: .relaxed) &+ answers, ordering: .relaxed)
        }

        var value: Int { count.load(ordering: .relaxed) }
    }

    private let counters: [Counter]

    init(loops: Int) {
        counters = (0..<loops).map { _ in Counter() }
    }

    /// The counter of a loop.
    func counter(of loop: Int) -> Counter { counters[loop] }

    /// How many requests all loops have answered since the start, refusals included.
    var total: Int { counters.reduce(0) { $0 + $1.value } }
}
