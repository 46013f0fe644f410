// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsPlatform
import Synchronization

/// The store of a daemon: state.db, which is the truth, and the catalog of what is served of it.
///
///     let store = try StateStore(directory: "/var/lib/claimsd")
///     let opener = CollectionOpener(store: store, directory: "/var/cache/claimsd", bundleDirectory: data) { _, _ in }
///     try opener.open(definitions)
///     let view = store.catalog.current()["books"]
///
/// A commit changes the catalog on the database's thread, before anybody hears of the commit.
public final class StateStore: Sendable {
    public let database: StateDatabase
    /// The collections as they are served.
    public let catalog: CatalogPublisher
    /// The number of the last attempt to write to an upstream, in the cache folder.
    public let attempts: AttemptMark
    /// The joined values that overlays were last made with.
    let joins = JoinCache()
    /// The replaced snapshots that somebody may still read.
    let retired = RetiredSnapshots()
    private let settlerBox = Mutex<(any OperationSettler)?>(nil)

    /// Opens the store in `directory`, an existing folder, or creates a new store there.
    ///
    /// A file that is damaged or foreign is moved aside, and its readable rows are saved; see `StateDatabase.recovery`.
    /// A copy that was put back begins a new epoch; see `StateDatabase.restoration`.
    ///
    /// - Parameter cache: an existing folder that keeps the published clock, by which a copy is recognised; nil: none is.
    /// - Throws: `.inUse` with the process id where another process holds the store; `.otherVersion` for a file of a newer
    /// claimsd, which is left as it is.
    public init(directory: String, cache: String? = nil) throws(StoreError) {
        database = try StateDatabase(directory: directory, cache: cache)
        attempts = AttemptMark(directory: cache)
        catalog = CatalogPublisher(Catalog(revision: database.openedAt))
    }

    /// Finishes the waiting work, closes the file and releases the lock. Later calls fail with `.closed`.
    public func close() { database.close() }

    /// Decides what answers of upstreams make of operations; nil: nothing changes them.
    public var settler: (any OperationSettler)? {
        get { settlerBox.withLock { $0 } }
        set { settlerBox.withLock { $0 = newValue } }
    }

    /// The epoch of state.db: a random number drawn when the file was created.
    public var epoch: UInt64 { catalog.current().revision.epoch }
}
