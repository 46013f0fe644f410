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
        context.runOnWorker(try ExplainOperation(parameters, context.queries, for: peer), for: peer)
    }
}

extension ExplainOperation {
    /// Reads the parameters of a request.
    ///
    /// - Throws: `unknown_collection`, `no_data`, `bad_params`, `bad_filter`, or `not_found` for the record.
    init(_ parameters: ExplainParameters, _ context: QueryContext, for peer: Peer) throws(RequestError) {
        self.peer = peer
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
        timeout = context.timeout(parameters.timeout)
    }
}

extension TargetReader {
    /// The filter of the request and the filter of the view with their parts separately, and both together in normal
    /// form.
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

/// `explain`: counts each part of a filter, and tries it on a record.
///
/// The cheapest comes first: estimates and verdicts, then the total, then the counts of the parts. Whatever is not
/// known when the time is over is null.
struct ExplainOperation: QueryOperation {
    /// The collection, with the predicate of the whole.
    let target: QueryTarget
    /// The filter of the request; nil if it has none.
    let filter: ExplainedFilter?
    /// The filter of the view that the request names; nil if it names none.
    let viewFilter: ExplainedFilter?
    /// Both in normal form.
    let text: String
    /// The row of the record to try; nil for none.
    var row: Int?
    let archived: ArchivedMode
    let language: String?
    let timeout: Duration
    let peer: Peer

    func run(_ context: QueryContext, budget: QueryBudget, to writer: inout JSONWriter) throws(QueryFailure) {
        let rows = target.rows
        var steps = TimedSteps()
        var parts = ExplainedParts(target, row: row)
        let whole = try steps.perform { () throws(QueryInterruption) in
            try rows.outline(of: target.predicate, row: row, scratch: context.scratch, budget: budget)
        }
        let tree = joined(filter, viewFilter)
        try parts.outline(tree, &steps, scratch: context.scratch, budget: budget)
        let total = try steps.perform { () throws(QueryInterruption) in
            try count(target.predicate, context.scratch, budget)
        }
        try parts.count(tree, &steps) { predicate throws(QueryInterruption) in
            try count(predicate, context.scratch, budget)
        }
        writer.beginObject()
        writer.member(ExplainResult.filter, text)
        writer.key(ExplainResult.tree)
        parts.write(tree, to: &writer)
        // A plan reveals records that a rule may leave out.
        if target.view.limit == nil {
            let plan = PlanText(definition: target.view.definition)
                .lines(whole?.outline, records: rows.count, archived: rows.archivedCount, archived)
            let language = language ?? context.configuration.language
            writer.key(ExplainResult.plan)
            writer.array(plan.map { $0.text(language) })
        }
        writer.member(ExplainResult.total, total.map { Int64($0) })
        if let row, let isTrue = whole?.isTrue {
            let isUnlisted = rows.isUnlisted(row)
            let isAllowed = archived == .include || (archived == .only) == rows.isArchived(row)
            let isListed = isTrue && isAllowed && !isUnlisted
            writer.member(ExplainResult.listed, isListed)
            if !isListed {
                writer.member(ExplainResult.because, !isTrue ? "filter" : isUnlisted ? "pending" : "archived")
            }
        }
        writer.key(ExplainResult.meta)
        context.served.writeMeta(target.view, language: language, to: &writer)
        writer.endObject()
        recordShown(rows)
    }

    /// Counts the request, and the record that the filter was tried on, if the collection is journaled.
    private func recordShown(_ rows: ServedRows) {
        var look = Look(.explain)
        if let row, let (snapshot, own) = rows.layer(of: row) { look.shown.append(snapshot.id(own)) }
        peer.record(look, of: target.view.definition)
    }

    private func count(
        _ predicate: Predicate, _ scratch: QueryScratch, _ budget: QueryBudget
    ) throws(QueryInterruption) -> Int {
        try target.rows.count(predicate, archived: archived, scratch: scratch, budget: budget)
    }

    /// One tree of both filters. Only the parts of the request's filter have positions.
    private func joined(_ filter: ExplainedFilter?, _ viewFilter: ExplainedFilter?) -> ExplainedFilter {
        let view = viewFilter?.withoutRanges
        return switch (filter, view) {
        case (let filter?, let view?): .and([filter, view])
        case (let one?, nil), (nil, let one?): one
        case (nil, nil): .and([])
        }
    }
}
