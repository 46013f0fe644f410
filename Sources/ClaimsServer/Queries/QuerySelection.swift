// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsModel
import ClaimsPlatform
import ClaimsProtocol
import ClaimsQuery
import ClaimsSnapshot
import ClaimsStore

/// The records that a request selects: the part that `search`, `sort`, `count`, `facets` and `archive` share.
struct QuerySelection: Sendable {
    /// The collections that the query covers and that have data.
    var targets: [QueryTarget]
    /// Whether the request named no collection, so that records name theirs.
    var isSpanning: Bool
    var archived: ArchivedMode
    /// The time that relative dates refer to, in milliseconds since 1970.
    var now: Int64
    var language: String?
    /// The collections that were left out, if the request named none.
    var skipped: [SkippedCollection]
    /// The maximal time of the query.
    var timeout: Duration

    /// Reads the parameters that select records.
    ///
    /// - Parameters:
    ///   - collection: the name of the collection; nil for all.
    ///   - sort: the sort keys; nil for the collection's order.
    ///   - now: the time that relative dates refer to; a cursor brings its own.
    /// - Throws: `bad_params`, `bad_filter`, `bad_sort`, `unknown_collection`, `no_data` or `not_fresh`.
    init(
        _ parameters: SelectionParameters, collection: String?, sort: SortValue? = nil, now: Int64? = nil,
        _ context: QueryContext
    ) throws(RequestError) {
        language = parameters.language
        self.now = now ?? context.served.now
        archived = parameters.archived
        timeout = context.timeout(parameters.timeout)
        let zone = try context.zone(named: parameters.timeZone)
        let reader = TargetReader(
            filter: try Self.filter(parameters.filter, context.filterLimits), viewName: parameters.view,
            sort: sort?.json, zone: zone, now: self.now, limits: context.filterLimits)
        if let name = collection {
            isSpanning = false
            skipped = []
            let view = try context.served.view(named: name)
            let target = try reader.read(view, context.served, language: language)
            try context.served.requireAge(view, maxAge: parameters.maxAge, language: language)
            targets = [target]
        } else {
            isSpanning = true
            (targets, skipped) = try Self.spanning(reader, context, language: language)
            for target in targets {
                try context.served.requireAge(target.view, maxAge: parameters.maxAge, language: language)
            }
        }
    }

    /// The filter of a request before it is typed; nil if it has no terms.
    static func filter(
        _ filter: FilterValue?, _ limits: FilterLimits
    ) throws(RequestError) -> FilterNode? {
        guard let filter else { return nil }
        do throws(FilterError) {
            guard let text = filter.json.string else {
                return try FilterParser.parse(tree: filter.json, limits: limits)
            }
            // A filter without terms selects every record.
            if text.utf8.allSatisfy({ $0 == 0x20 || $0 == 0x09 }) { return nil }
            return try FilterParser.parse(text, limits: limits)
        } catch {
            throw RequestError(error)
        }
    }

    /// All collections that have data and that the query fits.
    ///
    /// - Throws: the first error if the query fits none of them.
    private static func spanning(
        _ reader: TargetReader, _ context: QueryContext, language: String?
    ) throws(RequestError) -> ([QueryTarget], [SkippedCollection]) {
        var targets: [QueryTarget] = []
        var skipped: [SkippedCollection] = []
        var firstError: RequestError?
        for view in context.served.catalog.views {
            do throws(RequestError) {
                targets.append(try reader.read(view, context.served, language: language))
            } catch {
                skipped.append(SkippedCollection(view, because: error, language: language, context.served))
                if error.kind != .noData, firstError == nil { firstError = error }
            }
        }
        if targets.isEmpty, let firstError { throw firstError }
        return (targets, skipped)
    }

