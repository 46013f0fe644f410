// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

public import ClaimsModel
import ClaimsPlatform
import ClaimsStore
import ClaimsUpstream

/// A failure to share marks.
enum MarkFailure: Error, Equatable {
    case database(DatabaseError)
    case store(StoreError)
    case access(AccessFailure)
    /// The database belongs to another fleet.
    case foreign(String)
    /// Marks wait, and the database may not be written.
    case readOnly(Int)
}

/// The archive marks that are shared through a database.
public struct MarkReport: Sendable {
    /// The time of the last good poll; nil: there was none.
    public var contactAt: Int64?
    /// The number of marks that the database may not have.
    public var queued = 0
    /// The number of marks that stay here, because their ids are too long.
    public var unshared = 0
    /// The clock of the database less this one, in milliseconds; nil before the first poll.
    public var clockDifference: Int64?
    /// The failure of the last poll; nil after a good one.
    public var failure: Failure?

    public init() {}
}

/// The archive marks of some collections, which this host shares with others through a database: one thread sends the
/// marks that were set here, and reads the marks of the others. While the database is gone, marks wait in state.db.
///
/// Every call may be made on any thread.
final class FleetMarks: Sendable {
    private struct State {
        var isStopping = false
        /// Whether marks were set here since the last round.
        var isWoken = false
        var report = MarkReport()
        var failures = 0
        var wait = MarkWait()
        /// The time of the last tidying, in nanoseconds since the boot; nil: there was none.
        var tidiedAt: UInt64?
    }

    private let fleet: String
    private let definition: FleetMarksDefinition
    private let poll: Duration
    private let services: FleetServices
    /// The database with schema and fleet.
    private let database: String
    /// Ascending.
    private let collections: [String]
    private let state = Monitor(State())
    private let threads: WorkerPool
    /// Gets one byte when the thread is to stop, which ends its waits.
    private let stopping: Pipe

    private static let tidyInterval: UInt64 = 3_600_000_000_000

    /// - Throws: if no thread or no pipe can be had.
    init(_ fleet: FleetDefinition, _ marks: FleetMarksDefinition, _ services: FleetServices) throws(SystemError) {
        self.fleet = fleet.name
        self.services = services
        definition = marks
        poll = fleet.poll
        database = MarkPosition.database(marks, fleet: fleet.name)
        collections = marks.collections.sorted()
        stopping = try FileDescriptor.pipe()
        threads = try WorkerPool(name: "marks", threads: 1, urgency: .background)
    }

    /// Begins to share.
    func start() {
        services.store.marks.configure(host: services.host, collections: Set(collections)) { [weak self] in
            self?.state.update { $0.isWoken = true }
        }
        threads.post { [self] in run() }
    }

    /// Ends the thread. Marks that are set from then on wait in state.db.
    func stop() {
        state.update { $0.isStopping = true }
        try? stopping.writing.write([0])
        threads.stop()
    }

    var report: MarkReport { state.read { $0.report } }

    private var isStopping: Bool { state.read { $0.isStopping } }

    private func run() {
        count()
        while !isStopping {
            do throws(MarkFailure) { try share() } catch {
                record(error)
                rest(.milliseconds(FleetRetry.wait(after: state.read { $0.failures })))
            }
        }
    }

