// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsProtocol
import ClaimsStore

/// `search`, and `sort`, which differ in the name of the sort keys.
enum SearchHandler {
    static func answer(
        _ parameters: SearchParameters, from peer: Peer, _ context: RequestContext, to writer: inout JSONWriter
    ) throws(RequestError) -> Disposition {
        let request = try SearchRequest(
            parameters.selection, parameters.page, collection: parameters.collection, sort: parameters.sort,
            context.queries)
        return try answer(request, isStreamed: parameters.page.isStreamed, from: peer, context, to: &writer)
    }

    static func answer(
        _ parameters: SortParameters, from peer: Peer, _ context: RequestContext, to writer: inout JSONWriter
    ) throws(RequestError) -> Disposition {
        let request = try SearchRequest(
            parameters.selection, parameters.page, collection: parameters.collection, sort: parameters.by,
            context.queries)
        return try answer(request, isStreamed: parameters.page.isStreamed, from: peer, context, to: &writer)
    }

    private static func answer(
        _ request: SearchRequest, isStreamed: Bool, from peer: Peer, _ context: RequestContext,
        to writer: inout JSONWriter
    ) throws(RequestError) -> Disposition {
        if isStreamed { return .stream(RecordStream(request)) }
        return try context.run(SearchOperation(request: request), for: peer, to: &writer)
    }
}

/// `count`: the exact number of matching records.
enum CountHandler {
    static func answer(
        _ parameters: CountParameters, from peer: Peer, _ context: RequestContext, to writer: inout JSONWriter
    ) throws(RequestError) -> Disposition {
        let selection = try QuerySelection(
            parameters.selection, collection: parameters.collection, context.queries)
        return try context.run(CountOperation(selection: selection), for: peer, to: &writer)
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
        let operation = FacetsOperation(selection: selection, target: target, fields: fields)
        return try context.run(operation, for: peer, to: &writer)
    }
}
