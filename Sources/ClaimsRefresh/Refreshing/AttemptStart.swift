// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import ClaimsPlatform
import ClaimsStore

/// The moment at which an attempt to refresh begins, for its entry in the log.
struct AttemptStart {
    /// Milliseconds since 1970.
    let at: Int64
    /// Nanoseconds of the monotonic clock.
    private let monotonic = SystemClock.monotonic

    init(at: Int64) {
        self.at = at
    }

    /// The entry about the attempt, without changes of records.
    ///
    /// - Parameters:
    ///   - source: the state of the source after the attempt.
    ///   - bytes: the size of the bodies that came.
    ///   - records: the records that the answer means; nil where none is known.
    ///   - maxKept: the number of entries of the collection that stay.
    func entry(
        _ outcome: RefreshOutcome, _ source: SourceRow, bytes: Int, records: Int?, maxKept: Int
    ) -> RefreshNote {
        // A source may keep the error of an earlier request for everything when it tells well what has changed.
        let kind = outcome.isFailure ? source.lastError?.kind : nil
        var refresh = LoggedRefresh(at: at, outcome: outcome, kind: kind, bytes: bytes, records: records)
        refresh.site = source.site
        return RefreshNote(refresh, began: monotonic, maxKept: maxKept)
    }
}
