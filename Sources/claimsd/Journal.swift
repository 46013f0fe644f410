// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import ClaimsPlatform
import ClaimsRefresh
import ClaimsStore
import ClaimsSystemd
import Synchronization

/// Writes to the journal what happens to collections: one line for each change, and none for each attempt.
///
/// It is safe on any thread.
final class Journal: Sendable {
    let log: Log
    private let folders: Folders
    /// The collections, or `changes`, that a full disk kept from being written, and that have not been written since.
    private let starved = Mutex<Set<String>>([])
    /// Whether another program had the state database locked at the last change or refresh.
    private let isLocked = Mutex(false)
    /// Whether another program keeps the write-ahead log.
    private let isLogKept = Mutex(false)
    /// The names of collections whose new data the guard holds.
    private let held = Mutex<Set<String>>([])
    /// The time of the last line about a refused connection, in nanoseconds of the monotonic clock.
    private let refusal = Mutex<UInt64?>(nil)

    init(_ log: Log, _ folders: Folders) {
        self.log = log
        self.folders = folders
    }

    /// Writes how a snapshot was opened, if that is worth a line.
    func tell(_ event: OpeningEvent, of name: String) {
        switch event {
        case .rebuilt(let records, let rejected, let cause):
            log.write(
                .notice, "the snapshot of \(name) was built again from the state database", event: .snapshotRebuilt,
                fields: [.collection(name), .records(records), .quarantined(rejected), .reason(cause.message)])
            tellRoom(for: name)
        case .bundled(let records):
            log.write(
                .info, "\(name) is served from its bundle: \(Self.records(records))",
                fields: [.collection(name), .records(records)])
            tellRoom(for: name)
        case .badBundle(let path, let detail):
            log.write(
                .error, "the bundle of \(name) cannot be served",
                fields: [.collection(name), .path(path), .reason(detail)])
        case .failed(let error):
            if error.code == .storageFull { return tellNoRoom(for: name, error.message) }
            log.write(.error, "\(name) cannot be served", fields: [.collection(name), .reason(error.message)])
        case .added, .returned, .removed, .sourceLost, .sourceFound: tellChange(event, of: name)
        }
    }

    /// Writes that the definition of a collection came, changed or went.
    private func tellChange(_ event: OpeningEvent, of name: String) {
        switch event {
        case .added:
            log.write(.notice, "\(name) is a new collection", event: .collectionAdded, fields: [.collection(name)])
        case .returned:
            log.write(
                .notice, "\(name) is back, with the records that were kept", event: .collectionReturned,
                fields: [.collection(name)])
        case .removed(let records):
            log.write(
                .notice, "\(name) was removed, and its \(records) records are kept for a while",
                event: .collectionRemoved, fields: [.collection(name), .records(records)])
        case .sourceLost(let records):
            log.write(
                .notice, "\(name) has no source any more, and its \(records) records are served on", event: .sourceLost,
                fields: [.collection(name), .records(records)])
        case .sourceFound:
            log.write(.notice, "\(name) has a source", event: .sourceFound, fields: [.collection(name)])
        case .rebuilt, .bundled, .badBundle, .failed: break
        }
    }

    /// Writes how a refresh ended, if it ended in another way than the one before.
    ///
    /// - Parameter condition: the condition of the collection after the refresh.
    func tell(_ report: RefreshReport, _ condition: CollectionCondition?) {
        let collection = report.collection
        let name = report.source.site.map { "\(collection), site \($0)," } ?? collection
        switch report.outcome {
        case .failed:
            // Nothing is wrong with the source then.
            if let failure = report.failure, failure.message.key == .storageFull {
                return tellNoRoom(for: collection, failure.message.text("en"))
            }
            if report.failure?.message.key == .storageLocked { return tellLock(true) }
        case .updated:
            tellRoom(for: collection)
            tellLock(false)
        case .unchanged, .held, .skipped, .gone: break
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
            records(counts.records), "\(grouped(counts.added)) added", "\(grouped(counts.updated)) changed",
            "\(grouped(counts.removed)) removed", "in \(grouped(Int(report.duration.wholeMilliseconds))) ms",
        ]
        return parts.joined(separator: ", ")
    }

    static func records(_ count: Int) -> String { count == 1 ? "1 record" : "\(grouped(count)) records" }

