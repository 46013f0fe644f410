// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import ClaimsRefresh
import ClaimsStore
import Synchronization

/// The ids of erased records that state.db keeps of each source: ids that are erased here, which are passed on if this
/// host asks for the source, and ids that wait.
final class ErasedIDs: Sendable {
    private let store: StateStore
    /// The lists whose ids are being erased.
    private let pending = Mutex<[SourceID: [FleetManifest.Forgotten]]>([:])

    /// The number of ids of a source that are kept for a later erasure.
    private static let maxPostponed = 10_000

    init(store: StateStore) { self.store = store }

    /// The ids of another host's list that are not erased here yet, each once, and the ids that wait.
    ///
    /// An id with another time is another erasure: the record had come back. Times are not compared, because they come
    /// from several hosts.
    func news(in list: [FleetManifest.Forgotten], of source: SourceID) throws(FetchFailure) -> [String] {
        do throws(StoreError) {
            let done = FleetManifest.forgotten(stored: try store.database.fleetText(.forgotten, of: source))
            let known = Set(done)
            var seen: Set<String> = []
            let ids = (postponed(of: source) + list.filter { !known.contains($0) }).map(\.id)
                .filter { seen.insert($0).inserted }
            if ids.isEmpty {
                if list != done { try keep(list, of: source) }
            } else {
                pending.withLock { $0[source] = list }
            }
            return ids
        } catch { throw FetchFailure(error) }
    }

    private func keep(_ list: [FleetManifest.Forgotten], of source: SourceID) throws(StoreError) {
        try store.database.keep(.forgotten, FleetManifest.stored(list), of: source)
    }

    /// Records that the ids are erased, except those that records here have and that cannot be erased yet.
    func done(but ids: [[UInt8]], of source: SourceID) {
        let prefix = source.site.map { $0.utf8.count + 1 } ?? 0
        let list = ids.prefix(Self.maxPostponed).map {
            FleetManifest.Forgotten(id: String(decoding: $0.dropFirst(prefix), as: UTF8.self), at: 0)
        }
        // After an error they are erased once more, with the next answer.
        if !list.isEmpty || !postponed(of: source).isEmpty {
            try? store.database.keep(.postponed, FleetManifest.stored(list), of: source)
        }
        if let erased = pending.withLock({ $0.removeValue(forKey: source) }) { try? keep(erased, of: source) }
    }

    private func postponed(of source: SourceID) -> [FleetManifest.Forgotten] {
        FleetManifest.forgotten(stored: (try? store.database.fleetText(.postponed, of: source)) ?? nil)
    }
}
