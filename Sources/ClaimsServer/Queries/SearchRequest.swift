// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsJSON
import ClaimsModel
import ClaimsProtocol
import ClaimsSnapshot
import ClaimsStore

/// The parameters of `search` and `sort`: the records, their order, and the parts of the answer.
struct SearchRequest: Sendable {
    var selection: QuerySelection
    /// The maximum number of records of the page; nil if a stream continues to the end.
    var limit: Int?
    var isGrouped: Bool
    /// For each target, the indexes of the fields to write; nil for all.
    var fields: [[Int]?]
    /// The indexes of the fields whose values are counted, in the only target.
    var facets: [Int]
    /// The end of the page before.
    var cursor: Cursor?
    /// The beginning or end of the page in the order of the only target.
    var anchor: AnchorValue?
    /// The hash of the query, for cursors.
    var hash: UInt64
    /// The hash of the definitions, for cursors.
    var definitions: UInt64

    /// Reads the parameters that `search` and `sort` have in common.
    ///
    /// - Parameters:
    ///   - collection: the name of the collection; nil for all.
    ///   - sort: the sort keys; nil for the collection's order.
    init(
        _ parameters: SelectionParameters, _ page: PageParameters, collection: String?, sort: SortValue?,
        _ context: QueryContext
    ) throws(RequestError) {
        let codec = context.cursors
        let cursor = try page.cursor.map { text throws(RequestError) in try codec.decode(text) }
        selection = try QuerySelection(parameters, collection: collection, sort: sort, now: cursor?.now, context)
        limit = page.limit.map { Int($0) } ?? (page.isStreamed ? nil : PageParameters.defaultLimit)
        isGrouped = page.isGrouped
        fields = Array(repeating: nil, count: selection.targets.count)
        facets = []
        if isGrouped { try Self.requireGroups(selection) }
        hash = selection.hash(isGrouped: isGrouped)
        definitions = selection.definitionsHash
        self.cursor = cursor
        anchor = page.anchor
        try Self.requireAnchor(page, cursor, selection)
        if let names = page.fields?.names { fields = try Self.projection(names, selection) }
        if let names = page.facets?.names, !names.isEmpty {
            guard !selection.isSpanning, let target = selection.targets.first else {
                throw RequestError(
                    PageParameters.facets,
                    TranslatedText(en: "facets need a collection", pl: "do facets potrzebna jest kolekcja"),
                    hint: .nameCollection)
            }
            facets = try FieldList.countable(names, of: target.view.definition, parameter: PageParameters.facets)
        }
        if let cursor, cursor.query != hash || cursor.target >= max(1, selection.targets.count) {
            throw cursor.definitions == definitions ? Self.otherQuery : Self.changedDefinition(selection)
        }
    }

    private static let otherQuery = RequestError(
        .badCursor,
        TranslatedText(en: "this cursor belongs to another query", pl: "ten kursor należy do innego zapytania"),
        hint: TranslatedText(
            en: "send it with the parameters of the page before, or ask for the first page again",
            pl: "wyślij go z parametrami poprzedniej strony albo poproś ponownie o pierwszą stronę"))

    /// The error for a cursor from before a reload that has changed the basis of the query's order or filter.
    private static func changedDefinition(_ selection: QuerySelection) -> RequestError {
        let name = selection.isSpanning ? nil : selection.targets.first?.view.definition.name
        return RequestError(
            .badCursor,
            name.map {
                TranslatedText(
                    en: "the definition of \($0) has changed since the page before",
                    pl: "definicja kolekcji \($0) zmieniła się od poprzedniej strony")
            }
                ?? TranslatedText(
                    en: "the collections, or their definitions, have changed since the page before",
                    pl: "kolekcje albo ich definicje zmieniły się od poprzedniej strony"),
            hint: CursorCodec.askAgain)
    }

    /// Whether the page has its rank and the page before: it has an anchor, or a cursor that came from such a page.
    var isAnchored: Bool { anchor != nil || cursor.map { $0.direction != .onward } ?? false }

    /// - Throws: `bad_params` for an anchor that other parameters rule out; `bad_cursor` for a stream from a cursor that
    ///   may lead backward.
    private static func requireAnchor(
        _ page: PageParameters, _ cursor: Cursor?, _ selection: QuerySelection
    ) throws(RequestError) {
        guard page.anchor != nil else {
            guard page.isStreamed, let cursor, cursor.direction != .onward else { return }
            throw RequestError(
                .badCursor,
                TranslatedText(
                    en: "a stream cannot go on from a page with an anchor",
                    pl: "strumień nie może zaczynać się od strony z parametrem anchor"),
                hint: TranslatedText(en: "leave stream out", pl: "pomiń stream"))
        }
        let other = page.cursor != nil ? "cursor" : page.isStreamed ? "stream" : nil
        if let other {
            throw RequestError(
                PageParameters.anchor,
                TranslatedText(
                    en: "anchor and \(other) exclude each other", pl: "parametry anchor i \(other) wykluczają się"),
                hint: TranslatedText(en: "leave one of them out", pl: "pomiń jeden z nich"))
        }
        if selection.isSpanning {
            throw RequestError(
                PageParameters.anchor,
                TranslatedText(en: "an anchor needs a collection", pl: "do parametru anchor potrzebna jest kolekcja"),
                hint: .nameCollection)
        }
    }

    private static func requireGroups(_ selection: QuerySelection) throws(RequestError) {
        guard !selection.isSpanning, let target = selection.targets.first, target.view.definition.groupBy != nil else {
            throw RequestError(
                PageParameters.group,
                selection.isSpanning
                    ? TranslatedText(en: "groups need a collection", pl: "do grup potrzebna jest kolekcja")
                    : TranslatedText(en: "this collection has no groups", pl: "ta kolekcja nie ma grup"),
                hint: TranslatedText(en: "leave group out", pl: "pomiń group"))
        }
    }

    /// The fields to write of each target. Over several collections, a field must exist in at least one.
    private static func projection(_ names: [String], _ selection: QuerySelection) throws(RequestError) -> [[Int]?] {
        if !selection.isSpanning, let target = selection.targets.first {
            return [try FieldList.indexes(names, of: target.view.definition, parameter: PageParameters.fields)]
        }
        for name in names where !selection.targets.contains(where: { $0.view.definition.fieldIndex(name) != nil }) {
            for target in selection.targets {
                _ = try FieldList.indexes([name], of: target.view.definition, parameter: PageParameters.fields)
            }
        }
        return selection.targets.map { target in names.compactMap { target.view.definition.fieldIndex($0) } }
    }
}

extension SearchRequest {
    /// The query of a page of a target; its limit and position are still to be set.
    func query(of target: QueryTarget) -> PageQuery {
        var query = PageQuery(predicate: target.predicate, order: target.order)
        query.isGrouped = isGrouped
        query.archived = selection.archived
        query.facets = facets
        return query
    }
}