    /// Shares over one connection, until something fails or the thread is to stop.
    private func share() throws(MarkFailure) {
        var database = try connect()
        var search = WritableSearch()
        while !isStopping {
            if search.isDue(at: SystemClock.sinceBoot) {
                // The server that is connected can be read until another one is found.
                do throws(MarkFailure) { database = try connect() } catch {}
            }
            state.update { $0.isWoken = false }
            let position = try inStore { () throws(StoreError) in try services.store.marks.position() }.flatMap {
                MarkPosition($0)
            }
            let found = try inDatabase { () throws(DatabaseError) in try database.readState(position) }
            guard found.name == fleet else { throw .foreign(found.name) }
            guard found.version == MarkDatabaseState.version else {
                let message =
                    "its tables are of version \(found.version), this program knows \(MarkDatabaseState.version)"
                throw .database(DatabaseError(kind: .refused, message: message))
            }
            let tidiedAt = state.read { $0.tidiedAt }
            if tidiedAt.map({ SystemClock.sinceBoot - $0 >= Self.tidyInterval }) ?? true {
                try tidy(&database, found)
                state.update { $0.tidiedAt = SystemClock.sinceBoot }
            }
            try read(&database, found, after: position)
            state.update { state in
                let now = services.clock.now()
                (state.report.contactAt, state.report.clockDifference) = (now, found.clock - now)
            }
            let hasSent = found.isReadOnly ? false : try send(&database)
            let queued = count()
            search.record(isReadOnly: found.isReadOnly, at: SystemClock.sinceBoot)
            let isWaiting = found.isReadOnly && queued > 0
            let failure = isWaiting ? MarkFailure.readOnly(queued).reported(at: services.clock.now()) : nil
            state.update { ($0.failures, $0.report.failure) = (0, failure) }
            // Marks that were sent have a number that the position must pass: the next poll comes at once.
            if !hasSent { waitForNext() }
        }
    }

    private func connect() throws(MarkFailure) -> MarkDatabase {
        var password: String?
        if let credential = definition.credential {
            do throws(AccessFailure) {
                password = String(decoding: try services.daemon.fleetPassword(credential), as: UTF8.self)
            } catch { throw .access(error) }
        }
        do throws(DatabaseError) {
            let connection = try ServerSearch(
                marks: definition, password: password, stop: stopping.reading.raw
            ).connection()
            return MarkDatabase(connection, schema: definition.schema, host: services.host)
        } catch { throw .database(error) }
    }

    /// Queues the marks that were set before they were shared, and deletes expired rows here and in the database.
    private func tidy(_ database: inout MarkDatabase, _ found: MarkDatabaseState) throws(MarkFailure) {
        let oldest = found.clock - SharedMark.keep.wholeMilliseconds
        for name in collections {
            try inStore { () throws(StoreError) in try services.store.marks.adopt(name, forgettingBefore: oldest) }
        }
        count()
        if !found.isReadOnly {
            try inDatabase { () throws(DatabaseError) in try database.tidy(found.clock) }
        }
    }

    /// Reads the marks that others have set since the position, or all marks.
    private func read(
        _ database: inout MarkDatabase, _ found: MarkDatabaseState, after position: MarkPosition?
    ) throws(MarkFailure) {
        let marks = services.store.marks
        var floor: Int64 = -1
        switch MarkPlan.of(found, after: position, database: self.database, collections: collections) {
        case .above(let revision): floor = revision
        case .all(let oldest):
            // Marks that the database turns out to have count as sent again.
            for name in collections {
                try inStore { () throws(StoreError) in try marks.requeue(name, from: oldest) }
            }
        }
        var last: MarkDatabase.Row?
        while floor < found.revision, !isStopping {
            let (after, above) = (last, floor)
            let page = try inDatabase { () throws(DatabaseError) in
                try database.page(
                    of: collections, above: above, after: after, through: found.revision, clock: found.clock)
            }
            try accept(page)
            last = page.last
            if page.count < MarkDatabase.pageSize { break }
        }
        if isStopping { return }
        var next = MarkPosition(
            database: self.database, collections: collections, revision: found.revision, readAt: found.clock)
        if let sent = position?.sent, sent > found.revision { next.sent = sent }
        guard MarkPlan.keeps(next, after: position) else { return }
        try inStore { () throws(StoreError) in try marks.keep(position: next.text) }
    }

    private func accept(_ rows: [MarkDatabase.Row]) throws(MarkFailure) {
        for (name, rows) in Dictionary(grouping: rows, by: \.collection) {
            let overruled = try inStore { () throws(StoreError) in
                try services.store.marks.merge(rows.compactMap(\.mark), in: name, at: services.clock.now())
            }
            if overruled > 0 { services.daemon.record(.marksOverruled(name, overruled)) }
        }
    }

