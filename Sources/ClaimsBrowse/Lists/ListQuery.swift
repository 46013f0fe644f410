// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsClient
import ClaimsModel
import ClaimsProtocol
import ClaimsTerminal

/// The question that a list answers. All parts are ANDed.
struct ListQuery: Hashable, Sendable {
    /// The text behind `/`: words that all must occur, and phrases between quotes.
    var search = ""
    /// The filter behind `f`, in the grammar of the protocol.
    var filter = ""
    /// The name of a view of the definition.
    var view: String?
    /// The order: a named one or keys; nil for the collection's own, in which groups are shown.
    var order: String?
    var archived = ArchivedMode.exclude

    /// The maximum size of the search text, in bytes.
    static let maxSearchBytes = 200

    /// Whether records are left out by a search, a filter or a view.
    var isSelective: Bool { !search.isEmpty || !filter.isEmpty || view != nil }

    /// The query without its search, else without its filter, else without its view.
    var cleared: ListQuery {
        var query = self
        if !search.isEmpty {
            query.search = ""
        } else if !filter.isEmpty {
            query.filter = ""
        } else {
            query.view = nil
        }
        return query
    }

    /// The filter of a request.
    struct ComposedFilter: Equatable {
        /// The text; nil for every record.
        let text: String?
        /// The offset in bytes of the typed filter in the text.
        let filterOffset: Int
    }

    /// The search and the filter as one filter.
    var composedFilter: ComposedFilter {
        let filter = self.filter.trimmingSpaces()
        guard !filter.isEmpty else { return ComposedFilter(text: SearchText.filter(search), filterOffset: 0) }
        let lead = leadingSpaceBytes
        // A filter with an open parenthesis is sent alone, so that the daemon's error is about it.
        guard let search = SearchText.filter(search), FilterComposer.isBalanced(filter) else {
            return ComposedFilter(text: filter, filterOffset: -lead)
        }
        return ComposedFilter(text: "(\(filter)) \(search)", filterOffset: 1 - lead)
    }

    /// The text that alone is looked for, which may be the id of a record; nil for another query.
    ///
    /// The text index has no ids, so that a search never finds one.
    var possibleID: String? {
        let (search, filter) = (search.trimmingSpaces(), filter.trimmingSpaces())
        if filter.isEmpty {
            let phrases = SearchText.phrases(of: search)
            return phrases.count == 1 ? phrases[0] : search.isEmpty ? nil : search
        }
        let isWord = !filter.contains(where: \.isWhitespace) && !FilterComposer.isFilter(filter)
        return search.isEmpty && isWord ? filter : nil
    }

    /// Whether a filter that is being typed can be asked for: its last term is no lone name, of which more may come.
    static func isComplete(_ filter: String) -> Bool {
        guard let last = filter.split(whereSeparator: { $0.isWhitespace || $0 == "(" }).last,
            filter.last?.isWhitespace == false
        else { return true }
        return last.last == "\"" || last.last == "'" || FilterComposer.isFilter(String(last))
    }

    private var leadingSpaceBytes: Int {
        filter.unicodeScalars.prefix { $0.properties.isWhitespace }.reduce(0) { $0 + UTF8.width($1) }
    }
}

extension ListQuery {
    /// The parameters of a page of the query.
    func parameters(of collection: CollectionDescription, for person: BrowsePerson) -> SearchParameters {
        parameters(of: collection, zone: person.zoneName, language: person.language)
    }

    /// The parameters of a page of the query.
    ///
    /// - Parameters:
    ///   - zone: the IANA name of the person's time zone; nil for the daemon's own.
    ///   - language: the language of labels; nil for the daemon's own.
    func parameters(of collection: CollectionDescription, zone: String?, language: String?) -> SearchParameters {
        var parameters = SearchParameters()
        parameters.collection = collection.name
        let filter = composedFilter.text
        parameters.selection.filter = filter.map { FilterValue($0) }
        parameters.selection.view = view
        parameters.selection.archived = archived
        // Only a filter has days in it; a view has one of its own.
        if filter != nil || view != nil { parameters.selection.timeZone = zone }
        parameters.selection.language = language
        parameters.page.limit = Int64(ListPage.maxRows)
        parameters.page.fields = collection.listedFields
        parameters.page.isGrouped = collection.isGrouped(self)
        parameters.sort = order.map { SortValue($0.split(separator: ",").map(String.init)) }
        return parameters
    }

