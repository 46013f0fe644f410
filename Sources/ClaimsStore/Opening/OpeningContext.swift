// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

public import ClaimsModel
import ClaimsPlatform

/// The dependencies that the parts of a ``CollectionOpener`` share.
struct OpeningContext: Sendable {
    let store: StateStore
    /// The folder of the snapshots.
    let folder: SnapshotFolder
    let clock: WallClock
    /// Called on the thread that does the work.
    let report: @Sendable (_ collection: String, _ event: OpeningEvent) -> Void

    /// The collection as it is served now; nil if it is not served.
    func view(_ name: String) -> CollectionView? { store.catalog.current()[name] }

    /// Publishes and reports the reason why a collection has no snapshot.
    func fail(_ name: String, _ error: StoreError) {
        store.catalog.record(in: name) { $0.failed(error) }
        store.database.suspect(error)
        report(name, .failed(error))
    }
}

/// An event in the life of a collection: its snapshot was opened, checked or built again, or its definition came, changed
/// or went. For the journal.
public enum OpeningEvent: Sendable, Equatable {
    /// The snapshot was built from the records in state.db, because the old one failed with the error.
    case rebuilt(records: Int, rejected: Int, because: StoreError)
    /// The snapshot was built from the bundle.
    case bundled(records: Int)
    /// The bundle cannot be served.
    case badBundle(path: String, detail: String)
    /// There is no snapshot, and none could be built.
    case failed(StoreError)
    /// The files of a collection are to be merged, and the disk has no room for the new one; `merged` follows.
    case mergeWaiting(StoreError)
    /// The files were merged, once there was room.
    case merged
    /// A reload has brought the definition of a new collection.
    case added
    /// The definition is there again, before the time for which records are kept was over.
    case returned
    /// The definition is gone, and so is the collection; this number of records is kept for a while.
    case removed(records: Int)
    /// A reload has removed the source from the definition; this number of records is still served.
    case sourceLost(records: Int)
    /// A reload has given a source to a definition that had none.
    case sourceFound
}
