// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

public import ClaimsModel
import ClaimsPlatform

/// One attempt to refresh a collection, as the log of refreshes keeps it.
public struct LoggedRefresh: Sendable, Equatable {
    /// The number of the attempt over all collections; it only rises.
    public var number: Int64 = 0
    /// The name of the collection.
    public var collection = ""
    /// The time at which the attempt began, in milliseconds since 1970.
    public var at: Int64
    /// The time until its outcome was committed, in milliseconds.
    public var duration: Int64 = 0
    public var outcome: RefreshOutcome
    /// The kind of the failure, or of the reason to hold the body; nil if there was none.
    public var kind: FailureKind?
    /// The site that was asked; nil for a collection with one source.
    public var site: String?
    /// The size of the bodies that came, in bytes.
    public var bytes: Int
    /// The number of records in the answer; nil if it is unknown.
    public var records: Int?
    /// The number of records that are new.
    public var added = 0
    /// The number of records that have changed.
    public var updated = 0
    /// The number of records that are gone.
    public var removed = 0
    /// The number of elements of the answer that are no records.
    public var quarantined = 0

    /// Makes an entry without changes of records.
    public init(at: Int64, outcome: RefreshOutcome, kind: FailureKind? = nil, bytes: Int = 0, records: Int? = nil) {
        self.at = at
        self.outcome = outcome
        self.kind = kind
        self.bytes = bytes
        self.records = records
    }
}

/// An entry that is committed together with the outcome that it records.
public struct RefreshNote: Sendable {
    public var refresh: LoggedRefresh
    /// The time at which the attempt began, in nanoseconds of the monotonic clock.
    public var began: UInt64
    /// The number of entries of the collection that stay.
    public var maxKept: Int

    public init(_ refresh: LoggedRefresh, began: UInt64, maxKept: Int) {
        self.refresh = refresh
        self.began = began
        self.maxKept = maxKept
    }

    /// Adds the entry to the log of a collection, and deletes those beyond the bound; to be called in a transaction.
    func write(_ database: borrowing Database, collection: Int64) throws(StoreError) {
        let operation = "log a refresh"
        if maxKept > 0 {
            let insert = try database.prepare(
                "INSERT \(RefreshLogColumn.insertion)", operation, columns: RefreshLogColumn.self)
            let duration = Int64(clamping: (SystemClock.monotonic &- began) / 1_000_000)
            try insert.bind(.number, Int64?.none)
            try insert.bind(.collection, collection)
            try insert.bind(.at, refresh.at)
            try insert.bind(.durationMs, duration)
            try insert.bind(.outcome, refresh.outcome.rawValue)
            try insert.bind(.kind, refresh.kind?.rawValue)
            try insert.bind(.site, refresh.site)
            try insert.bind(.bytes, Int64(refresh.bytes))
            try insert.bind(.records, refresh.records.map { Int64($0) })
            try insert.bind(.added, Int64(refresh.added))
            try insert.bind(.updated, Int64(refresh.updated))
            try insert.bind(.removed, Int64(refresh.removed))
            try insert.bind(.quarantined, Int64(refresh.quarantined))
            try insert.run()
        }
        let trim = try database.prepare(
            """
            DELETE FROM refresh_log WHERE collection = ?1 AND number <= (
                SELECT number FROM refresh_log WHERE collection = ?1 ORDER BY number DESC LIMIT 1 OFFSET ?2)
            """, operation)
        try trim.bind(parameters: [collection, Int64(maxKept)])
        try trim.run()
    }
}
