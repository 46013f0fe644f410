// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// What happened to a collection's snapshot when it was opened, checked or built again; for the journal.
public enum OpeningEvent: Sendable, Equatable {
    /// Built from the records in state.db, because of the error.
    case rebuilt(records: Int, rejected: Int, because: StoreError)
    /// Built from the bundle.
    case bundled(records: Int)
    /// The bundle cannot be served.
    case badBundle(path: String, detail: String)
    /// There is no snapshot, and none could be built.
    case failed(StoreError)
}
