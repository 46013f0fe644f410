// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// Decides which loop serves a connection: light ones share the first half of the loops, heavy ones may use all.
///
/// Pure: loops are numbers.
struct LoopBalance: Sendable {
    /// The number of heavy connections on each loop.
    private var heavy: [Int]

    init(loops: Int) {
        heavy = Array(repeating: 0, count: loops)
    }

    /// The number of loops, from the first on, that serve light connections.
    var lightLoops: Int { max(1, heavy.count / 2) }

    /// The loop of a light connection.
    func firstLoop(token: UInt64) -> Int { Int(token % UInt64(lightLoops)) }

    /// Adds `change` to the number of heavy connections on a loop.
    mutating func changeHeavyCount(of loop: Int, by change: Int) {
        heavy[loop] += change
    }

    /// The loop that a connection on loop `current` should move to; nil where it should stay.
    func betterLoop(isHeavy: Bool, token: UInt64, current: Int) -> Int? {
        guard isHeavy else { return current < lightLoops ? nil : firstLoop(token: token) }
        guard let least = heavy.indices.min(by: { heavy[$0] < heavy[$1] }) else { return nil }
        // A smaller gain is enough to leave the light loops: the connection does not come back.
        let gain = current < lightLoops && least >= lightLoops ? 1 : 2
        return heavy[current] - heavy[least] >= gain ? least : nil
    }
}
