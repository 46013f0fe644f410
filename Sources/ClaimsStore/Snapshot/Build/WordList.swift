// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// The distinct words of a build in the order of their numbers.
struct WordList: Sendable {
    /// End to end, a space after each.
    let words: SpilledElements<UInt8>
    let lengths: SpilledElements<UInt32>
    let count: Int
    /// Whether a word holds a byte below the space.
    let hasControls: Bool
}
