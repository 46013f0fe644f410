// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
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
