// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

public import ClaimsStore

/// The parts of the daemon that `quarantine` calls. No closure belongs on a serving loop, except `retry`.
public struct QuarantineServices: Sendable {
    /// Receives the verdicts, or the error that prevented them; called once, on any thread.
    public typealias RetryCompletion = @Sendable (Result<QuarantineOutcome, StoreError>) -> Void

    /// Reads the entries of a collection, by its number, after an entry; at most `limit`.
    public typealias Page =
        @Sendable (_ collection: Int64, _ after: Int64, _ limit: Int) throws(StoreError) ->
        QuarantinePage
    /// Reads one entry of a collection, by its number, with all bytes that are kept; nil where there is none.
    public typealias Entry = @Sendable (_ entry: Int64, _ collection: Int64) throws(StoreError) -> QuarantineEntry?
    /// Drops an entry, or with nil all, for the user with this id, and returns those that were there.
    public typealias Drop =
        @Sendable (_ entry: Int64?, _ collection: String, _ uid: UInt32) throws(StoreError) -> [Int64]
    /// Decodes an entry again, or with nil all, for the user with this id. It returns at once.
    public typealias Retry =
        @Sendable (
            _ entry: Int64?, _ collection: String, _ uid: UInt32, @escaping RetryCompletion
        ) -> Void

    public let page: Page
    public let entry: Entry
    public let drop: Drop
    public let retry: Retry

    /// Makes the services from their parts.
    public init(page: @escaping Page, entry: @escaping Entry, drop: @escaping Drop, retry: @escaping Retry) {
        self.page = page
        self.entry = entry
        self.drop = drop
        self.retry = retry
    }

    /// Services that answer everything with the error of a store that is closed.
    public static let closed = QuarantineServices(
        page: { _, _, _ throws(StoreError) in throw error }, entry: { _, _ throws(StoreError) in throw error },
        drop: { _, _, _ throws(StoreError) in throw error }, retry: { _, _, _, done in done(.failure(error)) })

    private static let error = StoreError(.closed, "read the quarantine")

    /// Services over an open state database.
    public init(_ store: StateStore, drop: @escaping Drop, retry: @escaping Retry) {
        let database = store.database
        self.init(
            page: { collection, after, limit throws(StoreError) in
                try database.quarantine(of: collection, after: after, limit: limit)
            },
            entry: { entry, collection throws(StoreError) in try database.quarantined(entry, of: collection) },
            drop: drop, retry: retry)
    }
}
