// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

public import ClaimsBytes
import ClaimsJSON
public import ClaimsModel

/// An operation in state.db, with the facts by which a repetition of it is answered: one row of `operation`.
public struct StoredOperation: Sendable, Equatable {
    public var operation: Operation
    /// The hash of what was submitted. The same operation with another content is refused.
    public var content: ContentHash.Digest
    /// The same hash with the names of the uploads in place of their files; nil if there were none.
    public var uploads: ContentHash.Digest?
    /// The number of the last change when it was submitted.
    public var seq: UInt64
    /// The names of the fields that it changed.
    public var changed: [String]
    /// The time at which it was settled, in milliseconds since 1970; nil before.
    public var settledAt: Int64?

    public init(
        _ operation: Operation, content: ContentHash.Digest, uploads: ContentHash.Digest? = nil, seq: UInt64,
        changed: [String], settledAt: Int64? = nil
    ) {
        self.operation = operation
        self.content = content
        self.uploads = uploads
        self.seq = seq
        self.changed = changed
        self.settledAt = settledAt
    }
}

// MARK: - The row in state.db

extension StoredOperation {
    /// - Parameter name: the name of the operation's collection.
    /// - Returns: nil for a row whose identifier is damaged. If only the details are damaged, the operation is held.
    fileprivate init?(_ row: borrowing Statement<OperationColumn>, of name: String) {
        guard let id = OperationID(row.text(.op)) else { return nil }
        let state = OperationState(rawValue: row.text(.state))
        operation = Operation(
            id, OperationAction(row.text(.action)), on: row.text(.id), of: name, number: row.integer(.number),
            state: state ?? .held, submittedAt: row.integer(.submittedAt),
            submittedBy: UInt32(clamping: row.integer(.submittedBy)))
        // The column has one hash or two.
        let hashes = row.bytes(.content)
        let end = min(Self.hashLength, hashes.count)
        content =
            ContentHash.Digest(hashes.rawSpan.extracting(0..<end)) ?? ContentHash.Digest(low: 0, high: 0)
        uploads = ContentHash.Digest(hashes.rawSpan.extracting(end..<hashes.count))
        seq = row.bits(.seq)
        changed = ((try? JSONValue.parse(row.text(.changed)))?.array ?? []).compactMap(\.string)
        settledAt = row.optionalInteger(.settledAt)
        guard settledAt == nil else { return }
        var isDamaged = state == nil || operation.state.isSettled
        do throws(OperationDetailError) { try operation.read(detail: row.bytes(.detail)) } catch { isDamaged = true }
        if isDamaged { operation = operation.with(.held, reason: .damaged) }
    }

    /// The size of a stored hash, in bytes.
    private static let hashLength = 16

    static func all(
        _ rows: borrowing Statement<OperationColumn>, names: [Int64: String]
    ) throws(StoreError) -> [StoredOperation] {
        var operations: [StoredOperation] = []
        while try rows.step() {
            guard let name = names[rows.integer(.collection)] else { continue }
            if let operation = StoredOperation(rows, of: name) { operations.append(operation) }
        }
        return operations
    }
}

extension StateConnection {
    private static let reading = "read the operations"

    private func names() throws(StoreError) -> [Int64: String] {
        let rows = try CollectionRow.readAll(database).filter { !$0.isErased }
        return Dictionary(rows.map { ($0.number, $0.name) }, uniquingKeysWith: { first, _ in first })
    }

    /// An operation of a collection that is not erased; nil for an unknown one.
    func operation(_ id: OperationID) throws(StoreError) -> StoredOperation? {
        try statements.findOperation.bind(.op, text: id.bytes)
        defer { statements.findOperation.reset() }
        guard try statements.findOperation.step() else { return nil }
        let number = statements.findOperation.integer(.collection)
        guard let name = try row(number)?.name else { return nil }
        return StoredOperation(statements.findOperation, of: name)
    }

    /// The unsettled operations of a collection, in their order.
    func unsettledOperations(of row: CollectionRow) throws(StoreError) -> [StoredOperation] {
        let select = try database.prepare(
            """
            SELECT \(OperationColumn.list) FROM operation WHERE collection = ?2 AND settled_at IS NULL ORDER BY number
            """, Self.reading, columns: OperationColumn.self)
        try select.bind(.op, row.number)
        let restored = try statements.meta(Self.restoredKey)
        return try StoredOperation.all(select, names: [row.number: row.name]).map { stored in
            var stored = stored
            if stored.operation.state == .uncertain, stored.operation.delivery.uncertainSince == nil {
                stored.operation.delivery.uncertainSince = restored
            }
            return stored
        }
    }

    /// The numbers of the collections that have unsettled operations.
    func collectionsWithUnsettledOperations() throws(StoreError) -> Set<Int64> {
        let select = try database.prepare(
            "SELECT DISTINCT collection FROM operation WHERE settled_at IS NULL", Self.reading)
        var numbers: Set<Int64> = []
        while try select.step() { numbers.insert(select.integer(0)) }
        return numbers
    }

    /// Adds an operation and gives it its number; to be called in a transaction.
    func add(_ stored: inout StoredOperation, to row: CollectionRow) throws(StoreError) {
        stored.operation.number = try nextOperationNumber()
        try bind(stored, of: row, to: statements.addOperation)
        try statements.addOperation.run()
    }

    /// Replaces an operation; to be called in a transaction.
    func write(_ stored: StoredOperation, of row: CollectionRow) throws(StoreError) {
        try bind(stored, of: row, to: statements.writeOperation)
        try statements.writeOperation.run()
    }

    private func nextOperationNumber() throws(StoreError) -> Int64 {
        try database.integer("SELECT seq FROM sqlite_sequence WHERE name = 'operation'", Self.reading) + 1
    }

