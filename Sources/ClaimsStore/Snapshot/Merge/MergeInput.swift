// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// What every part of a merging build reads.
struct MergeInput: Sendable {
    let rows: RowMerge
    /// The new records alone, in the order of their ids.
    let fresh: BuildInput
    let words: WordMerge

    var output: SnapshotOutput { fresh.output }
    var old: Snapshot { rows.old }
    /// How many rows there are.
    var count: Int { rows.numbers.count }
}
