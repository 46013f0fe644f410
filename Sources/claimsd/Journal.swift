// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import ClaimsPlatform
import ClaimsRefresh
import ClaimsStore
import ClaimsSystemd
import Synchronization

/// Tells the journal what happened to the collections: once for each change, never for each try.
final class Journal: Sendable {
    private let log: Log
    private let folders: Folders
    /// What could not be written for want of room, and was not written since: collections, and `changes`.
    private let starved = Mutex<Set<String>>([])
    /// Collections of which new data is held.
    private let held = Mutex<Set<String>>([])
    /// When a refused connection was last told, in nanoseconds of the monotonic clock.
    private let refusal = Mutex<UInt64?>(nil)

    init(_ log: Log, _ folders: Folders) {
        self.log = log
        self.folders = folders
    }

    /// How a snapshot was opened, where that is worth telling.
    func tell(_ event: OpeningEvent, of name: String) {
        switch event {
        case .rebuilt(let records, let rejected, let cause):
            log.write(
                .notice, "the snapshot of \(name) was built again from the state database", .snapshotRebuilt,
                [.collection(name), .records(records), .quarantined(rejected), .reason(cause.message)])
            tellRoom(for: name)
        case .bundled(let records):
            log.write(.info, "\(name) is served from its bundle", nil, [.collection(name), .records(records)])
            tellRoom(for: name)
        case .badBundle(let path, let detail):
            log.write(
                .error, "the bundle of \(name) cannot be served", nil,
                [.collection(name), .path(path), .reason(detail)])
        case .failed(let error):
            if error.code == .storageFull { return tellNoRoom(for: name, error.message) }
            log.write(.error, "\(name) cannot be served", nil, [.collection(name), .reason(error.message)])
        }
    }

    /// How a refresh ended, where it ended otherwise than the one before.
    ///
    /// - Parameter condition: of the collection, after it.
    func tell(_ report: RefreshReport, _ condition: CollectionCondition?) {
        let name = report.collection
        switch report.outcome {
        case .failed:
            // Nothing is wrong with the source then.
            if let failure = report.failure, failure.message.sentence == .storageFull {
                return tellNoRoom(for: name, failure.message.text("en"))
            }
        case .updated: tellRoom(for: name)
        case .unchanged, .held, .skipped: break
        }
        var fields: [LogField] = [.collection(name)]
        if let origin = condition?.source.origin { fields.append(.source(origin)) }
        if let failure = report.failure {
            fields.append(.failure(failure.kind.rawValue))
            if let status = failure.status { fields.append(.httpStatus(status)) }
            fields.append(.reason(failure.message.text("en")))
        }
        switch report.transition {
        case .none: break
        case .failed:
            if let status = report.failure?.status, (400..<500).contains(status), status != 429 {
                log.write(.error, "the source of \(name) refuses the request", .sourceRefused, fields)
            } else {
                log.write(.warning, "the source of \(name) fails", .sourceFailing, fields)
            }
        case .opened: log.write(.error, "the source of \(name) keeps failing", .sourceOpen, fields)
        case .recovered:
            let wasHeld = held.withLock { $0.remove(name) != nil }
            if wasHeld, report.outcome == .updated {
                fields += [.records(report.counts.records), .generation(condition?.row.generation ?? 0)]
                log.write(.notice, "held data of \(name) was taken", .collectionReleased, fields)
            } else {
                log.write(.notice, "the source of \(name) is well again", .sourceRecovered, fields)
            }
        case .held:
            held.withLock { _ = $0.insert(name) }
            log.write(.warning, "new data of \(name) is held back", .collectionHeld, fields)
        case .updated:
            fields += [.records(report.counts.records), .generation(condition?.row.generation ?? 0)]
            log.write(.info, "\(name) has new data", .collectionUpdated, fields)
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
            tellRoom(for: Self.changes)
            guard !outcome.changed.isEmpty else { return }
            log.write(
                .info, change.isArchiving ? "records were archived" : "records were unarchived", .recordsArchived,
                [.collection(change.collection), .records(outcome.changed.count), .peerUID(change.uid)])
        case .failure(let error):
            if error.code == .storageFull { return tellNoRoom(for: Self.changes, error.message) }
            log.write(.error, "a change could not be stored", nil, [.reason(error.message)])
        }
    }

    /// That a connection of a user was refused because there are too many; once a minute at most.
    func tellRefusal(of uid: UInt32) {
        let now = Clocks.monotonic
        let isDue = refusal.withLock { last in
            if let told = last, now &- told < Self.refusalInterval.wholeNanoseconds { return false }
            last = now
            return true
        }
        if isDue { log.write(.warning, "there are too many connections", .connectionsExhausted, [.peerUID(uid)]) }
    }

    /// That the wall clock jumped by so many milliseconds.
    func tellClockStep(_ jump: Int64) {
        log.write(.notice, "the clock was set", .clockStepped, [.milliseconds(jump)])
    }

    // MARK: - Room

    private func tellNoRoom(for subject: String, _ reason: String) {
        let isFirst = starved.withLock { starved in
            defer { starved.insert(subject) }
            return starved.isEmpty
        }
        guard isFirst else { return }
        log.write(.critical, "there is no room to write", .storageFull, [.path(fullestFolder), .reason(reason)])
    }

    private func tellRoom(for subject: String) {
        let wasLast = starved.withLock { starved in starved.remove(subject) != nil && starved.isEmpty }
        if wasLast { log.write(.notice, "there is room to write again", .storageRecovered) }
    }

    private var fullestFolder: String {
        func room(_ folder: String) -> Int { (try? Directory.space(folder).free) ?? 0 }
        return room(folders.cache) < room(folders.state) ? folders.cache : folders.state
    }

    private static let refusalInterval: Duration = .seconds(60)
    /// No collection has this name.
    private static let changes = "/"
}
