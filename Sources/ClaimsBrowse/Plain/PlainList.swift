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
    /// The answer with the page; nil before it has come.
    private(set) var answer: AnswerValue?
    /// The record whose id was searched for, where no text has it; it is number 1. Nil without one.
    private(set) var namesake: AnswerValue?
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

    var records: [AnswerValue] { answer?[SearchResult.records] ?? [] }
    var total: Int64 { answer?[SearchResult.total] ?? 0 }
    /// The number of the page's first record, from 1.
    var firstNumber: Int { Int(clamping: answer?[SearchResult.rank] ?? 0) + 1 }
    var hasNext: Bool { answer?[SearchResult.next] != nil }
    var isFirstPage: Bool { firstNumber == 1 }
    /// Whether records come group by group: in the collection's own order.
    var isGrouped: Bool { collection.hasGroups && query.order == nil }
    /// The clock of the answer, from which changes can be asked for.
    var clock: String? { answer?[SearchResult.meta]?[Meta.clock] }

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
        self.answer = answer
        namesake = nil
        let isAnew = position == .anchor(.start)
        if isAnew || numbered.count + records.count > Self.maxNumbered { (numbered, marks) = ([:], [:]) }
        for (index, record) in records.enumerated() {
            guard let id = record["id"]?.text else { continue }
            let isArchived = query.archived == .only || record["archived"]?.bool == true
            numbered[firstNumber + index] = Numbered(id: id, isArchived: isArchived)
            marks[id] = nil
        }
    }

    /// The text that was searched for in vain, and may be the id of a record; nil if there is none.
    var possibleID: String? { answer != nil && total == 0 ? query.possibleID : nil }

    /// Shows the record whose id was searched for.
    mutating func show(namesake record: AnswerValue) {
        guard let id = record["id"]?.text else { return }
        namesake = record
        numbered[1] = Numbered(id: id, isArchived: record["archived"]?.bool == true)
    }

    /// Goes to the page that an anchor names.
    mutating func go(to anchor: AnchorValue) { position = .anchor(anchor) }

    /// Goes to the next page; false at the end.
    mutating func goForward() -> Bool { go(to: answer?[SearchResult.next]) }

    /// Goes to the page before; false at the start.
    mutating func goBack() -> Bool { go(to: answer?[SearchResult.previous]) }

    private mutating func go(to cursor: String?) -> Bool {
        guard let cursor else { return false }
        position = .cursor(cursor)
        return true
    }

    /// Forgets the answer: another query begins at its start.
    mutating func begin() {
        position = .anchor(.start)
        (answer, namesake) = (nil, nil)
        (numbered, marks) = ([:], [:])
    }

    /// The rank of the first record of each group, in their order.
    var groupRanks: [Int64] {
        var next: Int64 = 0
        return (answer?[SearchResult.groups] ?? []).map { group in
            defer { next += group[SearchResult.GroupTotal.total] ?? 0 }
            return next
        }
    }

    /// The filter that search words and filter make together; nil if there is neither.
    var filter: String? { query.composedFilter.text }

    /// The request for the page.
    func parameters(language: String?, zone: String?) -> SearchParameters {
        var parameters = SearchParameters()
        parameters.collection = collection.name
        parameters.selection.filter = filter.map { FilterValue($0) }
        parameters.selection.view = query.view
        parameters.selection.archived = query.archived
        parameters.selection.timeZone = zone
        parameters.selection.language = language
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
        parameters.page.isGrouped = isGrouped
        switch position {
        case .anchor(let anchor): parameters.page.anchor = anchor
        case .cursor(let cursor): parameters.page.cursor = cursor
        }
        return parameters
    }

    /// The changes of the same records, from the answer's clock on.
    func changes(zone: String?) -> SubscribeParameters? {
        guard let clock else { return nil }
        var parameters = SubscribeParameters()
        parameters.collection = collection.name
        parameters.feed.filter = filter.map { FilterValue($0) }
        parameters.feed.view = query.view
        parameters.feed.archived = query.archived
        parameters.feed.timeZone = zone
        parameters.feed.fields = NameList(collection.list)
        parameters.since = clock
        return parameters
    }
}
