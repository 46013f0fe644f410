// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsPlatform
import ClaimsProtocol
import ClaimsStore

/// A query that can run on a loop or, when it takes long, on a worker.
protocol QueryOperation: Sendable {
    /// How long it may take in all.
    var timeout: Duration { get }

    /// Runs and writes the result.
    ///
    /// - Throws: `interrupted` when the budget is used up; what was written is thrown away, and the operation may be
    ///   run again from the start.
    func run(
        _ context: ServingContext, budget: QueryBudget, to writer: inout JSONWriter
    ) throws(QueryFailure)
}

/// Why a query gave no result.
enum QueryFailure: Error {
    case interrupted(QueryInterruption)
    case refused(RequestError)
}

extension QueryOperation {
    /// Runs at once where that is quick; otherwise the answer comes from a worker.
    ///
    /// A loop serves many connections: what has not ended after ``inlineLimit`` is begun anew on a worker, so that
    /// nobody waits for another's query.
    func dispatch(_ context: ServingContext, to writer: inout JSONWriter) throws(RequestError) -> Disposition {
        do throws(QueryFailure) {
            try run(context, budget: QueryBudget(limit: QueryLimits.inline), to: &writer)
            return .answered
        } catch {
            if case .refused(let error) = error { throw error }
        }
        guard let workers = context.workers else { throw QueryLimits.timeoutError(timeout) }
        let cancellation = Cancellation()
        return .later(cancellation: cancellation) { [asker = context.asker] done in
            workers.run(self, for: asker, cancellation: cancellation, done: done)
        }
    }
}

/// The bounds on the time of queries.
enum QueryLimits {
    /// How long a query may hold its loop.
    static let inline: Duration = .milliseconds(1)

    static func timeoutError(_ timeout: Duration) -> RequestError {
        RequestError(
            .timeout, "the query took longer than \(timeout.wholeMilliseconds) ms",
            hint: "narrow the filter, or allow more in timeout_ms")
    }
}