    /// The hash of the query and of the parts of the definitions that it depends on, for its cursors.
    func hash(isGrouped: Bool) -> UInt64 {
        var hash = QueryHash()
        hash.add(isGrouped ? 1 : 0)
        hash.add(archived == .exclude ? 0 : archived == .only ? 1 : 2)
        for target in targets {
            let shape = target.view.definition.queryShape
            hash.add(target.view.definition.name)
            hash.add(QueryHash(target.predicate, target.order, of: shape).value)
            if let limit = target.view.limit { hash.add(limit.name) }
            if isGrouped { hash.add(shape.groups) }
        }
        return hash.value
    }

    /// The hash of the definitions that the query covers, used or not.
    var definitionsHash: UInt64 {
        var hash = QueryHash()
        for target in targets {
            hash.add(target.view.definition.name)
            hash.add(target.view.definition.queryShape.whole)
        }
        return hash.value
    }

    /// Writes `total` and, over several collections, `totals` by their names.
    func writeTotals(_ totals: [Int], to writer: inout JSONWriter) {
        writer.member(CountResult.total, totals.reduce(0, +))
        guard isSpanning else { return }
        writer.key(CountResult.totals)
        writer.beginObject()
        for (target, total) in zip(targets, totals) {
            writer.key(target.view.definition.name)
            writer.integer(total)
        }
        writer.endObject()
    }

    /// Writes the meta object of the collection, or of all that the query covers.
    func writeMeta(_ served: ServedCatalog, to writer: inout JSONWriter) {
        if !isSpanning, let target = targets.first {
            return served.writeMeta(target.view, language: language, to: &writer)
        }
        SpanningMetaWriter.write(targets.map(\.view), skipped: skipped, language: language, served, to: &writer)
    }
}

/// One collection of a query, with the query typed for its definition.
struct QueryTarget: Sendable {
    let view: CollectionView
    let rows: ServedRows
    let predicate: Predicate
    let order: RecordOrder
}

/// Types a query against the definitions of collections.
struct TargetReader {
    let filter: FilterNode?
    /// The name of a view whose filter also applies.
    let viewName: String?
    let sort: JSONValue?
    let zone: TimeZoneRules
    /// The time that relative dates refer to, in milliseconds since 1970.
    let now: Int64
    let limits: FilterLimits

    /// The query typed for a collection.
    ///
    /// - Throws: `no_data`, `bad_filter`, `bad_sort` or `bad_params`.
    func read(
        _ view: CollectionView, _ served: ServedCatalog, language: String?
    ) throws(RequestError) -> QueryTarget {
        let definition = view.definition
        let zone = zone
        let typing = FilterContext(definition: definition, now: now, startOfDay: { zone.startOfDay($0) })
        let predicate: Predicate
        let order: RecordOrder
        do throws(FilterError) {
            let own = try filter?.typed(in: typing)
            let named = try viewFilter(definition)?.typed(in: typing)
            predicate =
                switch (own, named) {
                case (let own?, let named?): Predicate.and([own, named]).simplified
                case (let one?, nil), (nil, let one?): one
                case (nil, nil): .constant(true)
                }
            order = try ownOrder(definition) ?? definition.defaultOrder
        } catch {
            throw RequestError(error)
        }
        try requireView(definition)
        let rows = try served.rows(of: view, language: language)
        return QueryTarget(view: view, rows: rows, predicate: predicate, order: order)
    }

    private func ownOrder(_ definition: Definition) throws(FilterError) -> RecordOrder? {
        guard let sort else { return nil }
        return try SortParser.parse(sort, in: definition)
    }

    /// The filter of the view that the query names; nil if it names none.
    func viewFilter(_ definition: Definition) throws(FilterError) -> FilterNode? {
        guard let viewName, let view = definition.views.first(where: { $0.name == viewName }) else { return nil }
        return try FilterParser.parse(view.filter, limits: limits)
    }

