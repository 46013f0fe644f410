// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// The files that are being made beside commits. What one of them may hold is kept until it is put in or given up: the
/// rows of state.db that are superseded meanwhile, and the ids that are gone meanwhile.
final class PendingFiles: Sendable {
    /// A file that is being made.
    struct Entry: Sendable {
        let number: UInt64
        /// That of its collection.
        let collection: Int64
        /// The state that it will hold.
        let mark: StackMark
        /// The records that it is made of.
        let sources: CommittedRecords
    }

    private struct State {
        var entries: [Entry] = []
        var last: UInt64 = 0
    }

    private let state = Mutex(State())

    /// Begins a file; returns the number to end it by.
    func begin(_ collection: Int64, _ mark: StackMark, of sources: CommittedRecords) -> UInt64 {
        state.withLock { state in
            state.last += 1
            state.entries.append(Entry(number: state.last, collection: collection, mark: mark, sources: sources))
            return state.last
        }
    }

    /// Ends a file, which was put in or given up.
    func end(_ number: UInt64) { state.withLock { $0.entries.removeAll { $0.number == number } } }

    func entries(of collection: Int64) -> [Entry] {
        state.withLock { state in state.entries.filter { $0.collection == collection } }
    }

    /// The states that the files of a collection hold.
    func marks(of collection: Int64) -> [StackMark] { entries(of: collection).map(\.mark) }

    /// The records that the files of a collection are made of.
    func sources(of collection: Int64) -> [CommittedRecords] { entries(of: collection).map(\.sources) }

    /// The numbers of the files of a collection.
    func numbers(of collection: Int64) -> [UInt64] { entries(of: collection).map(\.number) }
}
