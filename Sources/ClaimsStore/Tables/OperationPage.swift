// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

public import ClaimsModel

/// Consecutive operations, the newest first.
public struct OperationPage: Sendable {
    public var operations: [StoredOperation]
    /// The number of all operations that were asked about.
    public var total: Int
    /// Whether older ones follow.
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
    ///   - collection: the number of a collection; nil for all that are not erased.
    ///   - states: the states that are asked for; empty for all.
    ///   - number: the number that all are below; nil for the newest ones.
    public func operations(
        of collection: Int64? = nil, in states: Set<OperationState> = [], before number: Int64? = nil, limit: Int
    ) throws(StoreError) -> OperationPage {
        let operation = "list operations"
        let database = try reader()
        let rows = try CollectionRow.readAll(database).filter { !$0.isErased }
        let names = Dictionary(rows.map { ($0.number, $0.name) }, uniquingKeysWith: { first, _ in first })
        let list = states.map { "'\($0.rawValue)'" }.sorted().joined(separator: ", ")
        let condition = "(?1 IS NULL OR collection = ?1)" + (states.isEmpty ? "" : " AND state IN (\(list))")
        let count = try database.prepare("SELECT count(*) FROM operation WHERE \(condition)", operation)
        try count.bind(1, collection)
        let total = try count.step() ? count.count(0) : 0
        let select = try database.prepare(
            """
            SELECT \(OperationColumn.list) FROM operation WHERE \(condition) AND number < ?2
            ORDER BY number DESC LIMIT \(limit + 1)
            """, operation, columns: OperationColumn.self)
        try select.bind(.number, collection)
        try select.bind(.op, number ?? .max)
        let operations = try StoredOperation.all(select, names: names)
        return OperationPage(
            operations: Array(operations.prefix(limit)), total: total, hasMore: operations.count > limit)
    }
}
