// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsStore

extension HeldSummary {
    init(_ counts: IntakeCounts, extent: AnswerExtent) {
        self.init(
            before: extent.before, after: extent.after, added: counts.added, updated: counts.updated,
            removed: extent.missing, quarantined: extent.quarantined)
    }
}

extension LoggedRefresh {
    /// Notes what a body brings.
    mutating func note(_ counts: IntakeCounts) {
        records = counts.records
        added = counts.added
        updated = counts.updated
        removed = counts.removed
        quarantined = counts.quarantined
    }
}

extension IntakeCounts {
    init(_ summary: HeldSummary) {
        self.init()
        records = summary.after
        added = summary.added
        updated = summary.updated
        removed = summary.removed
        quarantined = summary.quarantined
    }
}
