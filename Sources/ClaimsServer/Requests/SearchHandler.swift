// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsJSON
import ClaimsModel
import ClaimsProtocol
import ClaimsSnapshot
import ClaimsStore

/// `search`, and `sort`, which differ in the name of the sort keys.
enum SearchHandler {
    static func answer(
        _ parameters: SearchParameters, from peer: Peer, _ context: RequestContext, to writer: inout JSONWriter
    ) throws(RequestError) -> Disposition {
        let request = try SearchRequest(
            parameters.selection, parameters.page, collection: parameters.collection, sort: parameters.sort,
            context.queries)
        return try answer(
            request, of: .search, isStreamed: parameters.page.isStreamed, from: peer, context, to: &writer)
    }

    static func answer(
        _ parameters: SortParameters, from peer: Peer, _ context: RequestContext, to writer: inout JSONWriter
    ) throws(RequestError) -> Disposition {
        let request = try SearchRequest(
            parameters.selection, parameters.page, collection: parameters.collection, sort: parameters.by,
            context.queries)
        return try answer(
            request, of: .sort, isStreamed: parameters.page.isStreamed, from: peer, context, to: &writer)
    }

    private static func answer(
        _ request: SearchRequest, of method: Method, isStreamed: Bool, from peer: Peer, _ context: RequestContext,
        to writer: inout JSONWriter
    ) throws(RequestError) -> Disposition {
        if isStreamed { return .stream(RecordStream(request, of: method, from: peer)) }
        return try context.run(SearchOperation(request: request, method: method, peer: peer), for: peer, to: &writer)
    }
}

/// `count`: the exact number of matching records.
enum CountHandler {
    static func answer(
        _ parameters: CountParameters, from peer: Peer, _ context: RequestContext, to writer: inout JSONWriter
    ) throws(RequestError) -> Disposition {
        let selection = try QuerySelection(
            parameters.selection, collection: parameters.collection, context.queries)
        return try context.run(CountOperation(selection: selection, peer: peer), for: peer, to: &writer)
    }
}

/// `facets`: how often each value of some fields occurs.
enum FacetsHandler {
    static func answer(
        _ parameters: FacetsParameters, from peer: Peer, _ context: RequestContext, to writer: inout JSONWriter
    ) throws(RequestError) -> Disposition {
        let selection = try QuerySelection(
            parameters.selection, collection: parameters.collection, context.queries)
        guard let target = selection.targets.first else {
            throw RequestError.nothingSelected
        }
        let fields = try FieldList.countable(
            parameters.fields.names, of: target.view.definition, parameter: FacetsParameters.fields)
        let operation = FacetsOperation(selection: selection, target: target, fields: fields, peer: peer)
        return try context.run(operation, for: peer, to: &writer)
    }
}

/// `search` and `sort`: finds one page and writes it.
struct SearchOperation: QueryOperation {
    let request: SearchRequest
    let method: Method
    let peer: Peer

    var timeout: Duration { request.selection.timeout }

    func run(
        _ context: QueryContext, budget: QueryBudget, to writer: inout JSONWriter
    ) throws(QueryFailure) {
        var page = SearchPage(request)
        writer.beginObject()
        writer.key(SearchResult.records)
        writer.beginArray()
        try page.collect(context, budget: budget, to: &writer)
        writer.endArray()
        page.writeSummary(context, to: &writer)
        writer.endObject()
        page.recordShown(to: peer, by: method, isFirst: true)
    }
}

/// `count`: counts the matching records of each collection.
struct CountOperation: QueryOperation {
    let selection: QuerySelection
    let peer: Peer

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
        for target in selection.targets { peer.record(Look(.count), of: target.view.definition) }
    }
}

/// `facets`: counts the values of some fields of one collection.
struct FacetsOperation: QueryOperation {
    let selection: QuerySelection
    let target: QueryTarget
    /// The indexes of the fields.
    let fields: [Int]
    let peer: Peer

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
        peer.record(Look(.facets), of: target.view.definition)
    }
}
