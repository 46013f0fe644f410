// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsModel
import ClaimsPlatform
import ClaimsProtocol
import ClaimsQuery
import ClaimsSnapshot
import ClaimsStore

/// Moves subscriptions on and makes their lines. Every call is made on the hub's thread.
extension FeedHub {
    /// Queues the next step of a cohort.
    func enqueue(_ cohort: FeedCohort) {
        guard !cohort.isQueued else { return }
        cohort.isQueued = true
        queue.append(cohort)
        pumpSoon()
    }

    /// Goes on with the queue, after what other threads have posted until now.
    func pumpSoon() {
        guard !isPumping else { return }
        isPumping = true
        events.post { [weak self] in
            guard let self else { return }
            isPumping = false
            pump()
        }
    }

    /// Takes steps for a while, and hands the lines over.
    func pump() {
        refresh()
        let start = SystemClock.monotonic
        while let cohort = queue.popFirst() {
            cohort.isQueued = false
            step(cohort)
            if SystemClock.monotonic &- start >= Self.sliceLength { break }
        }
        settle()
    }

    /// Hands the lines of this tick over. Where nothing is left to do, replaced data is released.
    func settle() {
        flush()
        setAlarm()
        if queue.isEmpty { release() } else { pumpSoon() }
    }

    /// Hands over the lines that were made.
    func flush() {
        for link in dirty {
            link.channel.deliver(link.lines)
            link.lines = []
        }
        dirty.removeAll(keepingCapacity: true)
    }

    /// Takes one step with all members that have room: one line at most, and the last one of a way has two.
    private func step(_ cohort: FeedCohort) {
        for subscription in cohort.members where !subscription.link.channel.hasRoom() {
            hold(subscription, at: cohort.progress)
        }
        // The members keep the group. Without any, it may be gone.
        guard !cohort.members.isEmpty else { return }
        let group = cohort.group
        guard let view = context.served.catalog[group.feed.definition.name] else { return }
        // It goes on once the records are told again.
        guard !view.isWithheld(now: context.served.now) else { return }
        var progress = cohort.progress
        if case .set(let reason?) = progress.stage {
            progress.stage = .set(reason: nil)
            let line = EventText.make(.freshInstance) { $0.member(FreshInstanceEvent.reason, reason.rawValue) }
            for subscription in cohort.members {
                subscription.clock = nil
                append(line, to: subscription)
            }
        }
        var changes = JSONWriter()
        changes.beginArray()
        let piece: FeedPiece
        var total: Int?
        do throws(QueryFailure) {
            piece = try advance(progress.position, of: group, in: view, to: &changes)
            if piece.fresh == nil, piece.position.isAtRest, progress.stage != .live {
                total = try self.total(of: group.feed, at: piece.position, in: view)
            }
        } catch {
            // state.db could not be read, or the query took too long: nothing was told.
            return retryLater(group.move(cohort, to: progress))
        }
        changes.endArray()
        let hasMoved = piece.position != progress.position || piece.fresh != nil
        progress.position = piece.position
        if let reason = piece.fresh {
            progress.stage = .set(reason: reason)
            progress.isOpen = false
        } else {
            tell(piece.entries > 0 ? changes.bytes : nil, total: total, &progress, to: cohort, in: view)
        }
        let moved = group.move(cohort, to: progress)
        let isAtEnd =
            piece.position.isAtRest && piece.position.since >= view.changedSeq
            && (!group.feed.dependsOnTime || piece.position.time == group.time)
        // Without a snapshot nothing moves until there is one.
        if hasMoved || piece.isUnfinished, !isAtEnd { enqueue(moved) }
    }

    private func advance(
        _ position: FeedPosition, of group: FeedGroup, in view: CollectionView, to writer: inout JSONWriter
    ) throws(QueryFailure) -> FeedPiece {
        guard let collection = collections[view.definition.name] else { return FeedPiece(position: position) }
        let call = FeedEngine.Call(
            feed: group.feed, view: view, revision: context.served.catalog.revision, bounds: Self.bounds,
            budget: QueryBudget(limit: Self.maxStep), origin: collection.origins.origin)
        let engine: FeedEngine
        do throws(StoreError) { engine = try self.engine(of: collection) } catch {
            throw .refused(RequestError(reading: error, collection: collection.name))
        }
        return try engine.advance(position, call, now: group.time, to: &writer)
    }

    private func retryLater(_ cohort: FeedCohort) {
        events.schedule(after: Self.retryInterval) { [weak self, weak cohort] in
            if let self, let cohort { enqueue(cohort) }
        }
    }

