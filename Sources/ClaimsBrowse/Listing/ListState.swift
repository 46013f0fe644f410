// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsClient
import ClaimsTerminal

/// The list of one collection: what is asked, the rows around the view, and what is newer than they are.
struct ListState: Sendable {
    /// The stage of the newest question.
    enum Phase: Sendable {
        /// Nothing has come yet.
        case loading
        /// Rows of an answer are held, maybe of the question before; `isSearching` after 300 ms without an answer.
        case answered(isSearching: Bool)
        /// There is nothing to show, and the reason.
        case refused(Refusal)
    }

    let collection: String
    var query = ListQuery()
    var phase = Phase.loading
    /// The state of the collection: freshness, source, last error, next refresh.
    var meta: CollectionMeta?
    /// A run of records without gaps, in the order of the list; at most `maxRows`.
    var rows: [ListRow] = []
    /// The rank of the first of `rows` in the whole list, from 0.
    var firstRank = 0
    /// The cursor of the page before `rows`; nil at the start of the list.
    var previous: String?
    /// The cursor of the page after `rows`; nil at the end of the list.
    var next: String?
    /// The number of records that match.
    var total: Int64 = 0
    /// The groups with their totals, in their order; empty where the list has none.
    var groups: [ListGroup] = []
    /// The index in `rows` of the first record on the screen.
    var top = 0
    /// The index in `rows` of the selected record; nil for an empty list.
    var selected: Int?
    var liveness = Liveness.asking
    /// The ids of records that came into the set since the rows were asked for.
    var newer: Set<String> = []
    /// Whether the whole set was made anew, so that the rows tell an older one.
    var isRebuilt = false
    /// The refresh that was asked for here, while it runs.
    var refresh: RefreshProgress?
    /// Whether groups are shown: the collection has them, and the list is in the collection's own order.
    var isGrouped = false

    init(collection: String) { self.collection = collection }

    /// The number of records of one page of the protocol.
    static let pageRows = 100
    /// The maximum number of records that are held: nine pages.
    static let maxRows = 9 * pageRows

    /// The selected row; nil for an empty list.
    var selectedRow: ListRow? { selected.map { rows[$0] } }
}

/// A record of a list.
struct ListRow: Sendable {
    /// The difference between the record as it is shown and as it was asked for.
    enum Mark: Equatable, Sendable {
        /// It has changed while it was on the screen, and is shown as it is now.
        case updated
        /// It is not in the set any more; the reason as the feed tells it, such as `gone`.
        case removed(reason: String)
    }

    let id: String
    /// The listed fields; `archived` and `pending` as the daemon sends them.
    var record: AnswerValue
    /// The key of the group that it stands under; nil without groups.
    var group: String?
    var mark: Mark?
}

/// A group of a list with its total.
struct ListGroup: Equatable, Sendable {
    /// The key; empty for the records of no group.
    let key: String
    let label: String
    let total: Int64
}

/// Whether the list follows the changes of its records.
enum Liveness: Equatable, Sendable {
    /// A subscription is under way.
    case asking
    case live
    /// Changes are not told; the reason is for people, where there is one.
    case notLive(String?)
}

/// The progress of a refresh, as its notifications tell it.
struct RefreshProgress: Equatable, Sendable {
    /// The time it was asked for, in milliseconds since 1970.
    var since: Int64
    /// `queued`, `connect`, `receive`, `read` or `write`; nil before the first notification.
    var phase: String?
    var bytes: Int64 = 0
    /// The size that the upstream announced; nil where it did not.
    var expected: Int64?
    var pages: Int64 = 0
    var records: Int64 = 0
}
