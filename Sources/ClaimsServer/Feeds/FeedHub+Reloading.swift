// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import ClaimsPlatform
import ClaimsProtocol
import ClaimsStore

/// Takes newer catalogs into use. Every call is made on the hub's thread.
extension FeedHub {
    /// Takes the newest catalog, and queues what is behind it.
    func refresh() {
        assert(events.isConfined)
        let served = context.served
        served.refresh()
        guard served.version != examined else { return }
        examined = served.version
        for collection in Array(collections.values) {
            if let view = served.catalog[collection.name] {
                examine(collection, view)
            } else {
                for subscription in subscriptions(to: collection.name) {
                    end(subscription, because: .unknownCollection(collection.name, hint: Self.removed))
                }
            }
        }
        tellFreshness()
        if !dirty.isEmpty { pumpSoon() }
    }

    /// Looks at a catalog that was published.
    func lookAtCatalog() {
        refresh()
        settle()
    }

    /// Releases the catalog, so that replaced snapshots are freed while nothing is told. The one that a reader without
    /// room comes from is kept until it has passed the commit, or the next one comes.
    func release() {
        context.served.release()
        for collection in collections.values {
            collection.engine = nil
            let origins = collection.origins
            if origins.isReplaced, !isHeld(collection, from: origins.origin) { collection.origins.settle() }
        }
        examined = 0
    }

    /// Whether a reader of a collection waits for room on its way from an origin.
    private func isHeld(_ collection: FeedCollection, from origin: FeedOrigin) -> Bool {
        held.values.contains { link in
            link.subscriptions.values.contains { subscription in
                guard subscription.collection == collection.name, let progress = subscription.heldProgress else {
                    return false
                }
                return origin.holds(progress.position.since)
            }
        }
    }

    /// The subscriptions to a collection.
    func subscriptions(to collection: String) -> [Subscription] {
        links.values.flatMap { $0.subscriptions.values.filter { $0.collection == collection } }
    }

    /// Gives the parameters of a subscription the meaning that they have in the definition of a view. Ends the
    /// subscription where they have none any more.
    ///
    /// - Parameter progress: changes to the beginning of a fresh set where the feed is another one now.
    /// - Returns: the feed; nil where the subscription has ended.
    func resolve(_ subscription: Subscription, in view: CollectionView, _ progress: inout FeedProgress) -> Feed? {
        do throws(RequestError) {
            let feed = try Feed(subscription.request, of: view.definition)
            if feed.hash != subscription.group.feed.hash {
                let position = FeedPosition.set(
                    at: context.served.catalog.revision.seq, time: feed.dependsOnTime ? context.served.now : 0)
                progress = FeedProgress(position: position, stage: .set(reason: .filter))
            }
            return feed
        } catch {
            end(subscription, because: error)
            return nil
        }
    }

    private func examine(_ collection: FeedCollection, _ view: CollectionView) {
        let basis = FeedBasis(view.definition)
        if basis != collection.basis {
            collection.basis = basis
            collection.definition = SharedDefinition(view.definition)
            resolveAll(of: collection, in: view)
        }
        let seq = context.served.catalog.revision.seq
        // The windows that were read belong to the view that is replaced now.
        if collection.origins.take(view, at: seq, isNeeded: collection.needs) { collection.engine?.release() }
        let isServed = view.hasRecords
        guard view.changedSeq > collection.seen || isServed != collection.isServed else { return }
        collection.seen = view.changedSeq
        collection.isServed = isServed
        for group in collection.groups.values {
            for cohort in group.cohorts.values {
                let isCheap = collection.origins.origin.holds(cohort.progress.position.since)
                let anew = cohort.progress.begunAnew(dependsOnTime: group.feed.dependsOnTime, isCheap: isCheap)
                enqueue(anew.map { group.move(cohort, to: $0) } ?? cohort)
            }
            setBoundary(of: group)
        }
    }

    /// Makes the feeds of a collection anew: another definition is in force.
    private func resolveAll(of collection: FeedCollection, in view: CollectionView) {
        let all = subscriptions(to: collection.name)
        collection.groups = [:]
        collection.engine = nil
        for subscription in all {
            let held = subscription.heldProgress
            guard var progress = subscription.cohort?.progress ?? held else { continue }
            guard let feed = resolve(subscription, in: view, &progress) else { continue }
            let group = FeedGroup(feed, time: subscription.group.time)
            subscription.group.leave(subscription)
            enter(subscription, group, of: collection, at: progress, isHeld: held != nil)
        }
    }

    static let removed = ErrorText(
        en: "its definition was removed; subscribe again when it is back",
        pl: "jej definicja została usunięta; zasubskrybuj ponownie, gdy wróci")
}
