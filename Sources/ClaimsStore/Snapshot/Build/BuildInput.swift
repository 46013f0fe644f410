// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import ClaimsPlatform

/// What every part of the last step of a build reads.
struct BuildInput: Sendable {
    let definition: Definition
    let output: SnapshotOutput
    let records: RecordPlaces
    /// By arrival: where the record begins in the mapping.
    let offsets: SpilledElements<UInt64>
    /// How many records arrived, those taken back included.
    let arrivals: Int
    /// By row: the number by which its record arrived.
    let rows: [UInt32]

    /// The document of the record that arrived as number `arrival`.
    func withDocument<Result>(of arrival: Int, _ body: (RawSpan) -> Result) -> Result {
        let offset = Int(truncatingIfNeeded: offsets.bytes.u64(arrival * 8))
        return records.withDocument(offset, body)
    }
}
