// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import ClaimsQuery
import ClaimsStore

/// One collection of a query, with the query as it applies there.
struct QueryTarget: Sendable {
    let view: CollectionView
    let snapshot: Snapshot
    let predicate: Predicate
    let order: RecordOrder
}
