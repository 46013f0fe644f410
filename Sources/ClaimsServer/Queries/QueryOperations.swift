// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsProtocol
import ClaimsSnapshot
import ClaimsStore

/// `count`: counts the matching records of each collection.
struct CountOperation: QueryOperation {
    let selection: QuerySelection

    var timeout: Duration { selection.timeout }

    func run(_ context: QueryContext, budget: QueryBudget, to writer: inout JSONWriter) throws(QueryFailure) {
        var totals: [Int] = []
        for target in selection.targets {
            do throws(QueryInterruption) {
                totals.append(
                    try target.rows.count(
                        target.predicate, archived: selection.archived, scratch: context.scratch, budget: budget))
            } catch {
                throw .interrupted(error)
            }
        }
        writer.beginObject()
        selection.writeTotals(totals, to: &writer)
        writer.key(CountResult.meta)
        selection.writeMeta(context.served, to: &writer)
        writer.endObject()
    }
}

/// `facets`: counts the values of some fields of one collection.
struct FacetsOperation: QueryOperation {
    let selection: QuerySelection
    let target: QueryTarget
    /// The indexes of the fields.
    let fields: [Int]

    var timeout: Duration { selection.timeout }

    func run(_ context: QueryContext, budget: QueryBudget, to writer: inout JSONWriter) throws(QueryFailure) {
        var query = PageQuery(predicate: target.predicate, order: target.order)
        query.archived = selection.archived
        query.facets = fields
        query.limit = 0
        let page: Page
        do throws(QueryInterruption) {
            page = try target.rows.execute(query, scratch: context.scratch, budget: budget)
        } catch {
            throw .interrupted(error)
        }
        writer.beginObject()
        writer.key(FacetsResult.facets)
        FacetWriter.write(
            page.facets, of: fields, target.view.definition, target.rows,
            language: selection.language ?? context.configuration.language, to: &writer)
        writer.member(FacetsResult.total, page.total)
        writer.key(FacetsResult.meta)
        selection.writeMeta(context.served, to: &writer)
        writer.endObject()
    }
}
