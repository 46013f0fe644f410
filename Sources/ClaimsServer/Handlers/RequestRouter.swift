// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsProtocol

/// Hands each request to the handler of its method.
enum RequestRouter {
    /// Answers, or tells how the answer will come.
    ///
    /// - Throws: the error to answer with; what was written so far is thrown away.
    static func answer(
        _ method: Method, _ arguments: borrowing Arguments, _ session: Session, _ context: ServingContext,
        to writer: inout JSONWriter
    ) throws(RequestError) -> Disposition {
        switch method {
        case .detail: return try DetailHandler.answer(arguments, context, to: &writer)
        case .search: return try SearchHandler.answer(arguments, .sort, context, to: &writer)
        case .sort: return try SearchHandler.answer(arguments, .by, context, to: &writer)
        case .count: return try CountHandler.answer(arguments, context, to: &writer)
        case .facets: return try FacetsHandler.answer(arguments, context, to: &writer)
        case .ping:
            writer.beginObject()
            writer.endObject()
            return .answered
        case .hello: return try HelloHandler.answer(arguments, session, context, to: &writer)
        case .describe: return try DescribeHandler.answer(arguments, context, to: &writer)
        case .status: return try StatusHandler.answer(arguments, context, to: &writer)
        case .archive: return try ArchiveHandler.answer(arguments, isArchiving: true, session, context)
        case .unarchive: return try ArchiveHandler.answer(arguments, isArchiving: false, session, context)
        case .refresh: return try RefreshHandler.answer(arguments, session, context, to: &writer)
        case .deal: return try DealHandler.answer(arguments, context, to: &writer)
        case .cancel: return try CancelHandler.answer(arguments)
        }
    }
}
