// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
public import ClaimsModel

/// Reads the log of changes in state.db on a connection of its own, while the store writes.
///
///     let log = try store.database.changeLog()
///     let page = try log.changes(of: row.number, after: 811, through: catalog.revision.seq, limit: 10_000)
///
/// Each call reads one unchanging view of what is committed. A reader belongs to one thread at a time.
public struct ChangeLogReader: ~Copyable {
    private let statements: LogStatements
    private let database: Database
    private let owner: StateDatabase

    init(_ owner: StateDatabase) throws(StoreError) {
        let database = try Database(path: owner.path, access: .read)
        try database.execute("PRAGMA cache_size = -4096", "read \(owner.path)")
        let statements = try LogStatements(database)
        self.owner = owner
        self.database = database
        self.statements = statements
    }

    /// Returns the changes above `after` and up to `through` that name records, at most `limit`, which is at least 1.
    ///
    /// Archive marks are among them. Whole commits are left out. Throws `.missing` for a collection that is not there.
    ///
    /// - Parameter since: a number; the answer has whether all changes above it and up to `through` are of one refresh.
    ///   nil: that is not found out.
    public func changes(
        of collection: Int64, after: UInt64, through: UInt64, limit: Int, since: UInt64? = nil
    ) throws(StoreError) -> LogPage {
        try read { () throws(StoreError) in
            var page = LogPage(floor: try floor(of: collection), changes: [], end: max(after, through))
            if let since {
                page.isOneRefresh = try isOneRefresh(of: collection, after: since, through: through)
            }
            page.changes.reserveCapacity(min(limit, Self.maxReserved))
            try forEachSegment(of: collection, after: after, through: through) { segment throws(StoreError) in
                try forEachRow(of: segment, in: collection, limit: limit - page.changes.count) {
                    row, commit throws(StoreError) in page.changes.append(try Self.change(row, commit))
                }
                return page.changes.count < limit
            }
            if page.changes.count >= limit { page.end = page.changes.last?.seq ?? after }
            return page
        }
    }

    /// Returns the changes above `after` and up to `through` of some records, ascending by number.
    public func changes(
        of collection: Int64, after: UInt64, through: UInt64, among ids: Set<[UInt8]>
    ) throws(StoreError) -> LogPage {
        try read { () throws(StoreError) in
            var page = LogPage(floor: try floor(of: collection), changes: [], end: max(after, through))
            var id: [UInt8] = []
            try forEachSegment(of: collection, after: after, through: through) { segment throws(StoreError) in
                try forEachRow(of: segment, in: collection) { row, commit throws(StoreError) in
                    id.removeAll(keepingCapacity: true)
                    row.append(.id, to: &id)
                    if ids.contains(id) { page.changes.append(try Self.change(row, commit)) }
                }
                return true
            }
            return page
        }
    }

    /// Calls `body` with the number and the id of each change above `after` and up to `through` that names a record.
    ///
    /// The changes come ascending by number. 100,000 changes take little time.
    public func forEachID(
        of collection: Int64, after: UInt64, through: UInt64, _ body: (UInt64, RawSpan) -> Void
    ) throws(StoreError) {
        try read { () throws(StoreError) in
            try forEachSegment(of: collection, after: after, through: through) { segment throws(StoreError) in
                try forEachRow(of: segment, in: collection, onlyIDs: true) { row, commit throws(StoreError) in
                    let seq = (commit?.base ?? 0) + row.bits(.number)
                    row.withBytes(.id) { body(seq, $0) }
                }
                return true
            }
        }
    }

    /// Calls `body` with the number, the cause and the id of each change above `after` and up to `through` that names a
    /// record, at most `limit` of them, which is at least 1.
    ///
    /// - Returns: the number up to which `body` got the changes, and the number from which on the log has all.
    public func forEachID(
        of collection: Int64, after: UInt64, through: UInt64, limit: Int,
        _ body: (UInt64, ChangeCause, RawSpan) -> Void
    ) throws(StoreError) -> (end: UInt64, floor: UInt64) {
        try read { () throws(StoreError) in
            var left = limit
            var last = after
            try forEachSegment(of: collection, after: after, through: through) { segment throws(StoreError) in
                try forEachRow(of: segment, in: collection, limit: left, onlyIDs: true) {
                    row, commit throws(StoreError) in
                    last = (commit?.base ?? 0) + row.bits(.number)
                    left -= 1
                    let cause = if let commit { commit.cause } else { try LogCommit.cause(row) }
                    row.withBytes(.id) { body(last, cause, $0) }
                }
                return left > 0
            }
            return (left > 0 ? max(after, through) : last, try floor(of: collection))
        }
    }

