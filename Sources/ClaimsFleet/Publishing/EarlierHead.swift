// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import ClaimsPlatform
import ClaimsRefresh
import ClaimsStore

/// The head that this host's process before has left, as far as it counts. One that is dated far ahead is deleted: when its
/// time came, it would count.
struct EarlierHead {
    /// All its entries.
    private(set) var entries: [SourceID: HeadEntry] = [:]
    /// The entries that are newer than the data that was taken from other hosts since then. Their times are by the
    /// clock since the boot.
    private(set) var newest: [SourceID: NewestEntry] = [:]
    /// The sources for which the next process continues where that process was.
    private(set) var resumed: Set<SourceID> = []

    init(
        of rank: Int, in definition: FleetDefinition, _ folder: FleetFolder, _ services: FleetServices,
        leadership: Leadership
    ) {
        guard let head = folder.head(of: definition.leaders[rank], in: definition.name) else { return }
        let (now, catalog) = (services.clock.now(), services.store.catalog.current())
        guard !head.sources.values.contains(where: { HeadJudgement.isAhead($0, now: now) }) else {
            folder.removeHead()
            return
        }
        for (source, entry) in head.sources {
            guard definition.collections.contains(source.collection),
                let known = catalog[source.collection]?.condition.source(of: source.site)
            else { continue }
            let newest = NewestEntry(
                issuer: Issuer(host: head.host, epoch: head.epoch), leader: rank, entry: entry, seenAt: now,
                isSeenFresh: false)
            // The records that were taken from another host since then are newer.
            if let taken = FollowedState(known.position, fleet: definition.name), taken.order > newest.order {
                continue
            }
            let isBehind = known.asOf.map { $0 < entry.asOf } ?? true
            if !isBehind, !leadership.isOverdue(newest, startedAt: now) { resumed.insert(source) }
            self.newest[source] = newest.shifted(by: SystemClock.millisecondsSinceBoot - now)
        }
        entries = head.sources
    }
}
