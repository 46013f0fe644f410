// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsModel
import ClaimsProtocol
import ClaimsQuery
import ClaimsSnapshot
import ClaimsStore

/// `changes`: writes one page of how the sets of a feed have changed.
struct ChangesOperation: QueryOperation {
    let request: FeedRequest
    let collection: String?
    let since: String?
    let cursor: String?
    let limit: Int
    let language: String?
    let timeout: Duration
    let peer: Peer

    func run(_ context: QueryContext, budget: QueryBudget, to writer: inout JSONWriter) throws(QueryFailure) {
        let targets: FeedTargets
        var page: ChangesPage
        do throws(RequestError) {
            targets = try FeedTargets(request, collection: collection, language: language, context.served)
            page = try ChangesPage(self, targets, context)
        } catch {
            throw .refused(error)
        }
        let log = try QueryFailure.reading(collection ?? "") { () throws(StoreError) in try context.changeLog() }
        let engine = FeedEngine(FeedLog(log), scratch: context.scratch, isForMany: false)
        writer.beginObject()
        writer.key(ChangesResult.changes)
        writer.beginArray()
        try page.collect(engine, context, budget: budget, to: &writer)
        writer.endArray()
        writer.key(ChangesResult.meta)
        if collection != nil, let target = targets.targets.first {
            context.served.writeMeta(target.view, language: language, to: &writer)
        } else {
            SpanningMetaWriter.write(
                targets.targets.map(\.view), skipped: targets.skipped, language: language, context.served, to: &writer)
        }
        page.writeEnd(to: &writer)
        writer.endObject()
        for (target, shown) in zip(targets.targets, page.shown) {
            peer.record(Look(.changes, shown: shown), of: target.view.definition)
        }
    }
}

/// One page of changes: goes from collection to collection until it is full.
private struct ChangesPage {
    private let targets: FeedTargets
    private let codec: FeedClockCodec
    private let revision: Revision
    private let limit: Int
    /// The hash of the request, for cursors.
    private let request: UInt64
    /// The time for which the filters are typed at the end, in milliseconds since 1970.
    private let time: Int64
    /// One for each target.
    private var positions: [FeedPosition] = []
    /// The records of the entries of journaled collections, one element for each target.
    private(set) var shown: [ShownIDs] = []
    /// The reasons of the sets that begin on this page, by collection.
    private var reasons: [(collection: String, reason: FreshReason)] = []

    /// The number of bytes of the answer's bound that are kept for the members after the entries.
    private static let summaryBytes = 1 << 16

    init(
        _ operation: ChangesOperation, _ targets: FeedTargets, _ context: QueryContext
    ) throws(RequestError) {
        self.targets = targets
        codec = FeedClockCodec(key: context.configuration.cursorKey)
        revision = context.served.catalog.revision
        limit = operation.limit
        request = try operation.request.hash(usesDays: targets.targets.contains { $0.feed.times.usesDays })
        if let text = operation.cursor {
            let cursor = try codec.cursor(text)
            guard cursor.request == request, (cursor.names == nil) == (targets.names == nil),
                targets.names != nil || cursor.parts.first?.collection == targets.targets.first?.view.definition.name
            else { throw Self.otherFeed }
            time = cursor.time
            go(on: cursor)
        } else {
            time = context.served.now
            let since = try operation.since.map { text throws(RequestError) in
                try codec.since(text, epoch: context.served.catalog.revision.epoch)
            }
            begin(since ?? .nothing)
        }
    }

    private static let otherFeed = RequestError(
        .badCursor,
        TranslatedText(en: "this cursor belongs to another feed", pl: "ten kursor należy do innego zapytania"),
        hint: TranslatedText(
            en: "send it with the parameters of the page before, or begin again from the last clock, in since",
            pl: "wyślij go z parametrami poprzedniej strony albo zacznij ponownie od ostatniego zegara, w since"))