    /// Whether an element that would be the record with this id is in quarantine.
    public func isQuarantined(collection: Int64, id: [UInt8]) throws(StoreError) -> Bool {
        try read { () throws(StoreError) in
            try statements.quarantined.bind(1, collection)
            try statements.quarantined.bind(2, text: id)
            defer { statements.quarantined.reset() }
            return try statements.quarantined.step()
        }
    }

    /// The whole commit at whose time a record was first seen; nil: the log does not have it any more.
    ///
    /// - Parameter time: milliseconds since 1970.
    public func wholeCommit(of collection: Int64, at time: Int64) throws(StoreError) -> LogCommit? {
        try read { () throws(StoreError) in
            try statements.wholeCommit.bind(parameters: [collection, time])
            defer { statements.wholeCommit.reset() }
            return try statements.wholeCommit.step() ? LogCommit(statements.wholeCommit) : nil
        }
    }
}

extension ChangeLogReader {
    /// Runs `body` on one unchanging view of the file.
    func read<Answer>(_ body: () throws(StoreError) -> Answer) throws(StoreError) -> Answer {
        let operation = "read the log"
        let lease = owner.lease()
        defer { withExtendedLifetime(lease) {} }
        do throws(StoreError) {
            try database.execute("BEGIN", operation)
            let answer = try body()
            try database.execute("COMMIT", operation)
            return answer
        } catch {
            // If the transaction could not begin, there is none to end.
            try? database.execute("ROLLBACK", operation)
            owner.suspect(error)
            throw error
        }
    }

    func floor(of collection: Int64) throws(StoreError) -> UInt64 {
        try statements.floor.bind(parameters: [collection])
        defer { statements.floor.reset() }
        guard try statements.floor.step() else {
            throw StoreError(.missing, "read the log", detail: "no such collection")
        }
        return statements.floor.bits(0)
    }

    /// The number of changes for which there is room from the start.
    private static let maxReserved = 1024

    /// Whether the changes above `after` and up to `through` are those of one refresh, and nothing else.
    private func isOneRefresh(
        of collection: Int64, after: UInt64, through: UInt64
    ) throws(StoreError) -> Bool {
        var refreshes = 0
        var hasOthers = false
        try forEachSegment(of: collection, after: after, through: through) { segment throws(StoreError) in
            switch segment {
            case .generation(let commit, _):
                if commit.cause == .refresh { refreshes += 1 } else { hasOthers = true }
            case .marks:
                try forEachRow(of: segment, in: collection, limit: 1) { _, _ in hasOthers = true }
            }
            return refreshes <= 1 && !hasOthers
        }
        return refreshes == 1 && !hasOthers
    }

    /// Calls `body` with the parts of the log above `after` and up to `through`, ascending, until it returns false.
    private func forEachSegment(
        of collection: Int64, after: UInt64, through: UInt64,
        _ body: (LogSegment) throws(StoreError) -> Bool
    ) throws(StoreError) {
        guard after < through else { return }
        try statements.generations.bind(
            parameters: [collection, Int64(bitPattern: after), Int64(clamping: through)])
        defer { statements.generations.reset() }
        // The number up to which `body` has got all changes.
        var done = after
        while try statements.generations.step() {
            let commit = try LogCommit(statements.generations)
            guard commit.end > done, commit.changes > 0 else { continue }
            if commit.base > done, !(try body(.marks(done + 1...commit.base))) { return }
            let first = max(done, commit.base) - commit.base + 1
            let last = min(through, commit.end) - commit.base
            if !commit.isWhole, !(try body(.generation(commit, first...last))) { return }
            done = commit.end
        }
        if done < through { _ = try body(.marks(done + 1...through)) }
    }

    /// Calls `body` with the rows of a segment, ascending, each with its commit; marks have none.
    private func forEachRow(
        of segment: LogSegment, in collection: Int64, limit: Int = .max, onlyIDs: Bool = false,
        _ body: (borrowing Statement<LogStatements.Change>, LogCommit?) throws(StoreError) -> Void
    ) throws(StoreError) {
        let limit = Int64(limit)
        switch segment {
        case .generation(let commit, let ordinals):
            let range = [
                collection, Int64(bitPattern: commit.generation), Int64(clamping: ordinals.lowerBound),
                Int64(clamping: ordinals.upperBound), limit,
            ]
            if onlyIDs {
                try Self.forEachRow(of: statements.changedIDs, range) { row throws(StoreError) in
                    try body(row, commit)
                }
            } else {
                try Self.forEachRow(of: statements.changes, range) { row throws(StoreError) in try body(row, commit) }
            }
        case .marks(let numbers):
            let range = [collection, Int64(clamping: numbers.lowerBound), Int64(clamping: numbers.upperBound), limit]
            try Self.forEachRow(of: statements.marks, range) { row throws(StoreError) in try body(row, nil) }
        }
    }

