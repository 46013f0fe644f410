// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

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
    /// A reload has brought the definition of a new collection.
    case added
    /// The definition is there again, within the time for which records are kept.
    case returned
    /// The definition is gone, and so is the collection; so many records are kept for a while.
    case removed(records: Int)
    /// A reload has taken the source from the definition; so many records are served on.
    case sourceLost(records: Int)
    /// A reload has given a source to a definition that had none.
    case sourceFound
}