    private mutating func begin(_ since: FeedStart.Since) {
        let start = FeedStart(since: since, names: targets.names)
        for target in targets.targets {
            let reason = start.reason(
                hash: targets.hash, dependsOnTime: target.feed.dependsOnTime, isLimited: target.feed.limit != nil,
                in: target.view,
                revision: revision)
            if let reason {
                add(reason, target)
            } else if case .clock(let clock) = since {
                let time = target.feed.dependsOnTime ? clock.bound?.time ?? time : 0
                positions.append(.rest(at: clock.revision.seq, time: time))
            } else {
                positions.append(.rest(at: revision.seq, time: target.feed.dependsOnTime ? time : 0))
            }
        }
    }

    private mutating func go(on cursor: FeedCursor) {
        for target in targets.targets {
            let part = cursor.parts.first { $0.collection == target.view.definition.name }
            if cursor.epoch != revision.epoch {
                add(.epoch, target)
            } else if cursor.names != targets.names {
                add(.definition, target)
            } else if let part, part.feed == target.feed.hash {
                positions.append(part.position)
            } else {
                add(part == nil ? .start : .filter, target)
            }
        }
    }

    private mutating func add(_ reason: FreshReason, _ target: FeedTargets.Target) {
        positions.append(.set(at: revision.seq, time: target.feed.dependsOnTime ? time : 0))
        reasons.append((target.view.definition.name, reason))
    }

    /// Writes the entries of the page as elements of an array that the caller has begun.
    mutating func collect(
        _ engine: FeedEngine, _ context: QueryContext, budget: QueryBudget, to writer: inout JSONWriter
    ) throws(QueryFailure) {
        var left = FeedBounds(
            entries: limit, bytes: max(BufferBudget.share, context.maxAnswerBytes - Self.summaryBytes))
        let begin = writer.bytes.count
        shown = targets.targets.map { _ in ShownIDs() }
        for (index, target) in targets.targets.enumerated() {
            let start = writer.bytes.count
            var written = 0
            while left.rows > 0 {
                var bounds = left
                bounds.entries -= written
                bounds.bytes -= writer.bytes.count - start
                let call = FeedCall(
                    feed: target.feed, view: target.view.whole, revision: revision, bounds: bounds, budget: budget)
                let piece = try engine.advance(positions[index], call, now: time, to: &writer)
                positions[index] = piece.position
                left.rows -= piece.rows
                written += piece.entries
                shown[index].append(piece.shown)
                guard let reason = piece.fresh else { break }
                // The client drops the records that it holds, and the entries that this page has of the collection so
                // far.
                Self.removeEntries(from: start, of: &writer, begin: begin)
                written = 0
                shown[index].removeAll()
                reasons.append((target.view.definition.name, reason))
            }
            left.entries -= written
            left.bytes -= writer.bytes.count - start
        }
    }

    /// Removes the entries from an offset on. Those before it, from `begin` on, are of other collections and stay.
    private static func removeEntries(from start: Int, of writer: inout JSONWriter, begin: Int) {
        let others = Array(writer.bytes[begin..<start])
        writer.removeAll(after: begin)
        // The next entry is written after a comma, if there is one before it.
        if !others.isEmpty { writer.raw(others) }
    }

    /// Writes the members that follow `meta`.
    func writeEnd(to writer: inout JSONWriter) {
        let isComplete = positions.allSatisfy { $0.isAtRest }
        writer.member(ChangesResult.more, !isComplete)
        if isComplete {
            let bound = FeedClock.Bound(
                feed: targets.hash, time: targets.dependsOnTime ? time : nil, names: targets.names)
            writer.member(ChangesResult.clock, codec.encode(FeedClock(revision: revision, bound: bound)))
        } else {
            let parts = zip(targets.targets, positions).map { target, position in
                FeedCursor.Part(
                    collection: target.view.definition.name, feed: target.feed.hash, position: position)
            }
            let cursor = FeedCursor(
                request: request, epoch: revision.epoch, names: targets.names, time: time, parts: parts)
            writer.member(ChangesResult.next, codec.encode(cursor))
        }
        guard !reasons.isEmpty else { return }
        writer.member(ChangesResult.freshInstance, true)
        writer.key(ChangesResult.reasons)
        writer.beginObject()
        for (collection, reason) in reasons {
            writer.key(collection)
            writer.string(reason.rawValue)
        }
        writer.endObject()
    }
}