    static func forEachRow(
        of statement: borrowing Statement<LogStatements.Change>, _ parameters: [Int64],
        _ body: (borrowing Statement<LogStatements.Change>) throws(StoreError) -> Void
    ) throws(StoreError) {
        try statement.bind(parameters: parameters)
        defer { statement.reset() }
        while try statement.step() { try body(statement) }
    }

    /// - Parameter commit: nil for an archive mark.
    private static func change(
        _ row: borrowing Statement<LogStatements.Change>, _ commit: LogCommit?
    ) throws(StoreError) -> LoggedChange {
        guard let commit else { return try LoggedChange(mark: row) }
        return try LoggedChange(row, of: commit)
    }
}

extension StateDatabase {
    /// Opens a connection that reads the log of changes. It takes about a millisecond; keep it for many calls.
    public func changeLog() throws(StoreError) -> ChangeLogReader { try ChangeLogReader(self) }
}

extension ChangeLogReader {
    /// Returns the changes of one record that are numbered below `before`, at most `limit`, the newest first.
    ///
    /// The changes that a new definition made are among them. The log of the collection is searched, piece by piece
    /// from its end, until `limit` changes are found.
    ///
    /// - Parameters:
    ///   - maxRows: the number of rows in a piece, at least 1; a few more where small commits end.
    ///   - isWanted: asked before each piece whether the answer is still needed.
    /// - Returns: nil if it is not needed any more.
    public func history(
        of collection: Int64, id: [UInt8], before: UInt64? = nil, limit: Int, maxRows: Int = Self.maxRowsOfPiece,
        while isWanted: () -> Bool = { true }
    ) throws(StoreError) -> LogHistory? {
        try read { () throws(StoreError) in
            let floor = try floor(of: collection)
            let before = Int64(clamping: before ?? .max)
            var search = HistorySearch(collection: collection, before: before, limit: limit)
            try statements.changesOfID.bind(.id, text: id)
            try statements.changesOfIDInGeneration.bind(.id, text: id)
            var isOver = false
            try forEachPiece(of: collection, from: floor, below: before, maxRows: maxRows) { piece throws(StoreError) in
                isOver = !isWanted()
                if isOver { return false }
                try search.scan(piece, statements)
                return !search.isFull
            }
            if isOver || !isWanted() { return nil }
            try statements.marksOfID.bind(.id, text: id)
            try Self.forEachRow(
                of: statements.marksOfID, [collection, Int64(bitPattern: floor), before, Int64(limit) + 1]
            ) { row throws(StoreError) in search.changes.append(try LoggedChange(mark: row)) }
            // A mark and a change never have the same number; changes of one commit by a definition have different ids.
            let changes = search.changes.sorted { $0.seq > $1.seq }
            return LogHistory(
                floor: floor, changes: Array(changes.prefix(limit)), hasMore: changes.count > limit)
        }
    }

    /// The number of rows that are searched in some milliseconds.
    public static var maxRowsOfPiece: Int { 1 << 14 }

    /// Calls `body` with pieces of the log, the newest first, until it returns false: small commits together, the rows of
    /// a large one in parts.
    private func forEachPiece(
        of collection: Int64, from floor: UInt64, below before: Int64, maxRows: Int,
        _ body: (HistoryPiece) throws(StoreError) -> Bool
    ) throws(StoreError) {
        try statements.generationsBackwards.bind(parameters: [collection, Int64(bitPattern: floor), before])
        defer { statements.generationsBackwards.reset() }
        // The commits that `body` has not got yet.
        var waiting: (generations: ClosedRange<UInt64>, rows: Int)?
        while try statements.generationsBackwards.step() {
            let commit = try LogCommit(statements.generationsBackwards)
            let rows = commit.changes
            if rows == 0 { continue }
            if let commits = waiting, commits.rows + rows > maxRows {
                waiting = nil
                if !(try body(.commits(commits.generations))) { return }
            }
            guard rows > maxRows else {
                let newest = waiting?.generations.upperBound ?? commit.generation
                waiting = (min(commit.generation, newest)...newest, (waiting?.rows ?? 0) + rows)
                continue
            }
            var last = rows
            while last > 0 {
                let first = max(1, last - maxRows + 1)
                if !(try body(.part(commit, first...last))) { return }
                last = first - 1
            }
        }
        if let waiting { _ = try body(.commits(waiting.generations)) }
    }
}

