// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import ClaimsProtocol
import ClaimsStore

/// A page that was asked for: which records, in which order, and what to tell about them.
struct SearchRequest: Sendable {
    var selection: QuerySelection
    /// How many records the page has at most; nil where a stream goes on to the end.
    var limit: Int?
    var isGrouped: Bool
    /// For each target the fields to write; nil for all.
    var fields: [[Int]?]
    /// The fields whose values are counted; of the only target.
    var facets: [Int]
    /// Where the page before ended.
    var cursor: Cursor?
    /// The hash of the query, for cursors.
    var hash: UInt64

    /// Reads the parameters of `search`, or of `sort`.
    init(
        _ arguments: borrowing Arguments, sort: ParameterName, _ context: ServingContext
    ) throws(RequestError) {
        let codec = context.configuration.cursors
        let cursor = try arguments.string(.cursor).map { text throws(RequestError) in try codec.decode(text) }
        selection = try QuerySelection(arguments, sort: sort, now: cursor?.now, context)
        let streams = try arguments.boolean(.stream) ?? false
        limit = try arguments.integer(.limit).map(Int.init) ?? (streams ? nil : ProtocolVersion.defaultPage)
        isGrouped = try arguments.boolean(.group) ?? false
        fields = Array(repeating: nil, count: selection.targets.count)
        facets = []
        try Self.checkGroups(isGrouped, selection)
        let names = try arguments.strings(.fields)
        let facetNames = try arguments.strings(.facets) ?? []
        hash = selection.hash(isGrouped: isGrouped)
        self.cursor = cursor
        if let names { fields = try Self.projection(names, selection) }
        if !facetNames.isEmpty {
            guard !selection.isSpanning, let target = selection.targets.first else {
                throw RequestError(
                    .badParams, "facets need a collection", hint: "name one in collection",
                    details: [RequestError.detail("parameter", "facets")])
            }
            facets = try FacetWriter.fields(facetNames, of: target.view.definition, parameter: .facets)
        }
        if let cursor, cursor.query != hash || cursor.target >= max(1, selection.targets.count) {
            throw RequestError(
                .badCursor, "this cursor belongs to another query",
                hint: "send it with the parameters of the page before, or ask for the first page again")
        }
    }

    private static func checkGroups(_ isGrouped: Bool, _ selection: QuerySelection) throws(RequestError) {
        guard isGrouped else { return }
        guard !selection.isSpanning, let target = selection.targets.first, target.view.definition.groupBy != nil else {
            throw RequestError(
                .badParams, selection.isSpanning ? "groups need a collection" : "this collection has no groups",
                hint: "leave group out", details: [RequestError.detail("parameter", "group")])
        }
    }

    /// The fields to write of each target: over several collections a field may be missing in some, but not in all.
    private static func projection(_ names: [String], _ selection: QuerySelection) throws(RequestError) -> [[Int]?] {
        if !selection.isSpanning, let target = selection.targets.first {
            return [try FieldList.indexes(names, of: target.view.definition, parameter: .fields)]
        }
        for name in names where !selection.targets.contains(where: { $0.view.definition.fieldIndex(name) != nil }) {
            for target in selection.targets {
                _ = try FieldList.indexes([name], of: target.view.definition, parameter: .fields)
            }
        }
        return selection.targets.map { target in names.compactMap { target.view.definition.fieldIndex($0) } }
    }
}
