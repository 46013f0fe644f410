// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsClient
import ClaimsModel
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
    /// The question. The rows may still answer the one before: ``answeredQuery``.
    var query = ListQuery()
    /// The question that the rows answer.
    var answeredQuery = ListQuery()
    var phase = Phase.loading
    /// The state of the collection: freshness, source, last error, next refresh.
    var meta: CollectionMeta?
    /// A run of records without gaps, in the order of the list; at most `maxRows`.
    var rows: [ListRow] = []
    /// The rank of the first of `rows` in the whole list, from 0.
    var firstRank = 0
    /// The answers that `rows` came in, in the same order.
    var windows: [ListWindow] = []
    /// The number of records that match.
    var total: Int64 = 0
    /// The groups with their totals, in their order; empty where the list has none.
    var groups: [ListGroup] = []
    /// The index in `rows` of the first record on the screen.
    var top = 0
    /// The index in `rows` of the selected record; nil for an empty list.
    var selected: Int?
    var liveness = Liveness.asking
    /// The ids of records that came into the set since the rows were asked for; at most `maxNewer`.
    var newer: Set<String> = []
    /// Whether the whole set was made anew, so that the rows tell an older one.
    var isRebuilt = false
    /// The refresh that was asked for here, while it runs.
    var refresh: ListRefresh?
    /// Whether groups are shown: the collection has them, and the list is in the collection's own order.
    var isGrouped = false
    /// The layout of the rows, as far as they have been measured; it may be missing or older than they are.
    var fit: ListFit?
    /// The record whose id was searched for, where no text has it; nil without one.
    var namesake: ListNamesake?
    /// The requests under way; the screen does not show them.
    var work = ListWork()

    init(collection: String) { self.collection = collection }

    /// The number of records of one page of the protocol.
    static let pageRows = 100
    /// The maximum number of records that are held: nine pages.
    static let maxRows = 9 * pageRows
    /// The maximum number of newer ids that are counted; beyond, the set counts as made anew.
    static let maxNewer = 50_000

    /// The cursor of the page before `rows`; nil at the start of the list.
    var previous: String? { windows.first?.previous }
    /// The cursor of the page after `rows`; nil at the end of the list.
    var next: String? { windows.last?.next }
    /// The selected row; nil for an empty list.
    var selectedRow: ListRow? { selected.map { rows[$0] } }
    /// Whether something is newer than the rows, which `g` takes in.
    var hasNews: Bool { isRebuilt || !newer.isEmpty || rows.contains { $0.mark != nil } }

    /// The rank of the selected record in the list, from 1; nil for an empty list. Records that left are not counted.
    var selectedRank: Int? {
        selected.map { firstRank + rows[..<$0].count(where: \.isPresent) + 1 }
    }

    /// The record whose id is what the list was searched for in vain; nil where it has rows, or there is no such record.
    var foundByID: ListNamesake? {
        rows.isEmpty && namesake?.text == answeredQuery.possibleID ? namesake : nil
    }

    /// The index of the row with that id; nil if there is none.
    func index(of id: String) -> Int? { rows.firstIndex { $0.id == id } }
}

/// A record whose id is a text that was searched for.
struct ListNamesake: Sendable {
    let text: String
    /// The record with all its fields.
    let record: AnswerValue

    var id: String { record["id"]?.text ?? text }
}

/// The part of the rows that came in one answer.
struct ListWindow: Sendable {
    /// The number of its rows that are held.
    var count: Int
    let previous: String?
    let next: String?
}

/// Whether the list follows the changes of its records.
enum Liveness: Equatable, Sendable {
    /// A subscription is under way.
    case asking
    case live
    /// Changes are not told; the reason is for people, where there is one.
    case notLive(String?)
}

/// A refresh that was asked for here.
struct ListRefresh: Equatable, Sendable {
    /// The time it was asked for, in milliseconds since 1970.
    var since: Int64
    /// How far it is; nil before the first notification.
    var progress: RefreshProgress?
}
