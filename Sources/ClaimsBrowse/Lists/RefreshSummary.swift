// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsClient
import ClaimsModel
import ClaimsProtocol

/// The outcome of the refresh of one collection, for a notice.
struct RefreshSummary: Sendable {
    let title: String
    /// The outcome; nil for one of a newer daemon.
    let outcome: RefreshOutcome?
    /// The outcome as the daemon names it.
    let word: String
    let added: Int64
    let updated: Int64
    let removed: Int64
    /// The reason of a failure, from the collection's state.
    let reason: String?
    /// Whether only the second request has failed, which fills in fields.
    let isJoinMissing: Bool
    /// The time before which the upstream is not asked, in milliseconds since 1970.
    let until: Int64?

    /// Reads one of the outcomes in an answer of `refresh`.
    init(_ value: AnswerValue, title: String) {
        typealias Outcome = RefreshResult.Outcome
        self.title = title
        word = value[Outcome.outcome] ?? ""
        outcome = RefreshOutcome(rawValue: word)
        added = value[Outcome.added] ?? 0
        updated = value[Outcome.updated] ?? 0
        removed = value[Outcome.removed] ?? 0
        reason = value[Outcome.meta]?[Meta.lastError]?[RefreshFailure.message]
        let kind: String? = value[Outcome.meta]?[Meta.lastError]?[RefreshFailure.kind]
        isJoinMissing = kind == "join" && outcome?.isSuccess == true
        until = value[Outcome.until]?.string.flatMap { Instant.parse($0)?.ms }
    }
}
