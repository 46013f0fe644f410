// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import ClaimsStore

/// What became of the second request.
struct JoinResult {
    /// What it took, if that is not known from before: to be kept, and to decode with.
    var table: JoinTable?
    /// Whether records may get other values than before.
    var isChanged = false
    /// The values of the last good join are to be thrown away.
    var isDropped = false
    var failure: FetchFailure?
    var hash: String?
    var validators = SourceRow.Validators()
    /// Whether `hash` and `validators` are new.
    var isAnswered = false
}
