// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsStore

/// Where a query goes on: the last record served, by its sort keys, and what the query was.
///
/// It pages by key, not by offset, so that a refresh between two pages neither skips nor repeats a record that stayed.
struct Cursor: Sendable, Equatable {
    /// What the query was: another query's cursor is refused.
    var query: UInt64
    /// The time that relative dates of the filter mean, in milliseconds since 1970.
    var now: Int64
    /// Which of the collections searched the last record belongs to.
    var target: Int
    /// The generation that the page was served from.
    var generation: UInt64
    /// The state of the archive that the page was served with.
    var archive: UInt64
    /// The last record served; nil where the next page begins with the first record of the target.
    var position: PagePosition?
}
