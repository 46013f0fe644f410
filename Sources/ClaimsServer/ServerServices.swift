// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

public import ClaimsStore

/// What the server cannot do by itself: the daemon hands it in.
public struct ServerServices: Sendable {
    /// The collections as they are now.
    public let catalogs: CatalogPublisher
    /// Archives or unarchives, and answers when it is on disk.
    public let change:
        @Sendable (ArchiveChange, @escaping @Sendable (Result<ArchiveChange.Outcome, StoreError>) -> Void) -> Void
    /// Refreshes, and answers when all have ended, or have started where nobody waits.
    public let refresh: @Sendable (RefreshOrder, @escaping @Sendable ([RefreshOutcome]) -> Void) -> Void
    /// How many bytes state and cache take on disk.
    public let diskBytes: @Sendable () -> Int64
    /// Told whenever a connection of a user is refused because there are too many.
    public let refused: @Sendable (_ uid: UInt32) -> Void

    public init(
        catalogs: CatalogPublisher,
        change:
            @escaping @Sendable (ArchiveChange, @escaping @Sendable (Result<ArchiveChange.Outcome, StoreError>) -> Void)
            -> Void,
        refresh: @escaping @Sendable (RefreshOrder, @escaping @Sendable ([RefreshOutcome]) -> Void) -> Void,
        diskBytes: @escaping @Sendable () -> Int64,
        refused: @escaping @Sendable (_ uid: UInt32) -> Void = { _ in }
    ) {
        self.catalogs = catalogs
        self.change = change
        self.refresh = refresh
        self.diskBytes = diskBytes
        self.refused = refused
    }
}

/// What a client asks of a refresh.
public struct RefreshOrder: Sendable {
    /// The names of the collections.
    public var collections: [String]
    /// Answer when it is done.
    public var waits: Bool
    /// Now, whatever backoff or Retry-After say, and without validators.
    public var isForced: Bool
    /// Take what the guard holds or would hold.
    public var isAccepted: Bool
}

/// How the refresh of one collection ended, or that it began.
public struct RefreshOutcome: Sendable {
    public var collection: String
    /// started, updated, unchanged, failed, held or skipped.
    public var outcome: String
    public var added: Int
    public var updated: Int
    public var removed: Int
    public var quarantined: Int
    /// Until when the upstream wants to be left alone, in milliseconds since 1970.
    public var until: Int64?

    public init(
        collection: String, outcome: String, added: Int = 0, updated: Int = 0, removed: Int = 0, quarantined: Int = 0,
        until: Int64? = nil
    ) {
        self.collection = collection
        self.outcome = outcome
        self.added = added
        self.updated = updated
        self.removed = removed
        self.quarantined = quarantined
        self.until = until
    }
}
