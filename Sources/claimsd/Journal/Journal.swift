// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
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
    let held = Mutex<Set<String>>([])
    /// The time of the last line about a refused connection, in nanoseconds of the monotonic clock.
    private let refusal = Mutex<UInt64?>(nil)
    /// The time of the last line about a read that failed, likewise.
    private let unread = Mutex<UInt64?>(nil)

    init(_ log: Log, _ folders: Folders) {
        self.log = log
        self.folders = folders
    }

    /// Writes how a snapshot was opened, if that is worth a line.
    func log(_ event: OpeningEvent, of name: String) {
        switch event {
        case .rebuilt(let records, let rejected, let cause):
            log.write(
                .notice, "the snapshot of \(name) was built again from the state database", event: .snapshotRebuilt,
                fields: [.collection(name), .records(records), .quarantined(rejected), .reason(cause.message)])
            logRoom(for: name)
        case .bundled(let records):
            log.write(
                .info, "\(name) is served from its bundle: \(Self.records(records))",
                fields: [.collection(name), .records(records)])
            logRoom(for: name)
        case .badBundle(let path, let detail):
            log.write(
                .error, "the bundle of \(name) cannot be served",
                fields: [.collection(name), .path(path), .reason(detail)])
        case .failed(let error):
            if error.code == .storageFull { return logNoRoom(for: name, error.message) }
            log.write(.error, "\(name) cannot be served", fields: [.collection(name), .reason(error.message)])
        case .mergeWaiting(let error):
            log.write(
                .warning, "the changed records of \(name) are not merged: there is no room for another file of them",
                event: .mergeWaiting, fields: [.collection(name), .path(folders.cache), .reason(error.message)])
        case .merged:
            log.write(
                .notice, "the changed records of \(name) were merged, since there is room again", event: .mergeDone,
                fields: [.collection(name)])
        case .added, .returned, .removed, .sourceLost, .sourceFound: logChange(event, of: name)
        }
    }

    /// Writes that the definition of a collection came, changed or went.
    private func logChange(_ event: OpeningEvent, of name: String) {
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
        case .rebuilt, .bundled, .badBundle, .failed, .mergeWaiting, .merged: break
        }
    }

    static func records(_ count: Int) -> String { "\(count.grouped()) \(Plural.records.form(Int64(count)).english)" }

    /// Writes that a user's connection was refused because there are too many; at most one line a minute.
    func logRefusal(of uid: UInt32) {
        if Self.isDue(refusal, every: Self.refusalInterval) {
            log.write(
                .warning, "there are too many connections, and one of uid \(uid) is refused",
                event: .connectionsExhausted, fields: [.peerUID(uid)])
        }
    }

    /// Whether enough time has passed since the last line; then one is due now.
    ///
    /// - Parameter line: the time of the last one, in nanoseconds of the monotonic clock.
    private static func isDue(_ line: borrowing Mutex<UInt64?>, every interval: Duration) -> Bool {
        let now = SystemClock.monotonic
        return line.withLock { last in
            if let last, now &- last < interval.wholeNanoseconds { return false }
            last = now
            return true
        }
    }

    /// Writes that the wall clock jumped, by milliseconds.
    func logClockStep(_ jump: Int64) {
        let direction = jump < 0 ? "back" : "forward"
        log.write(
            .notice, "the clock was set \(direction) by \((jump.magnitude / 1_000).grouped()) s",
            event: .clockStepped, fields: [.milliseconds(jump)])
    }

    /// Writes that the environment names an unknown time zone.
    func logUnknownZone(_ zone: String) {
        log.write(.warning, "the time zone '\(zone)' of TZ is not known on this machine; UTC is used")
    }

    // MARK: - The state database

    /// Writes that the state database was damaged, and how many rows were saved.
    func log(_ recovery: StateRecovery) {
        var fields: [LogField] = [.path(recovery.movedTo), .reason(recovery.reason.message)]
        if !recovery.incomplete.isEmpty {
            fields.append(LogField("INCOMPLETE", recovery.incomplete.joined(separator: " ")))
        }
        log.write(
            .critical, "the state database was damaged, and what could be read of it was saved", event: .stateDamaged,
            fields: fields)
    }

    /// Writes that a copy of the state database was put back.
    func log(_ restoration: StateRestoration, path: String) {
        let (found, published) = (restoration.found.text, restoration.published.text)
        log.write(
            .notice, "a copy of the state database was recognised: a new epoch begins", event: .stateRestored,
            fields: [.path(path), .reason("its clock is \(found), and \(published) had been published")])
    }

    /// Writes that the disk did not read a part of the state database; at most one line an hour.
    func log(_ failure: SystemError, reading path: String) {
        guard Self.isDue(unread, every: Self.unreadInterval) else { return }
        log.write(
            .critical, "the disk does not read the state database everywhere", event: .stateUnreadable,
            fields: [.path(path), .reason(failure.message)])
    }

    /// Writes that another program keeps the write-ahead log, or does so no more.
    ///
    /// - Parameter size: the size of the log in bytes; nil: no program keeps it.
    func logLog(_ size: Int?, path: String) {
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

    func logLock(_ hasLock: Bool) {
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

    /// Writes that a refresh token could not be written, or with nil that all are.
    func logTokens(unwritten error: SystemError?) {
        // No collection can have this name.
        let subject = "/tokens"
        if let error { logNoRoom(for: subject, error.message) } else { logRoom(for: subject) }
    }

    func logNoRoom(for subject: String, _ reason: String) {
        let isFirst = starved.withLock { starved in
            defer { starved.insert(subject) }
            return starved.isEmpty
        }
        guard isFirst else { return }
        log.write(
            .critical, "there is no room to write", event: .storageFull,
            fields: [.path(fullestFolder), .reason(reason)])
    }

    func logRoom(for subject: String) {
        let wasLast = starved.withLock { starved in starved.remove(subject) != nil && starved.isEmpty }
        if wasLast { log.write(.notice, "there is room to write again", event: .storageRecovered) }
    }

    private var fullestFolder: String {
        func room(_ folder: String) -> Int { (try? Directory.space(folder).free) ?? 0 }
        return room(folders.cache) < room(folders.state) ? folders.cache : folders.state
    }

    private static let refusalInterval: Duration = .seconds(60)
    private static let unreadInterval: Duration = .seconds(3600)
    /// The entry for archive changes in the set of subjects; no collection can have this name.
    static let changes = "/"
}
