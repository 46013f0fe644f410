// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsStore

/// A request for one record that waits for those of other connections, so that all wait for memory together.
struct GatheredRequest {
    let session: Session
    /// The collection, which has a snapshot.
    let slot: ViewSlot
    let snapshot: Snapshot
    /// The line, newline included, as a range of what the loop has received.
    let line: Range<Int>
    /// Where in it is what, as ranges of the same.
    let request: RepeatedDetail.Request
    var prepared: PreparedID
}