/// The collections that a request for changes covers, with the feed of each.
struct FeedTargets: Sendable {
    struct Target: Sendable {
        let view: CollectionView
        let feed: Feed
    }

    /// The collections that have data, in the order of their names.
    private(set) var targets: [Target] = []
    /// The collections that were left out, if the request names none.
    private(set) var skipped: [SkippedCollection] = []
    /// The hash of the names of all that the feed fits; nil if the request names its collection.
    private(set) var names: UInt64?
    /// The hash that clocks of the feed have.
    private(set) var hash: UInt64 = 0

    /// Finds the collections of a request.
    ///
    /// - Parameters:
    ///   - collection: its name; nil for all that the feed fits.
    ///   - language: the language of texts for people; nil for the language of the settings.
    /// - Throws: `bad_params`, `bad_filter`, `unknown_collection` or `no_data`.
    init(
        _ request: FeedRequest, collection: String?, language: String?, _ served: ServedCatalog
    ) throws(RequestError) {
        if let collection {
            let view = try served.view(named: collection)
            let feed = try Feed(request, of: view.definition, within: view.limit)
            try Self.requireSet(view, language, served)
            targets = [Target(view: view, feed: feed)]
            hash = feed.hash
        } else {
            try span(request, language, served)
        }
    }

    private mutating func span(
        _ request: FeedRequest, _ language: String?, _ served: ServedCatalog
    ) throws(RequestError) {
        var firstError: RequestError?
        var names = QueryHash()
        var feeds = QueryHash()
        var usesDays = false
        for view in served.catalog.views {
            do throws(RequestError) {
                let feed = try Feed(request, of: view.definition, within: view.limit, namesCollection: true)
                // Its data begins with a whole commit, at which its set begins. Data that cannot be read now
                // comes back without one, and so does data that is withheld.
                let isWithheld = view.isWithheld(now: served.now)
                if !isWithheld, view.snapshot != nil || !view.condition.row.hasData {
                    names.add(view.definition.name)
                    feeds.add(feed.hash)
                    usesDays = usesDays || feed.times.usesDays
                }
                try Self.requireSet(view, language, served)
                targets.append(Target(view: view, feed: feed))
            } catch {
                skipped.append(SkippedCollection(view, because: error, language: language, served))
                if error.kind != .noData, firstError == nil { firstError = error }
            }
        }
        if let firstError, skipped.count == served.catalog.views.count { throw firstError }
        if let names = request.fieldNames { try requireKnown(names, request, served) }
        self.names = names.value
        hash = (try request.hash(usesDays: usesDays) & ~0xFFFF_FFFF) | (feeds.value >> 32)
    }

    /// A collection without data has a set once it was written to: a reader that got pending records also gets their
    /// end.
    private static func requireSet(
        _ view: CollectionView, _ language: String?, _ served: ServedCatalog
    ) throws(RequestError) {
        if view.definition.hasPendingField, !view.condition.row.hasData, view.changedSeq > 0 { return }
        _ = try served.rows(of: view, language: language)
    }

    /// A field must be one of some collection.
    private func requireKnown(
        _ names: [String], _ request: FeedRequest, _ served: ServedCatalog
    ) throws(RequestError) {
        for name in names where !targets.contains(where: { $0.feed.definition.fieldIndex(name) != nil }) {
            for target in targets {
                _ = try FieldList.indexes([name], of: target.feed.definition, parameter: PageParameters.fields)
            }
        }
    }

    /// Whether the feed of some collection depends on time.
    var dependsOnTime: Bool { targets.contains { $0.feed.dependsOnTime } }
}
