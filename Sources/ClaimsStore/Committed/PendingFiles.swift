// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import Synchronization

/// The files that are being made beside commits. What one of them may hold is kept until it is put in or given up: the
/// rows of state.db that are superseded meanwhile, and the ids that are gone meanwhile.
public final class PendingFiles: Sendable {
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
        /// By collection, the generation of the newest base that was merged since the start.
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

    /// Ends a file, which was put in or given up.
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

    /// Tells which gone ids a new file has to tell, although none of the files that it is made over has a record of them.
    ///
    /// - Parameter files: those that the new file is made over, as they were served at some earlier moment.
    func goneFilter(of collection: Int64, over files: FileStack) -> GoneFilter {
        state.withLock { state in
            GoneFilter(
                sources: state.entries.filter { $0.collection == collection }.map(\.sources),
                keepsAll: state.merged[collection].map { $0 > files.layers[0].to } ?? false)
        }
    }
}

/// Decides which gone ids a new file over a base tells. Pure.
///
/// A base that is being merged of earlier files may have a record that came with one of them, and has gone since.
struct GoneFilter: Sendable {
    /// The records that files are made of which are being made.
    var sources: [CommittedRecords]
    /// Whether another base may have come since the files were looked at: it may have any of them.
    var keepsAll: Bool

    /// Nothing is known of files that are being made.
    static let all = GoneFilter(sources: [], keepsAll: true)

    /// Whether an id that is gone has to be told over some files.
    func keeps(_ id: RawSpan, over files: FileStack) -> Bool {
        keepsAll || files.holds(id) || sources.contains { $0.holds(id) }
    }
}