    /// Makes the lines of a piece.
    ///
    /// - Parameters:
    ///   - changes: the entries, as an array; nil where there are none.
    ///   - total: the number of records of the set, where the piece ends it.
    private func tell(
        _ changes: [UInt8]?, total: Int?, _ progress: inout FeedProgress, to cohort: FeedCohort,
        in view: CollectionView
    ) {
        let isAtRest = progress.position.isAtRest
        let isSet = if case .set = progress.stage { true } else { false }
        let completes = isAtRest && !isSet && (changes != nil || progress.isOpen)
        let clock = isAtRest ? clock(of: cohort.group.feed, at: progress.position) : []
        if changes != nil || completes {
            let line = EventText.make(.changes) { writer in
                writer.key(ChangesEvent.changes)
                writer.raw(changes ?? Self.emptyArray)
                guard completes else { return }
                writer.member(ChangesEvent.complete, true)
                writeClock(clock, view, to: &writer)
            }
            for subscription in cohort.members { append(line, to: subscription, hasClock: completes) }
            progress.isOpen = !completes && !isSet
        }
        guard isAtRest else { return }
        for subscription in cohort.members { subscription.clock = clock }
        guard let total else { return }
        progress.stage = .live
        let line = EventText.make(.synced) { writer in
            writer.member(SyncedEvent.total, total)
            writeClock(clock, view, to: &writer)
        }
        for subscription in cohort.members { append(line, to: subscription, hasClock: true) }
    }

    /// The number of records of the set that a reader at rest holds.
    ///
    /// - Throws: the error of a filter that the definition does not take any more; the next look at the catalog ends
    ///   such a feed.
    private func total(of feed: Feed, at position: FeedPosition, in view: CollectionView) throws(QueryFailure) -> Int {
        guard view.hasRecords else { return 0 }
        let predicate: Predicate
        do throws(RequestError) { predicate = try feed.predicate(at: position.time) } catch { throw .refused(error) }
        do throws(QueryInterruption) {
            return try view.rows.count(
                predicate, archived: feed.archived, scratch: context.scratch,
                budget: QueryBudget(limit: Self.maxStep))
        } catch { throw .interrupted(error) }
    }

    /// The clock of a reader at rest, as a finished JSON string.
    func clock(of feed: Feed, at position: FeedPosition) -> [UInt8] {
        feed.clock(
            at: position, context.served.catalog.revision.epoch, FeedClockCodec(key: context.configuration.cursorKey))
    }

    /// Appends a line for a subscription. The last one ends it.
    ///
    /// - Parameter hasClock: whether the line has a clock; the next heartbeat is planned from there.
    func append(_ rest: [UInt8], to subscription: Subscription, hasClock: Bool = false, isLast: Bool = false) {
        assert(events.isConfined)
        let link = subscription.link
        let line = EventLine(subscription: subscription.number, rest: rest, isLast: isLast)
        link.channel.reserve(line.size)
        if link.lines.isEmpty { dirty.append(link) }
        link.lines.append(line)
        if hasClock { subscription.lastClock = events.now }
        watch(link)
        if isLast { remove(subscription.number, of: link.channel.token) }
    }

    /// Appends an event about the state of the collection, unless it is not told any more.
    func appendState(_ news: StateNews, to subscription: Subscription) {
        guard let view = context.served.catalog[subscription.collection], isTold(news, of: view) else { return }
        append(stateLine(news, view), to: subscription)
    }

    /// The line about a refresh of a collection, or about its freshness.
    func stateLine(_ news: StateNews, _ view: CollectionView) -> [UInt8] {
        EventText.make(.state) { writer in
            writer.member(StateEvent.change, news.change)
            if let site = news.site { writer.member(StateEvent.site, site) }
            writeMeta(view, to: &writer)
        }
    }

    /// Writes the members `clock` and `meta`.
    func writeClock(_ clock: [UInt8], _ view: CollectionView, to writer: inout JSONWriter) {
        writer.key(HeartbeatEvent.clock)
        writer.raw(clock)
        writeMeta(view, to: &writer)
    }

    private func writeMeta(_ view: CollectionView, to writer: inout JSONWriter) {
        let served = context.served
        writer.key(HeartbeatEvent.meta)
        MetaText(view, served.catalog.revision, language: context.configuration.language, now: served.now)
            .write(now: served.now, to: &writer)
    }

    private static let emptyArray = Array("[]".utf8)
    /// The bounds of one line.
    private static let bounds = FeedBounds(entries: 256, bytes: 1 << 16)
    /// The time that one step may take; a longer one is tried again.
    private static let maxStep = Duration.seconds(10)
    /// The time after which a step that has failed is tried again.
    private static let retryInterval = Duration.seconds(1)
    /// The time for which steps are taken before what other threads have posted, in nanoseconds.
    private static let sliceLength: UInt64 = 4_000_000
}
