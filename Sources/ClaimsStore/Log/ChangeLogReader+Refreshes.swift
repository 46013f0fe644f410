// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel

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
