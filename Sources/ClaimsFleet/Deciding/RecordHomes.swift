// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import ClaimsStore
import Synchronization

/// The homes of collections: the host of a fleet on which the records of a collection are written. Collections of an
/// upstream have none.
final class RecordHomes: Sendable {
    /// The state of the records that were written on this host.
    struct Mark: Equatable {
        private let number: Int64
        private let generation: UInt64
        /// Without data there is nothing to publish yet.
        private let hasData: Bool

        init(_ view: CollectionView) {
            let row = view.condition.row
            (number, generation, hasData) = (row.number, row.generation, row.hasData && row.isLocal)
        }
    }

    private let store: StateStore
    /// The name of this host.
    private let host: String

    /// The longest time between two heads of a home, in milliseconds. Each head confirms the records.
    static let interval: Int64 = 300_000
    /// The shortest time between two heads of a home, in milliseconds.
    static let pause: Int64 = 1_000

    /// The times of the newest heads of former homes.
    private let floors = Mutex<[SourceID: Int64]>([:])

    init(store: StateStore, host: String) {
        self.store = store
        self.host = host
    }

    private func view(_ collection: String) -> CollectionView? { store.catalog.current()[collection] }

    /// The host that others take the records from; nil if they come from an upstream.
    func home(of collection: String) -> String? {
        view(collection).flatMap { $0.definition.isLocal ? host : $0.definition.home }
    }

    /// Whether an entry does not count because it is from a former home. Others have taken it, so this host issues
    /// later ones.
    func ignores(_ entry: HeadEntry, of source: SourceID, from issuer: String, now: Int64) -> Bool {
        guard let home = home(of: source.collection), home != issuer else { return false }
        if home == host, !HeadJudgement.isAhead(entry, now: now) {
            floors.withLock { $0[source] = max($0[source] ?? .min, entry.issuedAt) }
        }
        return true
    }

    /// The time for an entry of this home: after its own entry before, and after the entries of former homes.
    func issueTime(of source: SourceID, _ now: Int64, after known: Int64?) -> Int64 {
        let floor = floors.withLock { $0[source] }
        return HeadJudgement.issueTime(now, after: [known, floor].compactMap(\.self).max())
    }

    /// Whether the records are written on this host.
    func isHere(_ collection: String) -> Bool { view(collection)?.definition.isLocal == true }

    /// Whether this host has records that were written on it, though another host is their home. It takes no other
    /// records beside them.
    func isRetained(_ collection: String) -> Bool {
        view(collection).map { $0.isLocal && $0.definition.home != nil } ?? false
    }

    /// Whether all that was written here is forgotten, so that the records of the home may be taken.
    func isCleared(_ collection: String) -> Bool {
        isRetained(collection)
            && view(collection).map { $0.state == .empty && $0.condition.row.quarantined == 0 } == true
    }

    /// The message that this host does not take the records of others, for people; nil if it takes all.
    ///
    /// - Parameter collections: the collections of the fleet.
    func obstacle(among collections: [String]) -> String? {
        guard let name = collections.first(where: { isRetained($0) && !isCleared($0) }),
            let home = view(name)?.definition.home
        else { return nil }
        return
            "the records of '\(name)' that were written on this host are only read, and those of \(home) are not taken: bring them to \(home), and `claimsctl forget` them here"
    }
}

extension Definition {
    /// The sources that a fleet shares. Records that are written on a host of it are one.
    var sharedSources: [SourceID] { isLocal ? [SourceID(name)] : sources }
}
