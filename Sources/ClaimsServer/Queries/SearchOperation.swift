// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsModel
import ClaimsProtocol
import ClaimsStore

/// Finds one page and writes it: `search` and `sort`.
struct SearchOperation: QueryOperation {
    var request: SearchRequest
    /// Whether the records themselves are written; a stream sends them beforehand.
    var writesRecords = true

    var timeout: Duration { request.selection.timeout }

    func run(
        _ context: ServingContext, budget: QueryBudget, to writer: inout JSONWriter
    ) throws(QueryFailure) {
        var page = SearchPage(request, context)
        writer.beginObject()
        writer.key("records")
        writer.beginArray()
        try page.collect(context, budget: budget, to: &writer)
        writer.endArray()
        page.writeSummary(context, to: &writer)
        writer.endObject()
    }
}