    private func bind(
        _ stored: StoredOperation, of row: CollectionRow, to statement: borrowing Statement<OperationColumn>
    ) throws(StoreError) {
        let operation = stored.operation
        try statement.bind(.number, operation.number)
        try statement.bind(.op, text: operation.id.bytes)
        try statement.bind(.collection, row.number)
        try statement.bind(.id, operation.record)
        try statement.bind(.action, operation.action.name)
        try statement.bind(.state, operation.state.rawValue)
        try statement.bind(.submittedAt, operation.submittedAt)
        try statement.bind(.submittedBy, Int64(operation.submittedBy))
        try statement.bind(.content, blob: stored.content.bytes + (stored.uploads?.bytes ?? []))
        try statement.bind(.seq, bits: stored.seq)
        try statement.bind(.changed, text: JSONValue.array(stored.changed.map { .string($0) }).compactBytes)
        try statement.bind(.settledAt, stored.settledAt)
        if stored.settledAt == nil {
            try statement.bind(.detail, text: operation.detail)
        } else {
            try statement.bind(.detail, String?.none)
        }
    }

    /// Deletes one piece of a collection's settled operations that are not needed any more; to be called in a
    /// transaction.
    ///
    /// - Parameters:
    ///   - oldest: operations that were settled before this time are deleted, in milliseconds since 1970.
    ///   - maxSettled: the number of the other operations that are kept, the last ones.
    func forgetOperations(
        of collection: Int64, settledBefore oldest: Int64, maxSettled: Int
    ) throws(StoreError) -> Bool {
        let statement = try database.prepare(
            """
            DELETE FROM operation WHERE number IN (
                SELECT number FROM operation WHERE collection = ?3 AND settled_at IS NOT NULL
                    AND (settled_at < ?1 OR (settled_at, number) <= (
                        SELECT settled_at, number FROM operation WHERE collection = ?3 AND settled_at IS NOT NULL
                        ORDER BY settled_at DESC, number DESC LIMIT 1 OFFSET ?2))
                ORDER BY settled_at, number LIMIT \(Self.rowsPerPiece))
            """, "forget operations")
        try statement.bind(1, oldest)
        try statement.bind(2, Int64(maxSettled))
        try statement.bind(3, collection)
        try statement.run()
        return database.changes > 0
    }

    /// The number of deletes of a collection that were submitted since a time and that the guard did not hold.
    func countDeletes(in row: CollectionRow, since start: Int64) throws(StoreError) -> Int {
        let count = try database.prepare(
            """
            SELECT count(*) FROM operation WHERE collection = ?1 AND action = 'delete' AND submitted_at >= ?2
                AND NOT (state = 'held' AND detail LIKE '%"reason":"guard"%')
            """, "count deletes")
        try count.bind(parameters: [row.number, start])
        return try count.step() ? count.count(0) : 0
    }
}

/// Consecutive operations, the newest first.
public struct OperationPage: Sendable {
    public var operations: [StoredOperation]
    /// The number of all operations that were asked about.
    public var total: Int
    /// Whether older operations follow.
    public var hasMore: Bool

    public init(operations: [StoredOperation], total: Int, hasMore: Bool) {
        self.operations = operations
        self.total = total
        self.hasMore = hasMore
    }
}

extension StateDatabase {
    /// Returns operations that were committed before a number, at most `limit`.
    ///
    /// Reads the file on the calling thread; never on a serving loop.
    ///
    /// - Parameters:
    ///   - parts: the requested operations; nil for all operations of collections that are not erased.
    ///   - states: the requested states; empty for all.
    ///   - number: a number; only operations below it are returned. nil for the newest ones.
    public func operations(
        of parts: OperationParts? = nil, in states: Set<OperationState> = [], before number: Int64? = nil, limit: Int
    ) throws(StoreError) -> OperationPage {
        let operation = "list operations"
        let database = try reader()
        let rows = try CollectionRow.readAll(database).filter { !$0.isErased }
        let names = Dictionary(rows.map { ($0.number, $0.name) }, uniquingKeysWith: { first, _ in first })
        let list = states.map { "'\($0.rawValue)'" }.sorted().joined(separator: ", ")
        let condition = (parts?.condition ?? "1") + (states.isEmpty ? "" : " AND state IN (\(list))")
        let count = try database.prepare("SELECT count(*) FROM operation WHERE \(condition)", operation)
        let total = try count.step() ? count.count(0) : 0
        let select = try database.prepare(
            """
            SELECT \(OperationColumn.list) FROM operation WHERE \(condition) AND number < ?1
            ORDER BY number DESC LIMIT \(limit + 1)
            """, operation, columns: OperationColumn.self)
        try select.bind(.number, number ?? .max)
        let operations = try StoredOperation.all(select, names: names)
        return OperationPage(
            operations: Array(operations.prefix(limit)), total: total, hasMore: operations.count > limit)
    }
}

/// Operations of some collections: all of some, and those of one user of others.
public struct OperationParts: Sendable {
    /// The numbers of the collections with all operations.
    public var whole: [Int64]
    /// The numbers of the collections with only the user's operations.
    public var own: [Int64]
    public var user: UInt32

    public init(whole: [Int64], own: [Int64], user: UInt32) {
        self.whole = whole
        self.own = own
        self.user = user
    }

    /// The condition in SQL. Numbers need no quotes.
    fileprivate var condition: String {
        func list(_ numbers: [Int64]) -> String { numbers.map(String.init).joined(separator: ", ") }
        return "(collection IN (\(list(whole))) OR collection IN (\(list(own))) AND submitted_by = \(user))"
    }
}
