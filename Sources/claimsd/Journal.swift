// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import ClaimsRefresh
import ClaimsStore
import ClaimsSystemd
import Synchronization

/// Tells the journal what happened to the collections: once for each change, never for each try.
final class Journal: Sendable {
    private let log: Log
    /// Whether changes fail because the disk is full.
    private let isFull = Mutex(false)

    init(_ log: Log) {
        self.log = log
    }

    /// How a snapshot was opened, where that is worth telling.
    func tell(_ event: OpeningEvent, of name: String) {
        switch event {
        case .rebuilt(let records, let rejected, let cause):
            log.write(
                .notice, "the snapshot of \(name) was built again from the state database", .snapshotRebuilt,
                [.collection(name), .records(records), .quarantined(rejected), .reason(cause.message)])
        case .bundled(let records):
            log.write(.info, "\(name) is served from its bundle", nil, [.collection(name), .records(records)])
        case .badBundle(let path, let detail):
            log.write(
                .error, "the bundle of \(name) cannot be served", nil,
                [.collection(name), .path(path), .reason(detail)])
        case .failed(let error):
            log.write(
                error.code == .storageFull ? .critical : .error, "\(name) cannot be served",
                error.code == .storageFull ? .storageFull : nil, [.collection(name), .reason(error.message)])
        }
    }

    /// How a refresh ended, where it ended otherwise than the one before.
    func tell(_ report: RefreshReport) {
        var fields: [LogField] = [.collection(report.collection)]
        if let failure = report.failure {
            fields.append(.failure(failure.kind.rawValue))
            if let status = failure.status { fields.append(.httpStatus(status)) }
            fields.append(.reason(failure.message.text("en")))
        }
        let name = report.collection
        switch report.transition {
        case .none: break
        case .failed:
            if let status = report.failure?.status, (400..<500).contains(status), status != 429 {
                log.write(.error, "the source of \(name) refuses the request", .sourceRefused, fields)
            } else {
                log.write(.warning, "the source of \(name) fails", .sourceFailing, fields)
            }
        case .opened: log.write(.error, "the source of \(name) keeps failing", .sourceOpen, fields)
        case .recovered: log.write(.notice, "the source of \(name) is well again", .sourceRecovered, fields)
        case .held: log.write(.warning, "new data of \(name) is held back", .collectionHeld, fields)
        case .updated:
            log.write(
                .info, "\(name) has new data", .collectionUpdated, fields + [.records(report.counts.records)])
        }
        if report.outcome == .updated, report.counts.quarantined > 0 {
            log.write(
                .warning, "records of \(name) cannot be read", .recordsQuarantined,
                [.collection(name), .quarantined(report.counts.quarantined)])
        }
    }

    /// That somebody changed something, or that it could not be stored.
    func tell(_ result: Result<ArchiveChange.Outcome, StoreError>, of change: ArchiveChange) {
        switch result {
        case .success(let outcome):
            let hadBeenFull = isFull.withLock { isFull in
                defer { isFull = false }
                return isFull
            }
            if hadBeenFull { log.write(.notice, "there is room for changes again", .storageRecovered) }
            guard !outcome.changed.isEmpty else { return }
            log.write(
                .info, change.isArchiving ? "records were archived" : "records were unarchived", .recordsArchived,
                [.collection(change.collection), .records(outcome.changed.count), .peerUID(change.uid)])
        case .failure(let error):
            guard error.code == .storageFull else {
                return log.write(.error, "a change could not be stored", nil, [.reason(error.message)])
            }
            let isNew = isFull.withLock { isFull in
                defer { isFull = true }
                return !isFull
            }
            if isNew { log.write(.critical, "there is no room for changes", .storageFull, [.reason(error.message)]) }
        }
    }
}
