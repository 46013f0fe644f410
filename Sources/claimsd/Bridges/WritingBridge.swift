// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import ClaimsOutbox
import ClaimsServer
import ClaimsStore

/// Connects the server's requests that write with the store.
enum WritingBridge {
    static func services(
        _ store: StateStore, _ attachments: AttachmentStore, watch: OutboxWatch, outbox: Outbox, sweep: FileSweep
    ) -> WritingServices {
        var services = WritingServices()
        services.submit = { submission, done in
            var submission = submission
            submission.admit = outbox.admission(at: submission.calendar.now)
            let mayFreeFiles = submission.action == .delete || !submission.detached.isEmpty
            store.submit(submission, with: attachments) { result in
                if mayFreeFiles, case .success(let outcome) = result, outcome.state == .done { sweep.ask() }
                done(result)
            }
        }
        services.decide = { order, done in outbox.decide(order, completion: done) }
        services.list = { query throws(StoreError) in
            var number: Int64?
            if let name = query.collection {
                number = store.catalog.current()[name]?.condition.row.number
                guard number != nil else { throw StoreError(.noCollection, "list operations", detail: name) }
            }
            return try store.database.operations(
                of: number, in: query.states, before: query.before, limit: query.limit)
        }
        services.find = { id throws(StoreError) in try store.operation(id) }
        services.wait = { watch.add($0) }
        services.summary = {
            var summary = summary(of: store.catalog.current())
            summary.paused = outbox.troubledOrigins
            return summary
        }
        return services
    }

    private static func summary(of catalog: Catalog) -> OutboxSummary {
        var summary = OutboxSummary()
        for operation in catalog.unsettledOperations {
            switch operation.state.pending {
            case .queued?: summary.queued += 1
            case .accepted?: summary.accepted += 1
            case .stuck?: summary.stuck += 1
            case nil: continue
            }
            summary.oldest = min(summary.oldest ?? .max, operation.submittedAt)
        }
        return summary
    }
}
