// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel

/// A collection that a query over all of them left out, and why.
struct SkippedCollection: Sendable {
    let name: String
    let state: CollectionState
    /// One sentence for people.
    let reason: String
}
