// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import ClaimsRefresh
import ClaimsStore

/// The ids of erased records that state.db keeps of each source: those that are handed on, and those that wait.
struct ErasedIDs: Sendable {
    let store: StateStore

    /// The number of ids of a source that are kept for a later erasure.
    private static let maxPostponed = 10_000

    /// Keeps the erased ids of another host, to be handed on should this one ask for all.
    func keep(_ forgotten: [FleetManifest.Forgotten], of source: SourceID) throws(FetchFailure) {
        do throws(StoreError) {
            let text = FleetManifest.stored(forgotten)
            if text != (try store.database.fleetText(.forgotten, of: source)) ?? FleetManifest.stored([]) {
                try store.database.keep(.forgotten, text, of: source)
            }
        } catch { throw FetchFailure(error) }
    }

    /// Keeps the ids, as records here have them, that cannot be erased here yet.
    func postpone(_ ids: [[UInt8]], of source: SourceID) {
        let prefix = source.site.map { $0.utf8.count + 1 } ?? 0
        let list = ids.prefix(Self.maxPostponed).map {
            FleetManifest.Forgotten(id: String(decoding: $0.dropFirst(prefix), as: UTF8.self), at: 0)
        }
        guard !list.isEmpty || !postponed(of: source).isEmpty else { return }
        // After an error they are erased with the next erasure of theirs.
        try? store.database.keep(.postponed, FleetManifest.stored(list), of: source)
    }

    func postponed(of source: SourceID) -> [FleetManifest.Forgotten] {
        FleetManifest.forgotten(stored: (try? store.database.fleetText(.postponed, of: source)) ?? nil)
    }
}
