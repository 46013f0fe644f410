// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsClient
import ClaimsModel
import ClaimsProtocol
import ClaimsTerminal

/// The list that is looked at: its query, and the page of ten records of it.
struct PlainList: Sendable {
    let collection: CollectionDescription
    var query: ListQuery
    /// Where the page is in the list.
    private var position = Position.anchor(.start)
    /// The page; nil before it has come.
    private(set) var page: ListPage?
    /// The state of the collection, as the answer with the page has it.
    private(set) var meta: AnswerMeta?
    /// The clock of the answer, from which changes can be asked for.
    private var clock: String?
    /// The record whose id was searched for, where no text has it; it is number 1. Nil without one.
    private(set) var namesake: ListNamesake?
    /// The records of the pages that were shown, by their numbers: a number stays what it was until the list is shown
    /// from its start again.
    private var numbered: [Int: Numbered] = [:]
    /// The records that were archived, or taken out of the archive, since they were shown.
    private var marks: [String: Bool] = [:]

    private struct Numbered {
        let id: String
        let isArchived: Bool
    }

    private enum Position: Equatable {
        case anchor(AnchorValue)
        case cursor(String)
    }

    /// The number of records of a page.
    static let pageRecords = 10
    /// The maximum number of records whose numbers are remembered.
    static let maxNumbered = 10_000

    /// The title of the collection, safe for a terminal.
    var title: String { Escaping.line(collection.title) }

    init(_ collection: CollectionDescription, _ query: ListQuery = ListQuery()) {
        self.collection = collection
        self.query = query
    }

    var rows: [ListRow] { page?.rows ?? [] }
    var total: Int64 { page?.total ?? 0 }
    /// The number of the page's first record, from 1.
    var firstNumber: Int { (page?.rank ?? 0) + 1 }
    var hasNext: Bool { page?.next != nil }
    var isFirstPage: Bool { firstNumber == 1 }
    /// Whether records come group by group: in the collection's own order.
    var isGrouped: Bool { collection.isGrouped(query) }

    /// The id of the record of a number; nil if no page that was shown had it.
    func id(_ number: Int) -> String? { numbered[number]?.id }

    /// Whether a record is archived, as far as it was shown.
    func isArchived(_ id: String) -> Bool {
        marks[id] ?? (numbered.values.first { $0.id == id }?.isArchived ?? (query.archived == .only))
    }

    /// Records that records were archived, or taken out of the archive.
    mutating func mark(_ ids: [String], isArchived: Bool) {
        if marks.count + ids.count > Self.maxNumbered { marks = [:] }
        for id in ids { marks[id] = isArchived }
    }

    /// Shows the answer with the present page.
    mutating func show(_ answer: AnswerValue) {
        page = ListPage(answer, of: collection, isGrouped: isGrouped)
        meta = AnswerMeta(answer[SearchResult.meta])
        clock = answer[SearchResult.meta]?[Meta.clock]
        namesake = nil
        let isAnew = position == .anchor(.start)
        if isAnew || numbered.count + rows.count > Self.maxNumbered { (numbered, marks) = ([:], [:]) }
        for (index, row) in rows.enumerated() {
            numbered[firstNumber + index] = Numbered(id: row.id, isArchived: isArchived(row.record))
            marks[row.id] = nil
        }
    }

    /// Whether a record of the list is archived, by its own words.
    func isArchived(_ record: AnswerValue) -> Bool {
        query.archived == .only || record["archived"]?.bool == true
    }

    /// The text that was searched for in vain, and may be the id of a record; nil if there is none.
    var possibleID: String? { page != nil && total == 0 ? query.possibleID : nil }

    /// Shows the record whose id was searched for.
    mutating func show(namesake record: AnswerValue) {
        guard let id = record["id"]?.text else { return }
        namesake = ListNamesake(text: id, record: record)
        numbered[1] = Numbered(id: id, isArchived: record["archived"]?.bool == true)
    }

    /// Goes to the page that an anchor names.
    mutating func go(to anchor: AnchorValue) { position = .anchor(anchor) }

    /// Goes to the next page; false at the end.
    mutating func goForward() -> Bool { go(to: page?.next) }

    /// Goes to the page before; false at the start.
    mutating func goBack() -> Bool { go(to: page?.previous) }

    private mutating func go(to cursor: String?) -> Bool {
        guard let cursor else { return false }
        position = .cursor(cursor)
        return true
    }

    /// Forgets the page: another query begins at its start.
    mutating func begin() {
        position = .anchor(.start)
        (page, meta, clock, namesake) = (nil, nil, nil, nil)
        (numbered, marks) = ([:], [:])
    }

    /// The rank of the first record of each group, in their order.
    var groupRanks: [Int64] {
        var next: Int64 = 0
        return (page?.groups ?? []).map { group in
            defer { next += group.total }
            return next
        }
    }

    /// The filter that search words and filter make together; nil if there is neither.
    var filter: String? { query.composedFilter.text }

    /// The request for the page.
    func parameters(language: String?, zone: String?) -> SearchParameters {
        var parameters = query.parameters(of: collection, zone: zone, language: language)
        // People type blanks between the fields too.
        if let order = query.order {
            parameters.sort = SortValue(order.split { $0 == " " || $0 == "," }.map(String.init))
        }
        var fields = collection.list
        for name in collection.fields.filter(\.isEmphasized).map(\.name)
            + [collection.groupBy]
            .compactMap(\.self)
        where !fields.contains(name) {
            fields.append(name)
        }
        parameters.page.fields = NameList(fields)
        parameters.page.limit = Int64(Self.pageRecords)
        switch position {
        case .anchor(let anchor): parameters.page.anchor = anchor
        case .cursor(let cursor): parameters.page.cursor = cursor
        }
        return parameters
    }

    /// The changes of the same records, from the answer's clock on.
    func changes(zone: String?) -> SubscribeParameters? {
        guard let clock else { return nil }
        var parameters = query.changes(of: collection, zone: zone, language: nil)
        parameters.feed.fields = NameList(collection.list)
        parameters.since = clock
        return parameters
    }
}
