// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// What `ColumnCollector` has gathered.
struct CollectedColumn: Sendable {
    let column: ColumnKind
    /// How many entries there are: distinct values, some of them perhaps more than once.
    let count: Int
    /// By arrival: the entry of the record; of an enum its code.
    let codes: SpilledElements<UInt32>
    /// By entry, end to end, with their lengths; where the column stores keys.
    let keys: SpilledElements<UInt8>
    let keyCounts: SpilledElements<UInt32>
    /// By entry, of texts: a hash of the text as it came, and the first record that has it.
    let tieHashes: SpilledElements<UInt64>
    let firstArrivals: SpilledElements<UInt32>
    /// By entry, end to end, with their lengths in units; where the column is searched.
    let tokens: SpilledElements<UInt16>
    let tokenCounts: SpilledElements<UInt32>
}
