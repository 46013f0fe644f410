// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import ClaimsOutbox
import ClaimsStore
import ClaimsSystemd

extension Journal {
    /// Writes what became of operations, if that is worth a line.
    func log(_ event: OutboxEvent) {
        switch event {
        case .stuck(let operation):
            log.write(
                .warning, "\(operation.collection): operation \(operation.id.text) is \(operation.state.rawValue)",
                event: .operationStuck,
                fields: [
                    .collection(operation.collection), LogField("OPERATION", operation.id.text),
                    LogField("STATE", operation.state.rawValue),
                    .reason(operation.message?.text("en") ?? operation.reason?.rawValue ?? ""),
                ])
        case .paused(let origin, let message):
            log.write(
                .error, "nothing is sent to \(origin)", event: .originPaused,
                fields: [.source(origin), .reason(message.text("en"))])
        case .recovered(let origin):
            log.write(
                .notice, "\(origin) takes writes again", event: .originRecovered, fields: [.source(origin)])
        case .waiting(let count, let oldest):
            log.write(
                .warning, "operations have been waiting since \(Instant(ms: oldest).text)",
                event: .operationsWaiting, fields: [.records(count)])
        case .unrecorded(let error), .unsaved(let error):
            if error.code == .storageFull { return logNoRoom(for: Self.outbox, error.message) }
            log.write(.error, "the outbox could not be stored", fields: [.reason(error.message)])
        case .saved: logRoom(for: Self.outbox)
        }
    }

    private static let outbox = "the outbox"
}
