// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsModel
import ClaimsPlatform
import ClaimsProtocol
import ClaimsQuery
import ClaimsStore

/// Types a query against the definition of one collection after the other.
struct TargetReader {
    let filter: FilterNode?
    /// The name of a view whose filter applies too.
    let viewName: String?
    let sort: JSONValue?
    let zone: TimeZoneRules
    /// The time that relative dates mean, in milliseconds since 1970.
    let now: Int64
    let limits: FilterLimits

    /// The query as it applies to a collection.
    ///
    /// - Throws: `no_data`, `bad_filter`, `bad_sort` or `bad_params`.
    func read(
        _ view: CollectionView, _ context: ServingContext, language: String?
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
        let snapshot = try context.snapshot(of: view, language: language)
        return QueryTarget(view: view, snapshot: snapshot, predicate: predicate, order: order)
    }

    private func ownOrder(_ definition: Definition) throws(FilterError) -> RecordOrder? {
        guard let sort else { return nil }
        return try SortParser.parse(sort, in: definition)
    }

    private func viewFilter(_ definition: Definition) throws(FilterError) -> FilterNode? {
        guard let viewName, let view = definition.views.first(where: { $0.name == viewName }) else { return nil }
        return try FilterParser.parse(view.filter, limits: limits)
    }

    private func requireView(_ definition: Definition) throws(RequestError) {
        guard let viewName, !definition.views.contains(where: { $0.name == viewName }) else { return }
        let names = definition.views.map(\.name)
        let hint: String
        if let nearest = Suggestion.nearest(viewName, among: names) {
            hint = "did you mean '\(nearest)'?"
        } else if names.isEmpty {
            hint = "\(definition.name) has no views"
        } else {
            hint = "its views are " + names.joined(separator: ", ")
        }
        throw RequestError(
            .badParams, "unknown view '\(viewName)' of \(definition.name)", hint: hint,
            details: [RequestError.detail("parameter", "view")])
    }
}

extension RequestError {
    /// A filter or sort error, as it is answered.
    init(_ error: FilterError) {
        self.init(
            error.kind == .badSort ? .badSort : .badFilter, error.message, position: error.position,
            length: error.length, hint: error.hint,
            details: error.pointer.map { [RequestError.detail("pointer", $0)] } ?? [])
    }
}
