// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// Who is served where: light connections on the first half of the loops, heavy ones on all of them.
///
/// Pure: loops are numbers.
struct LoopBalance: Sendable {
    /// How many heavy connections each loop serves.
    private var heavy: [Int]

    init(loops: Int) {
        heavy = Array(repeating: 0, count: loops)
    }

    /// How many loops, from the first on, serve light connections.
    var lightLoops: Int { max(1, heavy.count / 2) }

    /// The loop of a light connection.
    func first(token: UInt64) -> Int { Int(token % UInt64(lightLoops)) }

    /// Notes that a loop has a heavy connection more, or one less.
    mutating func count(_ change: Int, heavyOf loop: Int) {
        heavy[loop] += change
    }

    /// Where a connection is served best that `loop` serves now; nil: there.
    func place(isHeavy: Bool, token: UInt64, now loop: Int) -> Int? {
        guard isHeavy else { return loop < lightLoops ? nil : first(token: token) }
        guard let least = heavy.indices.min(by: { heavy[$0] < heavy[$1] }) else { return nil }
        // Away from where light ones are it may go sooner, so that it does not come back.
        let gain = loop < lightLoops && least >= lightLoops ? 1 : 2
        return heavy[loop] - heavy[least] >= gain ? least : nil
    }
}
