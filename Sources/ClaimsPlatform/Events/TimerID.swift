// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// Names one scheduled piece of work of one loop; never used twice.
public struct TimerID: Hashable, Sendable {
    let slot: Int
    let generation: UInt64
}
