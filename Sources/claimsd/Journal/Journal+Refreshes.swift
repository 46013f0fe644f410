// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsModel
import ClaimsPlatform
import ClaimsRefresh
import ClaimsStore
import ClaimsSystemd
import Synchronization

extension Journal {
    /// Writes what has happened in refreshes, if it is worth a line.
    func log(_ event: RefreshEvent, in catalog: Catalog) {
        switch event {
        case .began: break
        case .ended(let report): log(report, catalog[report.collection]?.condition)
        case .erased(let collection): log(.success(collection), erasing: collection.name, by: nil)
        }
    }

    /// Writes how a refresh ended, if it ended in another way than the one before.
    ///
    /// - Parameter condition: the condition of the collection after the refresh.
    func log(_ report: RefreshReport, _ condition: CollectionCondition?) {
        let collection = report.collection
        let name = Self.name(of: report.source)
        switch report.outcome {
        case .failed:
            // Nothing is wrong with the source then.
            if let failure = report.failure, failure.message.key == .storageFull {
                return logNoRoom(for: collection, failure.message.text("en"))
            }
            if report.failure?.message.key == .storageLocked { return logLock(true) }
        case .updated:
            logRoom(for: collection)
            logLock(false)
        case .started, .unchanged, .held, .skipped: break
        }
        var fields: [LogField] = [.collection(collection)] + (report.source.site.map { [.site($0)] } ?? [])
        let own = fields
        if let origin = condition?.source(of: report.source.site).origin { fields.append(.source(origin)) }
        if let failure = report.failure {
            fields.append(.failure(failure.kind.rawValue))
            if let status = failure.status { fields.append(.httpStatus(status)) }
            fields.append(.reason(failure.message.text("en")))
        }
        switch report.transition {
        case .none: break
        case .failed, .failedOtherwise:
            if report.isRefused {
                log.write(.error, "the source of \(name) refuses the request", event: .sourceRefused, fields: fields)
            } else {
                let message = report.transition == .failed ? "fails" : "fails for another reason"
                log.write(.warning, "the source of \(name) \(message)", event: .sourceFailing, fields: fields)
            }
        case .opened: log.write(.error, "the source of \(name) keeps failing", event: .sourceOpen, fields: fields)
        case .recovered:
            let wasHeld = held.withLock { $0.remove(name) != nil }
            if wasHeld, report.outcome == .updated {
                fields += Self.fields(of: report, condition)
                log.write(
                    .notice, "held data of \(name) was taken: \(Self.changes(report))", event: .collectionReleased,
                    fields: fields)
            } else {
                log.write(.notice, "the source of \(name) is well again", event: .sourceRecovered, fields: fields)
            }
        case .held:
            held.withLock { _ = $0.insert(name) }
            log.write(.warning, "new data of \(name) is held back", event: .collectionHeld, fields: fields)
        case .updated:
            fields += Self.fields(of: report, condition)
            log.write(
                .info, "\(name) has new data: \(Self.changes(report))", event: .collectionUpdated, fields: fields)
        }
        if report.outcome == .updated, report.counts.quarantined > 0 {
            log.write(
                .warning, "\(name): \(Self.records(report.counts.quarantined)) cannot be read",
                event: .recordsQuarantined,
                fields: own + [.quarantined(report.counts.quarantined)])
        }
        if report.ignoredJoinRecords > 0 {
            log.write(
                .warning, "\(name): \(Self.records(report.ignoredJoinRecords)) of the join cannot be read",
                event: .joinRecordsIgnored, fields: own + [.ignored(report.ignoredJoinRecords)])
        }
    }

    private static func fields(of report: RefreshReport, _ condition: CollectionCondition?) -> [LogField] {
        [
            .records(report.counts.records), .generation(condition?.row.generation ?? 0),
            .milliseconds(report.duration.wholeMilliseconds),
        ]
    }

    /// The text about the changes of a refresh, such as "1,204 records, 3 added, 1 changed, 0 removed, in 85 ms".
    private static func changes(_ report: RefreshReport) -> String {
        let counts = report.counts
        let parts = [
            records(counts.records), "\(counts.added.grouped()) added", "\(counts.updated.grouped()) changed",
            "\(counts.removed.grouped()) removed", "in \(report.duration.wholeMilliseconds.grouped()) ms",
        ]
        return parts.joined(separator: ", ")
    }
}
