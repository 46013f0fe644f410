// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsProtocol
import ClaimsStore

/// `search`, and `sort` with its other default for what is not asked.
enum SearchHandler {
    static func answer(
        _ arguments: borrowing Arguments, _ sort: ParameterName, _ context: ServingContext, to writer: inout JSONWriter
    ) throws(RequestError) -> Disposition {
        let request = try SearchRequest(arguments, sort: sort, context)
        if try arguments.boolean(.stream) ?? false { return .stream(RecordStream(request)) }
        return try SearchOperation(request: request).dispatch(context, to: &writer)
    }
}