    /// Sends all that waits; whether that was anything.
    private func send(_ database: inout MarkDatabase) throws(MarkFailure) -> Bool {
        let marks = services.store.marks
        guard count() > 0 else { return false }
        var hasSent = false
        for name in collections {
            var last: SharedMark?
            while !isStopping {
                let first = try inStore { () throws(StoreError) in
                    try marks.queued(in: name, limit: 1, until: .max).first
                }
                guard let first else { break }
                // The answer settles a mark that was sent, unless its row in the database is malformed.
                guard first != last else {
                    throw .database(DatabaseError(kind: .refused, message: "a row of the table mark is malformed"))
                }
                last = first
                let (revision, rows) = try database.send(name, of: fleet) { clock throws(StoreError) in
                    try marks.queued(in: name, limit: MarkDatabase.pageSize, until: clock)
                }
                // This comes before they count as shared: a server that replaces this one may lack them.
                try inStore { () throws(StoreError) in
                    guard var position = try marks.position().flatMap({ MarkPosition($0) }) else { return }
                    position.sent = revision
                    try marks.keep(position: position.text)
                }
                try accept(rows)
                hasSent = true
            }
        }
        return hasSent
    }

    /// Counts the marks that wait.
    @discardableResult
    private func count() -> Int {
        guard let counts = try? services.store.marks.counts() else { return 0 }
        let isLong = state.update { state in
            (state.report.queued, state.report.unshared) = (counts.queued, counts.unshared)
            return state.wait.update(hasMarks: counts.queued > 0, at: SystemClock.sinceBoot)
        }
        if isLong { services.daemon.record(.marksWaiting(counts.queued)) }
        return counts.queued
    }

    private func record(_ failure: MarkFailure) {
        let now = services.clock.now()
        state.update { state in
            state.failures += 1
            if let failure = failure.reported(at: now) { state.report.failure = failure }
        }
        count()
    }

    /// Waits until the next poll is due, or marks were set here.
    private func waitForNext() {
        let time = poll + poll * ((services.random() - 0.5) * 0.2)
        _ = state.wait(upTo: time) { $0.isStopping || $0.isWoken ? true : nil }
    }

    /// Waits after a failure. Marks that are set meanwhile are counted.
    private func rest(_ time: Duration) {
        let deadline = SystemClock.monotonic(after: time)
        while !isStopping {
            let now = SystemClock.monotonic
            guard now < deadline else { return }
            let isWoken = state.wait(upTo: .nanoseconds(Int64(deadline - now))) { state -> Bool? in
                if state.isStopping { return false }
                guard state.isWoken else { return nil }
                state.isWoken = false
                return true
            }
            if isWoken == true { count() }
        }
    }

    private func inStore<Result>(_ body: () throws(StoreError) -> Result) throws(MarkFailure) -> Result {
        do throws(StoreError) { return try body() } catch { throw .store(error) }
    }

    private func inDatabase<Result>(_ body: () throws(DatabaseError) -> Result) throws(MarkFailure) -> Result {
        do throws(DatabaseError) { return try body() } catch { throw .database(error) }
    }
}

extension MarkFailure {
    /// The failure in the form for reports; nil if the caller has ended it.
    ///
    /// - Parameter now: milliseconds since 1970.
    func reported(at now: Int64) -> Failure? {
        switch self {
        case .database(let error):
            let kind: FailureKind
            switch error.kind {
            case .stopped: return nil
            case .unreachable: kind = .unreachable
            case .timeout: kind = .timeout
            case .tls: kind = .tls
            case .credential: kind = .credential
            case .refused: kind = .other
            }
            return Failure(kind: kind, message: Message(.fleetMarks, error.message), at: now)
        case .store(let error):
            return Failure(kind: .other, message: Message(.storage, error.message), at: now)
        case .access(.credential(let reason, let message, _)):
            return Failure(kind: .credential, reason: reason, message: message, at: now)
        case .access: return Failure(kind: .credential, message: Message(.fleetMarks, "no credential"), at: now)
        case .foreign(let name): return Failure(kind: .other, message: Message(.fleetMarksForeign, name), at: now)
        case .readOnly(let queued):
            return Failure(kind: .other, message: Message(.fleetMarksReadOnly, "\(queued)"), at: now)
        }
    }
}
