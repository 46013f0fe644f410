// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsJSON
import ClaimsModel
import ClaimsPlatform
import ClaimsProtocol
import ClaimsQuery
import ClaimsSnapshot
import ClaimsStore

/// The outcome of one step of readers of equal progress.
struct FeedStep {
    /// The progress after the step.
    var progress: FeedProgress
    /// The lines for all of them, and whether each has a clock.
    var lines: [(text: [UInt8], hasClock: Bool)] = []
    /// The records of the lines, if the collection is journaled.
    var shown = ShownIDs()
    /// The clock of what the readers hold then; nil if they are not at rest.
    var clock: [UInt8]?
    /// Whether another step follows.
    var goesOn = false

    init(progress: FeedProgress) {
        self.progress = progress
    }
}

/// Makes event lines from the current catalog and the log of changes. Confined to the hub's thread.
///
/// A line here is one without the number of the subscription, which each connection puts before it: equal feeds share
/// it.
struct EventWriter {
    /// The catalog, and the buffers for queries.
    private var context: QueryContext
    private var log: FeedLog?

    init(_ context: QueryContext) {
        self.context = context
        showAll()
    }

    /// Shows all collections, because the dispatcher checks what the peer of each subscription sees.
    private func showAll() { context.served.showAll() }

    var served: ServedCatalog { context.served }
    var revision: Revision { context.served.catalog.revision }
    var limits: ServingLimits { context.configuration.limits }

    /// Takes another configuration into use, with its context.
    mutating func reconfigure(_ context: QueryContext) {
        self.context = context
        showAll()
    }

    // MARK: - Feeds

    /// Makes one step with readers of equal progress: one line at most, and the last one of a way has two.
    ///
    /// - Throws: the error of state.db, or of a query that took too long; nothing is made then.
    mutating func step(
        from start: FeedProgress, of group: FeedGroup, in view: CollectionView, _ collection: FeedCollection
    ) throws(QueryFailure) -> FeedStep {
        var entries = JSONWriter()
        entries.beginArray()
        let piece = try advance(start.position, of: group, in: view, collection, to: &entries)
        var total: Int?
        if piece.fresh == nil, piece.position.isAtRest, start.stage != .live {
            total = try self.total(of: group.feed, at: piece.position, in: view)
        }
        entries.endArray()
        var step = FeedStep(progress: start)
        step.progress.position = piece.position
        step.shown = piece.shown
        if let reason = piece.fresh {
            step.progress.stage = .set(reason: reason)
            step.progress.isOpen = false
        } else {
            writeLines(of: &step, piece.entries > 0 ? entries.bytes : nil, total: total, group.feed, view)
        }
        let hasMoved = piece.position != start.position || piece.fresh != nil
        let isAtEnd =
            piece.position.isAtRest && piece.position.since >= view.changedSeq
            && (!group.feed.dependsOnTime || piece.position.time == group.time)
        // Without a snapshot nothing moves until there is one.
        step.goesOn = (hasMoved || piece.isUnfinished) && !isAtEnd
        return step
    }

    /// Makes the lines of a piece.
    ///
    /// - Parameters:
    ///   - entries: the entries, as an array; nil if there are none.
    ///   - total: the number of records of the set, if the piece ends it.
    private func writeLines(
        of step: inout FeedStep, _ entries: [UInt8]?, total: Int?, _ feed: Feed, _ view: CollectionView
    ) {
        let isAtRest = step.progress.position.isAtRest
        let isSet = if case .set = step.progress.stage { true } else { false }
        let completes = isAtRest && !isSet && (entries != nil || step.progress.isOpen)
        let clock = isAtRest ? clock(of: feed, at: step.progress.position) : []
        if entries != nil || completes {
            step.lines.append((changes(entries, completeAt: completes ? clock : nil, feed, view), hasClock: completes))
            step.progress.isOpen = !completes && !isSet
        }
        guard isAtRest else { return }
        step.clock = clock
        guard let total else { return }
        step.progress.stage = .live
        step.lines.append((synced(total: total, at: clock, feed, view), hasClock: true))
    }

    /// Advances a position by one piece.
    ///
    /// - Parameter writer: receives the entries as elements of an array that the caller has begun.
    private mutating func advance(
        _ position: FeedPosition, of group: FeedGroup, in view: CollectionView, _ collection: FeedCollection,
        to writer: inout JSONWriter
    ) throws(QueryFailure) -> FeedPiece {
        let call = FeedCall(
            feed: group.feed, view: view, revision: revision, bounds: Self.bounds,
            budget: QueryBudget(limit: Self.maxStep), origin: collection.origin)
        let engine = try QueryFailure.reading(collection.name) { () throws(StoreError) -> FeedEngine in
            try self.engine(of: collection)
        }
        return try engine.advance(position, call, now: group.time, to: &writer)
    }

    /// The engine of a collection.
    ///
    /// - Throws: the error of opening state.db.
    private mutating func engine(of collection: FeedCollection) throws(StoreError) -> FeedEngine {
        if let engine = collection.engine { return engine }
        let log: FeedLog
        if let known = self.log { log = known } else { log = FeedLog(try context.changeLog()) }
        self.log = log
        let engine = FeedEngine(log, scratch: context.scratch)
        collection.engine = engine
        return engine
    }