    /// A number with commas between thousands.
    private static func grouped(_ number: Int) -> String {
        let digits = String(number)
        var text = ""
        for (index, digit) in digits.enumerated() {
            if index > 0, (digits.count - index).isMultiple(of: 3) { text += "," }
            text.append(digit)
        }
        return text
    }

    /// Writes that a client archived or unarchived records, or that the change could not be stored.
    func tell(_ result: Result<ArchiveChange.Outcome, StoreError>, of change: ArchiveChange) {
        switch result {
        case .success(let outcome):
            tellRoom(for: Self.changes)
            tellLock(false)
            guard !outcome.changed.isEmpty else { return }
            log.write(
                .info,
                "\(change.collection): \(Self.records(outcome.changed.count)) "
                    + "\(change.isArchiving ? "archived" : "unarchived") by uid \(change.uid)",
                event: .recordsArchived,
                fields: [.collection(change.collection), .records(outcome.changed.count), .peerUID(change.uid)])
        case .failure(let error):
            if error.code == .storageFull { return tellNoRoom(for: Self.changes, error.message) }
            if error.code == .busy { return tellLock(true) }
            log.write(
                .error, "\(change.collection): a change by uid \(change.uid) could not be stored",
                fields: [.collection(change.collection), .peerUID(change.uid), .reason(error.message)])
        }
    }

    /// Writes that a removed collection was erased, or that it could not be.
    ///
    /// - Parameter uid: the user who asked for it; nil where its time was over.
    func tell(_ result: Result<ErasedCollection, StoreError>, erasing name: String, by uid: UInt32?) {
        let user: [LogField] = uid.map { [.peerUID($0)] } ?? []
        switch result {
        case .success(let collection):
            let reason = uid.map { "the user \($0) had it forgotten" } ?? "the time for which it was kept is over"
            log.write(
                .notice, "\(name) was erased with its \(collection.records) records: \(reason)",
                event: .collectionErased, fields: [.collection(name), .records(collection.records)] + user)
        case .failure(let error):
            switch error.code {
            case .noCollection, .mismatch, .closed: break
            case .storageFull: tellNoRoom(for: Self.changes, error.message)
            default:
                log.write(
                    .error, "\(name) could not be erased", fields: [.collection(name), .reason(error.message)] + user)
            }
        }
    }

    /// Writes that a user has dropped elements of a collection's quarantine.
    func tell(dropped count: Int, of name: String, by uid: UInt32) {
        guard count > 0 else { return }
        log.write(
            .notice, "\(name): the user \(uid) has dropped \(Self.records(count)) from quarantine",
            fields: [.collection(name), .records(count), .peerUID(uid)])
    }

    /// Writes how many elements of a collection's quarantine are records now, because a user had them retried.
    func tell(_ result: Result<QuarantineOutcome, StoreError>, retrying name: String, by uid: UInt32) {
        switch result {
        case .success(let outcome):
            guard !outcome.accepted.isEmpty else { return }
            log.write(
                .notice,
                "\(name): the user \(uid) has brought \(Self.records(outcome.accepted.count)) back from quarantine",
                fields: [.collection(name), .records(outcome.accepted.count), .peerUID(uid)])
        case .failure(let error):
            if error.code == .storageFull { tellNoRoom(for: Self.changes, error.message) }
        }
    }

    /// Writes that a user's connection was refused because there are too many; at most one line a minute.
    func tellRefusal(of uid: UInt32) {
        let now = SystemClock.monotonic
        let isDue = refusal.withLock { last in
            if let told = last, now &- told < Self.refusalInterval.wholeNanoseconds { return false }
            last = now
            return true
        }
        if isDue {
            log.write(
                .warning, "there are too many connections, and one of uid \(uid) is refused",
                event: .connectionsExhausted, fields: [.peerUID(uid)])
        }
    }

    /// Writes that the wall clock jumped, by milliseconds.
    func tellClockStep(_ jump: Int64) {
        let direction = jump < 0 ? "back" : "forward"
        log.write(
            .notice, "the clock was set \(direction) by \(Self.grouped(Int(jump.magnitude) / 1_000)) s",
            event: .clockStepped, fields: [.milliseconds(jump)])
    }

    /// Writes that the environment names a time zone that nobody knows.
    func tellUnknownZone(_ zone: String) {
        log.write(.warning, "the time zone '\(zone)' of TZ is not known on this machine; UTC is used")
    }

