// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsModel
import ClaimsProtocol
import ClaimsStore

/// `count`: how many records match, exactly.
enum CountHandler {
    static func answer(
        _ arguments: borrowing Arguments, _ context: ServingContext, to writer: inout JSONWriter
    ) throws(RequestError) -> Disposition {
        let selection = try QuerySelection(arguments, sort: nil, context)
        return try CountOperation(selection: selection).dispatch(context, to: &writer)
    }
}

/// Counts and writes the totals.
struct CountOperation: QueryOperation {
    let selection: QuerySelection

    var timeout: Duration { selection.timeout }

    func run(_ context: ServingContext, budget: QueryBudget, to writer: inout JSONWriter) throws(QueryFailure) {
        var totals: [Int] = []
        for target in selection.targets {
            do throws(QueryInterruption) {
                totals.append(
                    try target.snapshot.count(
                        target.predicate, archived: selection.archived, archive: target.view.archive,
                        scratch: context.scratch, budget: budget))
            } catch {
                throw .interrupted(error)
            }
        }
        writer.beginObject()
        writer.member("total", totals.reduce(0, +))
        if selection.isSpanning {
            writer.key("totals")
            writer.beginObject()
            for (target, total) in zip(selection.targets, totals) {
                writer.key(target.view.definition.name)
                writer.integer(total)
            }
            writer.endObject()
        }
        writer.key("meta")
        SelectionMeta.write(selection, context, to: &writer)
        writer.endObject()
    }
}