/// A piece of the log that is searched for a record.
private enum HistoryPiece {
    /// Whole commits.
    case commits(ClosedRange<UInt64>)
    /// Rows of one commit, by their ordinals.
    case part(LogCommit, ClosedRange<Int>)
}

/// The changes of one record that were found so far, the newest first.
private struct HistorySearch {
    let collection: Int64
    /// The number below which changes are looked for.
    let before: Int64
    let limit: Int
    var changes: [LoggedChange] = []

    /// Whether there is one more change than asked for, so that more are known to follow.
    var isFull: Bool { changes.count > limit }

    mutating func scan(_ piece: HistoryPiece, _ statements: LogStatements) throws(StoreError) {
        switch piece {
        case .commits(let generations):
            try statements.changesOfID.bind(parameters: [
                collection, Int64(bitPattern: generations.lowerBound), Int64(bitPattern: generations.upperBound),
                before,
            ])
            defer { statements.changesOfID.reset() }
            while !isFull, try statements.changesOfID.step() {
                changes.append(try LoggedChange(statements.changesOfID, of: LogCommit(of: statements.changesOfID)))
            }
        case .part(let commit, let ordinals):
            let last =
                commit.isWhole
                ? Int64(ordinals.upperBound)
                : min(Int64(ordinals.upperBound), before - 1 - Int64(bitPattern: commit.base))
            try statements.changesOfIDInGeneration.bind(parameters: [
                collection, Int64(bitPattern: commit.generation), Int64(ordinals.lowerBound), last,
            ])
            defer { statements.changesOfIDInGeneration.reset() }
            while !isFull, try statements.changesOfIDInGeneration.step() {
                changes.append(try LoggedChange(statements.changesOfIDInGeneration, of: commit))
            }
        }
    }
}

extension ChangeLogReader {
    /// Returns the last attempts to refresh a collection, at most `limit`, the newest first.
    ///
    /// - Parameter collection: the number of the collection; nil: all that have a definition.
    public func refreshes(of collection: Int64?, limit: Int) throws(StoreError) -> [LoggedRefresh] {
        try read { () throws(StoreError) in
            if let collection {
                return try Self.refreshes(statements.refreshesOfCollection, [collection, Int64(limit)])
            }
            return try Self.refreshes(statements.refreshes, [Int64(limit)])
        }
    }

    private static func refreshes(
        _ statement: borrowing Statement<LogStatements.Refresh>, _ parameters: [Int64]
    ) throws(StoreError) -> [LoggedRefresh] {
        try statement.bind(parameters: parameters)
        defer { statement.reset() }
        var refreshes: [LoggedRefresh] = []
        while try statement.step() { refreshes.append(try LoggedRefresh(statement)) }
        return refreshes
    }
}

extension LoggedRefresh {
    fileprivate init(_ row: borrowing Statement<LogStatements.Refresh>) throws(StoreError) {
        guard let outcome = RefreshOutcome(rawValue: row.text(.outcome)) else {
            throw StoreError(.damaged, "read the log of refreshes", detail: "unknown outcome")
        }
        self.init(
            at: row.integer(.at), outcome: outcome,
            kind: row.optionalText(.kind).map { FailureKind(rawValue: $0) ?? .other }, bytes: row.count(.bytes),
            records: row.optionalInteger(.records).map { Int(clamping: $0) })
        number = row.integer(.number)
        collection = row.text(.collection)
        duration = row.integer(.duration)
        site = row.optionalText(.site)
        added = row.count(.added)
        updated = row.count(.updated)
        removed = row.count(.removed)
        quarantined = row.count(.quarantined)
    }
}

extension ChangeLogReader {
    /// The write that gave a record of this host's own its current values; nil: it is not kept any more.
    ///
    /// - Parameter time: when the record was changed, in milliseconds since 1970.
    public func write(of collection: Int64, id: [UInt8], at time: Int64) throws(StoreError) -> RecordWrite? {
        try read { () throws(StoreError) in
            try statements.writes.bind(1, collection)
            try statements.writes.bind(2, time)
            try statements.writes.bind(3, text: id)
            defer { statements.writes.reset() }
            guard try statements.writes.step(), let operation = OperationID(statements.writes.text(0)) else {
                return nil
            }
            return RecordWrite(
                operation: operation, submittedAt: time, uid: UInt32(clamping: statements.writes.integer(1)))
        }
    }
}