    // MARK: - Configuration

    /// Writes that there is a mistake in the configuration; once, until it is mended.
    func tell(_ problem: ConfigurationProblem) {
        log.write(
            .error, "there is a mistake in the configuration", event: .configurationMistaken,
            fields: fields(of: problem))
    }

    /// Writes that a mistake in the configuration is there no longer.
    func tellMended(_ problem: ConfigurationProblem) {
        log.write(
            .notice, "a mistake in the configuration is mended", event: .configurationMended,
            fields: fields(of: problem))
    }

    /// Writes how a reload ended.
    ///
    /// - Parameter problems: the number of mistakes that stand after it.
    func tellReload(problems: Int) {
        if problems == 0 { return log.write(.notice, "the configuration was reloaded", event: .reloaded) }
        log.write(
            .warning, "the configuration is in force except for its mistakes", event: .reloadRejected,
            fields: [LogField("PROBLEMS", String(problems))])
    }

    /// Writes that what is in force could not be written to the state database.
    func tellNotKept(_ error: StoreError) {
        if error.code == .storageFull { return tellNoRoom(for: Self.configuration, error.message) }
        log.write(.error, "what is in force could not be kept", fields: [.reason(error.message)])
    }

    /// Takes note that what is in force is in the state database.
    func tellKept() { tellRoom(for: Self.configuration) }

    private func fields(of problem: ConfigurationProblem) -> [LogField] {
        (problem.collection.map { [.collection($0)] } ?? []) + [.path(problem.file), .reason(problem.description)]
    }

    // MARK: - The state database

    /// Writes that a copy of the state database was put back.
    func tell(_ restoration: StateRestoration, path: String) {
        let (found, published) = (restoration.found.text, restoration.published.text)
        log.write(
            .notice, "a copy of the state database was recognised: a new epoch begins", event: .stateRestored,
            fields: [.path(path), .reason("its clock is \(found), and \(published) had been published")])
    }

    /// Writes that another program keeps the write-ahead log, or does so no more.
    ///
    /// - Parameter size: the size of the log in bytes; nil: nobody keeps it.
    func tellLog(_ size: Int?, path: String) {
        let isNew = isLogKept.withLock { isKept in
            defer { isKept = size != nil }
            return isKept != (size != nil)
        }
        guard isNew else { return }
        guard let size else {
            return log.write(.notice, "the write-ahead log is short again", event: .logReleased, fields: [.path(path)])
        }
        log.write(
            .warning, "another program keeps the write-ahead log, which grows", event: .logKept,
            fields: [.path(path), .reason("it has \(size >> 20) MiB")])
    }

    private func tellLock(_ hasLock: Bool) {
        let isNew = isLocked.withLock { isLocked in
            defer { isLocked = hasLock }
            return isLocked != hasLock
        }
        guard isNew else { return }
        let path = Paths.join(folders.state, StateDatabase.fileName)
        if hasLock {
            log.write(
                .error, "another program has locked the state database", event: .stateLocked, fields: [.path(path)])
        } else {
            log.write(.notice, "the state database is free again", event: .stateUnlocked, fields: [.path(path)])
        }
    }

    // MARK: - Room

    func tellNoRoom(for subject: String, _ reason: String) {
        let isFirst = starved.withLock { starved in
            defer { starved.insert(subject) }
            return starved.isEmpty
        }
        guard isFirst else { return }
        log.write(
            .critical, "there is no room to write", event: .storageFull,
            fields: [.path(fullestFolder), .reason(reason)])
    }

    func tellRoom(for subject: String) {
        let wasLast = starved.withLock { starved in starved.remove(subject) != nil && starved.isEmpty }
        if wasLast { log.write(.notice, "there is room to write again", event: .storageRecovered) }
    }

    private var fullestFolder: String {
        func room(_ folder: String) -> Int { (try? Directory.space(folder).free) ?? 0 }
        return room(folders.cache) < room(folders.state) ? folders.cache : folders.state
    }

    private static let refusalInterval: Duration = .seconds(60)
    /// The entry for archive changes in the set of subjects; no collection can have this name.
    static let changes = "/"
    /// The entry for what is in force, likewise.
    private static let configuration = "/configuration"
}
