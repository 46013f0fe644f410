// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import ClaimsPlatform

/// The records of a build in the order in which they arrived.
struct ArrivedRecords: Sendable {
    let definition: Definition
    let output: SnapshotOutput
    let records: RecordPlaces
    /// By arrival: where the record begins in the mapping.
    let offsets: SpilledElements<UInt64>
    /// How many there are, those taken back included.
    let count: Int

    /// The document of the record that arrived as number `arrival`.
    func withDocument<Result>(of arrival: Int, _ body: (RawSpan) -> Result) -> Result {
        let offset = Int(truncatingIfNeeded: offsets.bytes.u64(arrival * 8))
        return records.withDocument(offset, body)
    }
}
