// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import ClaimsPlatform

/// What every part of the last step of a build reads.
struct BuildInput: Sendable {
    let arrived: ArrivedRecords
    /// By row: the number by which its record arrived.
    let rows: [UInt32]

    var definition: Definition { arrived.definition }
    var output: SnapshotOutput { arrived.output }
}
