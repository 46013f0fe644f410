// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import ClaimsProtocol

/// `changes`: how the set of a feed has changed since a clock. A worker reads the log, never a loop.
enum ChangesHandler {
    static func answer(
        _ parameters: ChangesParameters, from peer: Peer, _ context: RequestContext
    ) throws(RequestError) -> Disposition {
        if parameters.since != nil, parameters.cursor != nil {
            throw RequestError(
                ChangesParameters.cursor,
                ErrorText(
                    en: "since and cursor exclude each other", pl: "since i cursor wykluczają się nawzajem"),
                hint: ErrorText(
                    en: "give since on the first page, and cursor on those after it",
                    pl: "podaj since na pierwszej stronie, a cursor na następnych"))
        }
        let maxTimeout = context.configuration.limits.request
        let operation = ChangesOperation(
            request: try FeedRequest(parameters.feed, context.queries), collection: parameters.collection,
            since: parameters.since, cursor: parameters.cursor, limit: Int(parameters.limit),
            language: parameters.language,
            timeout: parameters.timeout.map { min(maxTimeout, .milliseconds($0)) } ?? maxTimeout)
        return context.runOnWorker(operation, for: peer)
    }
}
