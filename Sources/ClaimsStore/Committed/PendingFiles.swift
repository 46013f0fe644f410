// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import Synchronization

/// The files that are being written beside commits. Until a file is put in or given up, its sources are kept: the
/// superseded rows of state.db that it may hold, and the ids that have gone meanwhile.
public final class PendingFiles: Sendable {
    /// A file that is being written.
    struct Entry: Sendable {
        let number: UInt64
        /// The number of its collection.
        let collection: Int64
        /// The state that it will hold.
        let mark: StackMark
        /// The records that it is made of.
        let sources: CommittedRecords
    }

    private struct State {
        var entries: [Entry] = []
        var last: UInt64 = 0
        /// The generation of the newest base that was merged since the start, by collection.
        var merged: [Int64: UInt64] = [:]
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

    /// Ends a file that was put in or given up.
    ///
    /// - Parameter merged: the generation of a merged base that was put in; nil for other files.
    func end(_ number: UInt64, merged: UInt64? = nil) {
        state.withLock { state in
            let collection = state.entries.first { $0.number == number }?.collection
            if let collection, let merged { state.merged[collection] = max(state.merged[collection] ?? 0, merged) }
            state.entries.removeAll { $0.number == number }
        }
    }

    func entries(of collection: Int64) -> [Entry] {
        state.withLock { state in state.entries.filter { $0.collection == collection } }
    }

    /// The states that the files of a collection hold.
    func marks(of collection: Int64) -> [StackMark] { entries(of: collection).map(\.mark) }

    /// The records that the files of a collection are made of.
    func sources(of collection: Int64) -> [CommittedRecords] { entries(of: collection).map(\.sources) }

    /// The numbers of the files of a collection.
    func numbers(of collection: Int64) -> [UInt64] { entries(of: collection).map(\.number) }

    /// Returns the filter of the gone ids that a new file has to keep, even if none of the files below it has a record
    /// of them.
    ///
    /// - Parameter files: the files below the new file, as they were served at some earlier moment.
    func goneFilter(of collection: Int64, over files: FileStack) -> GoneFilter {
        state.withLock { state in
            GoneFilter(
                sources: state.entries.filter { $0.collection == collection }.map(\.sources),
                keepsAll: state.merged[collection].map { $0 > files.layers[0].to } ?? false)
        }
    }
}

/// Decides which gone ids a new file over a base keeps. Pure.
///
/// A base that is being merged of earlier files may have a record that came with one of them, and has gone since.
struct GoneFilter: Sendable {
    /// The records that files under way are made of.
    var sources: [CommittedRecords]
    /// Whether another base may have come since the files were read: it may have any of the ids.
    var keepsAll: Bool

    /// Keeps all ids, because nothing is known about files under way.
    static let all = GoneFilter(sources: [], keepsAll: true)

    /// Whether a new file over some files has to keep an id that is gone.
    func keeps(_ id: RawSpan, over files: FileStack) -> Bool {
        keepsAll || files.holds(id) || sources.contains { $0.holds(id) }
    }
}