    /// The subscription to the changes of the records of a page.
    func changes(of collection: CollectionDescription, zone: String?, language: String?) -> SubscribeParameters {
        let page = self.parameters(of: collection, zone: zone, language: language)
        var parameters = SubscribeParameters()
        parameters.collection = collection.name
        parameters.feed.filter = page.selection.filter
        parameters.feed.view = page.selection.view
        parameters.feed.archived = page.selection.archived
        parameters.feed.fields = page.page.fields
        parameters.feed.timeZone = page.selection.timeZone
        parameters.language = page.selection.language
        return parameters
    }

    /// A part of a query that a collection does not have.
    enum Lack: Equatable {
        case view(String)
        case order(String)
    }

    /// Takes out what the collection does not have, as after a reload.
    mutating func mend(for collection: CollectionDescription) -> [Lack] {
        var lacks: [Lack] = []
        if let view, !collection.offers.views.contains(where: { $0.name == view }) {
            self.view = nil
            lacks.append(.view(view))
        }
        if let order, !collection.hasOrder(order) {
            self.order = nil
            lacks.append(.order(order))
        }
        return lacks
    }
}

/// A change of the query of a list.
enum QueryChange: Sendable {
    case search(String)
    case filter(String)
    case view(String?)
    case order(String?)

    /// Whether more of it may come in a moment.
    var isTyped: Bool {
        switch self {
        case .search, .filter: true
        case .view, .order: false
        }
    }
}

extension ListQuery {
    /// The query with one of its parts changed.
    func with(_ change: QueryChange) -> ListQuery {
        var query = self
        switch change {
        case .search(let text): query.search = text
        case .filter(let text): query.filter = text
        case .view(let view): query.view = view
        case .order(let order): query.order = order
        }
        return query
    }
}

/// A mistake in a line of input.
struct InputProblem: Equatable, Sendable {
    var message: String
    var hint: String?
    /// The bytes of the line that are wrong; nil if it is the whole.
    var range: Range<Int>?
}

extension InputProblem {
    /// The mistake in the filter of a query, with the position in the filter as it was typed.
    init(_ refusal: Refusal, in query: ListQuery) {
        let size = query.filter.utf8.count
        let offset = query.composedFilter.filterOffset
        let range = refusal.position.map { position in
            let sent = query.composedFilter.text?.utf8.count ?? 0
            let start = max(0, min(min(max(0, position), sent) - offset, size))
            return start..<start + max(0, min(refusal.length ?? 0, size - start))
        }
        self.init(message: refusal.message, hint: refusal.hint, range: range)
    }
}

extension CollectionDescription {
    /// The fields that a list asks for: those that it shows, and the one of the groups.
    fileprivate var listedFields: NameList {
        let group = hasGroups ? groupBy : nil
        return NameList(list + [group].compactMap(\.self).filter { !list.contains($0) })
    }

    /// Whether a list of the query is shown in groups.
    func isGrouped(_ query: ListQuery) -> Bool { hasGroups && query.order == nil }

    /// Whether the text is an order of the collection: a named one, or fields, each maybe with `-` before it.
    fileprivate func hasOrder(_ text: String) -> Bool {
        text.split(separator: ",").allSatisfy { part in
            let key = part.hasPrefix("-") ? String(part.dropFirst()) : String(part)
            return offers.orders.contains { $0.name == key } || field(key) != nil
        }
    }
}

extension ArchivedMode {
    /// The next one: archived records hidden, shown, only these.
    var next: ArchivedMode {
        switch self {
        case .exclude: .include
        case .include: .only
        case .only: .exclude
        }
    }
}

/// The text behind `/` as a filter: words that all must occur, and phrases between quotes. No text is a mistake.
enum SearchText {
    /// The filter; nil for a text that looks for nothing.
    static func filter(_ text: String) -> String? {
        let phrases = phrases(of: text).map(FilterComposer.quoted)
        return phrases.isEmpty ? nil : phrases.joined(separator: " ")
    }

    /// The words and phrases. A phrase without its closing quote goes to the end.
    static func phrases(of text: String) -> [String] {
        var phrases: [String] = []
        for (index, part) in text.split(separator: "\"", omittingEmptySubsequences: false).enumerated() {
            let isPhrase = index % 2 == 1
            phrases += isPhrase ? [String(part)] : part.split(whereSeparator: \.isWhitespace).map(String.init)
        }
        // A text that folds to nothing, such as a lone accent, is in no record's text.
        return phrases.filter { !Folding.fold($0).isEmpty }
    }
}

extension UTF8 {
    fileprivate static func width(_ scalar: Unicode.Scalar) -> Int { String(scalar).utf8.count }
}
