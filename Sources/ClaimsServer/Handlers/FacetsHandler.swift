// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsProtocol
import ClaimsStore

/// `facets`: how often each value of some fields occurs.
enum FacetsHandler {
    static func answer(
        _ arguments: borrowing Arguments, _ context: ServingContext, to writer: inout JSONWriter
    ) throws(RequestError) -> Disposition {
        _ = try arguments.requiredString(.collection)
        guard let names = try arguments.strings(.fields) else { throw arguments.missing(.fields) }
        let selection = try QuerySelection(arguments, sort: nil, context)
        guard let target = selection.targets.first else { throw arguments.missing(.collection) }
        let fields = try FacetWriter.fields(names, of: target.view.definition, parameter: .fields)
        return try FacetsOperation(selection: selection, target: target, fields: fields).dispatch(context, to: &writer)
    }
}

/// Counts the values and writes them.
struct FacetsOperation: QueryOperation {
    let selection: QuerySelection
    let target: QueryTarget
    let fields: [Int]

    var timeout: Duration { selection.timeout }

    func run(_ context: ServingContext, budget: QueryBudget, to writer: inout JSONWriter) throws(QueryFailure) {
        var query = PageQuery(predicate: target.predicate, order: target.order)
        query.archived = selection.archived
        query.facets = fields
        query.limit = 0
        let page: Page
        do throws(QueryInterruption) {
            page = try target.snapshot.execute(
                query, archive: target.view.archive, scratch: context.scratch, budget: budget)
        } catch {
            throw .interrupted(error)
        }
        writer.beginObject()
        writer.key("facets")
        FacetWriter.write(
            page.facets, fields, target, language: selection.language ?? context.configuration.language, to: &writer)
        writer.member("total", page.total)
        writer.key("meta")
        SelectionMeta.write(selection, context, to: &writer)
        writer.endObject()
    }
}
