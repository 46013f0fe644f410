// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsClient
import ClaimsModel
import ClaimsProtocol
import ClaimsTerminal

/// A collection as `browse --plain` knows it, from an answer of `describe`.
struct PlainCollection: Sendable {
    private typealias Entry = DescribeResult.CollectionEntry

    let description: CollectionDescription
    /// The named orders.
    let orders: [String]
    /// The views by name, with what people read.
    let views: [(name: String, title: String)]

    var name: String { description.name }
    /// The title, safe for a terminal.
    var title: String { Escaping.line(description.title) }

    init?(_ value: AnswerValue) {
        guard let description = CollectionDescription(value) else { return nil }
        self.description = description
        orders = value[Entry.sorts].compactMap { $0[DescribeResult.OrderEntry.name] }
        views = value[Entry.views].compactMap { view in
            guard let name = view[DescribeResult.ViewEntry.name] else { return nil }
            return (name, Escaping.line(view[DescribeResult.ViewEntry.title] ?? name))
        }
    }

    /// Whether somebody may mean this collection by a word: its name, singular or title.
    func isNamed(_ word: String) -> Bool {
        let word = word.lowercased()
        return [name, description.singular, description.title].contains { $0.lowercased() == word }
    }
}

/// The list that is looked at: its query, and the page of ten records of it.
struct PlainList: Sendable {
    let collection: PlainCollection
    var query: ListQuery
    /// Where the page is in the list.
    private var position = Position.anchor(.start)
    /// The answer with the page; nil before it has come.
    private(set) var answer: AnswerValue?

    private enum Position: Equatable {
        case anchor(AnchorValue)
        case cursor(String)
    }

    /// The number of records of a page.
    static let pageRecords = 10

    init(_ collection: PlainCollection, _ query: ListQuery = ListQuery()) {
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
    var isGrouped: Bool { collection.description.hasGroups && query.order == nil }
    /// The clock of the answer, from which changes can be told.
    var clock: String? { answer?[SearchResult.meta]?[Meta.clock] }

    /// The record of a number; nil if it is not on the page.
    func record(_ number: Int) -> AnswerValue? {
        let index = number - firstNumber
        return records.indices.contains(index) ? records[index] : nil
    }

    /// Takes the answer with the present page.
    mutating func take(_ answer: AnswerValue) { self.answer = answer }

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
        answer = nil
    }

    /// The rank of the first record of each group, in their order.
    var groupRanks: [Int64] {
        var next: Int64 = 0
        return (answer?[SearchResult.groups] ?? []).map { group in
            defer { next += group[SearchResult.GroupTotal.total] ?? 0 }
            return next
        }
    }

    /// The filter that search words and filter make together; nil where there is neither.
    var filter: String? {
        let words = PlainSearch.filter(query.search)
        if query.filter.isEmpty { return words }
        // Alone it is sent as it was typed, so that the position of a mistake is right.
        guard let words else { return query.filter }
        return "(\(query.filter)) \(words)"
    }

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
        var fields = collection.description.list
        for name in collection.description.fields.filter(\.isEmphasized).map(\.name)
            + [collection.description.groupBy]
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

    /// The feed of the same records, from the answer's clock on.
    func feed(zone: String?) -> SubscribeParameters? {
        guard let clock else { return nil }
        var parameters = SubscribeParameters()
        parameters.collection = collection.name
        parameters.feed.filter = filter.map { FilterValue($0) }
        parameters.feed.view = query.view
        parameters.feed.archived = query.archived
        parameters.feed.timeZone = zone
        parameters.feed.fields = NameList(collection.description.list)
        parameters.since = clock
        return parameters
    }
}

/// Words to search for, as people type them: each must occur, and what stands in quotation marks is a phrase.
enum PlainSearch {
    /// The filter that finds them; nil for none. No text is an error.
    static func filter(_ text: String) -> String? {
        FilterComposer.compose(words(text).map { .literal($0) })
    }

    /// The words and phrases of a text.
    static func words(_ text: String) -> [String] {
        var words: [String] = []
        var word = ""
        var isQuoted = false
        for character in cut(text) {
            if character == "\"" || character == " " && !isQuoted {
                if !word.allSatisfy({ $0 == " " }) { words.append(word) }
                word = ""
                if character == "\"" { isQuoted.toggle() }
            } else {
                word.append(character)
            }
        }
        if !word.allSatisfy({ $0 == " " }) { words.append(word) }
        return words
    }

    /// The text, cut at a whole character to what a search may have.
    private static func cut(_ text: String) -> Substring {
        var bytes = 0
        var end = text.startIndex
        while end < text.endIndex {
            bytes += text[end].utf8.count
            if bytes > ListQuery.maxSearchBytes { break }
            end = text.index(after: end)
        }
        return text[..<end]
    }
}