    /// - Throws: `bad_params` if the definition has no such view.
    func requireView(_ definition: Definition) throws(RequestError) {
        guard let viewName, !definition.views.contains(where: { $0.name == viewName }) else { return }
        let names = definition.views.map(\.name)
        let list = names.joined(separator: ", ")
        let known =
            names.isEmpty
            ? TranslatedText(en: "\(definition.name) has no views", pl: "kolekcja \(definition.name) nie ma widoków")
            : TranslatedText(en: "its views are \(list)", pl: "jej widoki to \(list)")
        throw RequestError(
            Parameter.view,
            TranslatedText(
                en: "unknown view '\(viewName)' of \(definition.name)",
                pl: "nieznany widok „\(viewName)” kolekcji \(definition.name)"),
            hint: Suggestion.question(viewName, among: names) ?? known)
    }
}

extension TranslatedText {
    static let nameCollection = TranslatedText(en: "name one in collection", pl: "podaj ją w collection")
}

extension RequestError {
    /// The error for a defect: the selection of one collection is empty.
    static let nothingSelected = RequestError(
        .internal,
        TranslatedText(
            en: "a collection was named and none was selected", pl: "podano kolekcję, ale żadna nie została wybrana"))

    /// A filter or sort error, as it is answered.
    init(_ error: FilterError) {
        self.init(
            error.kind == .badSort ? .badSort : .badFilter, error.text, position: error.position,
            length: error.length, hint: error.advice,
            details: error.pointer.map { [RequestError.detail("pointer", $0)] } ?? [])
    }
}

/// Reads lists of field names in requests.
enum FieldList {
    /// The indexes of the fields of those names.
    ///
    /// - Throws: `bad_params` with the nearest name for a field that is not there.
    static func indexes(
        _ names: [String], of definition: Definition, parameter: Parameter<NameList>
    ) throws(RequestError) -> [Int] {
        var indexes: [Int] = []
        for name in names {
            // Records have their unsettled operations whatever fields are selected.
            if isKnownPending(name, definition, parameter) { continue }
            guard let index = definition.fieldIndex(name) else {
                let known = definition.shownNames
                let list = known.joined(separator: ", ")
                throw RequestError(
                    parameter,
                    TranslatedText(
                        en: "unknown field '\(name)' of \(definition.name)",
                        pl: "nieznane pole „\(name)” kolekcji \(definition.name)"),
                    hint: Suggestion.question(name, among: known)
                        ?? TranslatedText(
                            en: "the fields of \(definition.name) are \(list)",
                            pl: "pola kolekcji \(definition.name) to \(list)"))
            }
            if !indexes.contains(index) { indexes.append(index) }
        }
        return indexes
    }

    private static func isKnownPending(
        _ name: String, _ definition: Definition, _ parameter: Parameter<NameList>
    ) -> Bool {
        definition.hasPendingField && name == PendingState.fieldName
    }

    /// The indexes of fields whose values can be counted.
    ///
    /// - Throws: `bad_params` for a field that is not there, or that holds JSON.
    static func countable(
        _ names: [String], of definition: Definition, parameter: Parameter<NameList>
    ) throws(RequestError) -> [Int] {
        if definition.hasPendingField, names.contains(PendingState.fieldName) {
            throw RequestError(
                parameter,
                TranslatedText(
                    en: "'pending' is no field whose values are counted", pl: "wartości „pending” się nie zlicza"),
                hint: TranslatedText(
                    en: "its totals are in meta.pending", pl: "jego sumy są w meta.pending"))
        }
        let indexes = try indexes(names, of: definition, parameter: parameter)
        for index in indexes where definition.sight(of: index) != .whole {
            let name = definition.fields[index].name
            throw RequestError(
                parameter,
                TranslatedText(
                    en: "the rules mask '\(name)', so that its values are not counted",
                    pl: "reguły maskują pole „\(name)”, więc jego wartości się nie zlicza"))
        }
        for index in indexes where definition.fields[index].type == .json {
            let name = definition.fields[index].name
            throw RequestError(
                parameter,
                TranslatedText(
                    en: "field '\(name)' holds JSON, whose values are not counted",
                    pl: "pole „\(name)” zawiera JSON, którego wartości się nie zlicza"),
                hint: TranslatedText(
                    en: "count a field with few values, such as an enum",
                    pl: "zliczaj pole o niewielu wartościach, na przykład typu enum"))
        }
        return indexes
    }
}
