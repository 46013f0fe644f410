// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsModel
import ClaimsPlatform
import ClaimsProtocol
import ClaimsQuery
import ClaimsSnapshot
import ClaimsStore

/// `explain`: how a filter is understood, and whether it is true for a record.
enum ExplainHandler {
    /// Always answered by a worker, because each part of the filter is a query of its own.
    static func answer(
        _ parameters: ExplainParameters, from peer: Peer, _ context: RequestContext
    ) throws(RequestError) -> Disposition {
        context.runOnWorker(try ExplainOperation(parameters, context.queries), for: peer)
    }
}

extension ExplainOperation {
    /// Reads the parameters of a request.
    ///
    /// - Throws: `unknown_collection`, `no_data`, `bad_params`, `bad_filter`, or `not_found` for the record.
    init(_ parameters: ExplainParameters, _ context: QueryContext) throws(RequestError) {
        let served = context.served
        let view = try served.view(named: parameters.collection)
        let filter = try QuerySelection.filter(parameters.filter, context.filterLimits)
        let reader = TargetReader(
            filter: filter, viewName: parameters.view, sort: nil, zone: try context.zone(named: parameters.timeZone),
            now: served.now, limits: context.filterLimits)
        target = try reader.read(view, served, language: parameters.language)
        (self.filter, viewFilter, text) = try reader.explained(view)
        if let names = parameters.fields?.names {
            _ = try FieldList.indexes(names, of: view.definition, parameter: PageParameters.fields)
        }
        row = nil
        if let id = parameters.id?.text {
            guard let found = view.servedRow(Array(id.utf8)) else {
                throw .recordNotFound(id: id, in: view, language: parameters.language, served)
            }
            row = found
        }
        archived = parameters.archived
        language = parameters.language
        let maxTimeout = context.configuration.limits.request
        timeout = parameters.timeout.map { min(maxTimeout, .milliseconds($0)) } ?? maxTimeout
    }
}

extension TargetReader {
    /// The filter of the request and that of the view with their parts apart, and both together in normal form.
    fileprivate func explained(
        _ view: CollectionView
    ) throws(RequestError) -> (own: ExplainedFilter?, view: ExplainedFilter?, text: String) {
        let definition = view.definition
        let zone = zone
        let typing = FilterContext(definition: definition, now: now, startOfDay: { zone.startOfDay($0) })
        do throws(FilterError) {
            let viewNode = try viewFilter(definition)
            let nodes = [filter, viewNode].compactMap { $0 }
            let text = nodes.isEmpty ? "" : FilterNode.all(nodes).text
            return (try filter?.explained(in: typing), try viewNode?.explained(in: typing), text)
        } catch {
            throw RequestError(error)
        }
    }
}