    /// The number of records of the set that a reader at rest holds.
    ///
    /// - Throws: the error of a filter that the definition does not accept any more; the next catalog ends the feed.
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
        feed.clock(at: position, revision.epoch, FeedClockCodec(key: context.configuration.cursorKey))
    }

    // MARK: - Lines

    /// A line with changes.
    ///
    /// - Parameters:
    ///   - changes: the entries, as an array; nil if there are none.
    ///   - clock: the clock, if the line completes the changes up to it.
    private func changes(
        _ changes: [UInt8]?, completeAt clock: [UInt8]?, _ feed: Feed, _ view: CollectionView
    ) -> [UInt8] {
        Self.line(.changes) { writer in
            writer.key(ChangesEvent.changes)
            writer.raw(changes ?? Self.emptyArray)
            guard let clock else { return }
            writer.member(ChangesEvent.complete, true)
            writeClock(clock, of: feed, view, to: &writer)
        }
    }

    /// The line that a reader holds the whole set.
    private func synced(total: Int, at clock: [UInt8], _ feed: Feed, _ view: CollectionView) -> [UInt8] {
        Self.line(.synced) { writer in
            writer.member(SyncedEvent.total, total)
            writeClock(clock, of: feed, view, to: &writer)
        }
    }

    /// The line about a refresh of a collection, or about its freshness.
    ///
    /// - Parameters:
    ///   - language: the language of messages; nil for the language of the settings.
    ///   - isLimited: whether a rule leaves out records for the reader.
    func state(_ news: StateNews, in language: String?, isLimited: Bool, _ view: CollectionView) -> [UInt8] {
        Self.line(.state) { writer in
            writer.member(StateEvent.change, news.change)
            if let site = news.site { writer.member(StateEvent.site, site) }
            writeMeta(view, in: language, isLimited: isLimited, to: &writer)
        }
    }

    func heartbeat(_ clock: [UInt8], of feed: Feed, _ view: CollectionView) -> [UInt8] {
        Self.line(.heartbeat) { writer in writeClock(clock, of: feed, view, to: &writer) }
    }

    /// The line that a fresh set begins.
    static func freshInstance(_ reason: FreshReason) -> [UInt8] {
        line(.freshInstance) { $0.member(FreshInstanceEvent.reason, reason.rawValue) }
    }

    /// The last line of a subscription that has ended with an error.
    ///
    /// - Parameter language: the language of messages; nil for the language of the settings.
    func ended(_ error: RequestError, in language: String?) -> [UInt8] {
        let language = language ?? context.configuration.language
        return Self.line(.ended) { writer in
            writer.key(EndedEvent.error)
            error.write(in: language, to: &writer)
        }
    }

    /// The last line of a subscription whose peer reads nothing.
    ///
    /// - Parameter clock: the clock of what the client holds; nil within a set.
    static func lagged(_ clock: [UInt8]?) -> [UInt8] {
        line(.lagged) { writer in
            writer.key(LaggedEvent.clock)
            if let clock { writer.raw(clock) } else { writer.null() }
        }
    }

    /// Makes a line: the members of `params` after the number, and the ends of the objects.
    ///
    /// - Parameter body: writes the members of this kind of event.
    private static func line(_ kind: EventKind, _ body: (inout JSONWriter) -> Void) -> [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.member(EventNotification.type, kind.rawValue)
        body(&writer)
        writer.endObject()
        writer.endLine()
        // The object continues an object that begins with the number: a comma replaces its brace.
        var bytes = writer.bytes
        bytes[0] = ASCII.comma
        return bytes
    }

    /// Writes the members `clock` and `meta`.
    private func writeClock(_ clock: [UInt8], of feed: Feed, _ view: CollectionView, to writer: inout JSONWriter) {
        writer.key(HeartbeatEvent.clock)
        writer.raw(clock)
        writeMeta(view, in: feed.language, isLimited: feed.limit != nil, to: &writer)
    }

    private func writeMeta(
        _ view: CollectionView, in language: String?, isLimited: Bool, to writer: inout JSONWriter
    ) {
        writer.key(HeartbeatEvent.meta)
        let language = language ?? context.configuration.language
        MetaText(view, revision, language: language, now: served.now, isLimited: isLimited)
            .write(now: served.now, to: &writer)
    }

    private static let emptyArray = Array("[]".utf8)
    /// The bounds of one line.
    private static let bounds = FeedBounds(entries: 256, bytes: 1 << 16)
    /// The maximal time of one step; a longer step is tried again.
    private static let maxStep = Duration.seconds(10)
}

/// The lines about one piece of news of a collection: equal for subscriptions of one language that see as much.
struct StateLines {
    private struct Kind: Hashable {
        let language: String?
        let isLimited: Bool
    }

    private let news: StateNews
    private let view: CollectionView
    private var lines: [Kind: [UInt8]] = [:]

    init(_ news: StateNews, of view: CollectionView) {
        self.news = news
        self.view = view
    }

    /// The line for a subscription to a feed.
    mutating func line(for feed: Feed, by writer: borrowing EventWriter) -> [UInt8] {
        let kind = Kind(language: feed.language, isLimited: feed.limit != nil)
        if let line = lines[kind] { return line }
        let line = writer.state(news, in: kind.language, isLimited: kind.isLimited, view)
        lines[kind] = line
        return line
    }
}
