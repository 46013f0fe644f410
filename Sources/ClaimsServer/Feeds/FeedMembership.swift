// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsJSON
import ClaimsModel
import ClaimsProtocol
import ClaimsQuery
import ClaimsSnapshot
import ClaimsStore

/// The bounds of one call of ``FeedEngine``.
struct FeedBounds: Sendable {
    /// The number of entries.
    var entries: Int
    /// The size of the entries at which no further entry begins, in bytes.
    var bytes: Int
    /// The number of rows of the log that are read.
    var rows: Int = FeedLog.maxRows
}

/// The parts of a call of ``FeedEngine`` that stay the same.
struct FeedCall {
    let feed: Feed
    let view: CollectionView
    /// The revision of the catalog that `view` is from.
    let revision: Revision
    let bounds: FeedBounds
    let budget: QueryBudget
    /// The view from which the readers come. With it, queries find the few changes among many that concern the feed;
    /// nil: the changes are tested one by one.
    var origin: FeedOrigin?

    /// Calls `body`, and refuses the request with the error of the store.
    func storing<Value>(_ body: () throws(StoreError) -> Value) throws(QueryFailure) -> Value {
        try QueryFailure.reading(view.definition.name, body)
    }

    /// The filter of the feed at a time, in milliseconds since 1970.
    func predicate(at time: Int64) throws(QueryFailure) -> Predicate {
        do throws(RequestError) { return try feed.predicate(at: time) } catch { throw .refused(error) }
    }
}

/// The tests of a feed at the two times between which a position moves.
struct FeedTests {
    private(set) var start: FeedTest
    /// nil if it is the same as ``start``.
    private(set) var end: FeedTest?

    init(_ feed: Feed, _ position: FeedPosition, _ matchers: inout FeedMatchers) throws(QueryFailure) {
        do throws(RequestError) {
            start = try FeedTest(feed, at: position.time, &matchers)
            let isMoving = position.time != position.target
            end = isMoving ? try FeedTest(feed, at: position.target, &matchers) : nil
        } catch {
            throw QueryFailure.refused(error)
        }
    }

    /// Prepares to test about `count` served records by their rows, if that is cheaper than to decode them.
    mutating func prepareRows(
        _ call: FeedCall, _ position: FeedPosition, forAbout count: Int, _ scratch: QueryScratch
    ) throws(QueryFailure) {
        guard let snapshot = call.view.snapshot else { return }
        try start.prepareRows(call.feed, at: position.time, of: snapshot, forAbout: count, scratch, call.budget)
        try end?.prepareRows(call.feed, at: position.target, of: snapshot, forAbout: count, scratch, call.budget)
    }
}

/// A change, and the location of its decoded records.
struct FeedSource {
    let change: FeedChange
    /// nil if they are not kept.
    let kept: FeedWindows.Kept?
    /// The index of the change in its window.
    let index: Int
    /// The answers of the filter at the start, for the record as it was and as it is; nil if they are not known.
    var known: FeedCandidates.Candidate?
}

/// Whether records belong to the set of a feed, as they were and as they are. Its memory is made to be reused.
///
/// Not shared between threads.
struct FeedMembership {
    /// The answers about one change.
    struct Answer {
        var isMember = false
        var wasMember = false
        /// Whether time moves the record too, so that it is left to the evaluation.
        var isMovedByTime = false
    }

    /// Whether decoded records are kept for further feeds.
    private let keepsRecords: Bool
    private var decoder: (definition: UInt64, collection: Int64, decoder: ServedDecoder)?
    private var record = DecodedRecord()
    private var tape = JSONTape()

    init(keepsRecords: Bool) {
        self.keepsRecords = keepsRecords
    }

    /// The answers about a change.
    ///
    /// - Parameter isEvaluation: whether time is the cause of the entry, and not the change.
    mutating func answer(
        _ source: FeedSource, by tests: FeedTests, _ call: FeedCall, isEvaluation: Bool
    ) -> Answer {
        let change = source.change
        var answer = Answer()
        // Whether the filter is true for the record now, at the start; nil if that was not tested.
        var known: Bool?
        if let served = change.served, tests.start.accepts(isArchived: change.isArchived) {
            if tests.end == nil, let candidate = source.known {
                answer.isMember = candidate.isMatch
            } else {
                answer.isMember = matches(served, tests.end ?? tests.start, call, source: source)
            }
            if !isEvaluation, tests.end != nil {
                answer.isMovedByTime = matches(served, tests.start, call, source: source) != answer.isMember
                if answer.isMovedByTime { return answer }
            }
            if !isEvaluation || tests.end == nil { known = answer.isMember }
        }
        answer.wasMember = wasMember(source, tests.start, call, now: known)
        return answer
    }

    /// Whether time alone moves a record into the filter or out of it.
    mutating func isCrossed(_ served: ListedRecord, by tests: FeedTests, _ call: FeedCall) -> Bool {
        let isDecoded = served.withDocument(of: call.view.snapshot) { decode($0, call) }
        guard let end = tests.end, isDecoded ?? false else { return false }
        return tests.start.matches(record) != end.matches(record)
    }

    /// - Parameter now: whether the test is true for the record as it is now; nil if that is not known.
    private mutating func wasMember(
        _ source: FeedSource, _ test: FeedTest, _ call: FeedCall, now: Bool?
    ) -> Bool {
        let change = source.change
        guard change.before.isPresent, test.accepts(isArchived: change.before.isArchived) else { return false }
        guard test.readsRecords else { return true }
        if let candidate = source.known { return candidate.wasMatch }
        if let served = change.served, test.isUnmoved(by: change.before) {
            return now ?? matches(served, test, call, source: source)
        }
        if let document = change.documentBefore(call.view.snapshot, &tape) {
            return matches(document.rawSpan, test, call, side: .before, of: source)
        }
        guard let served = change.served else { return false }
        return matches(served, test, call, source: source)
    }

    /// Whether the filter is true for a record as it is now.
    private mutating func matches(
        _ served: ListedRecord, _ test: FeedTest, _ call: FeedCall, source: FeedSource
    ) -> Bool {
        if let rows = test.rows, let row = served.ownRow { return rows.contains(row) }
        return served.withDocument(of: call.view.snapshot) { document in
            matches(document, test, call, side: .now, of: source)
        } ?? false
    }

    /// Whether the filter is true for a document.
    ///
    /// - Parameter side: which end of the change the document is.
    private mutating func matches(
        _ document: RawSpan, _ test: FeedTest, _ call: FeedCall, side: FeedWindows.Side, of source: FeedSource
    ) -> Bool {
        guard test.readsRecords else { return true }
        guard let kept = source.kept else { return decode(document, call) && test.matches(record) }
        if let known = kept.record(side, source.index) { return test.matches(known) }
        prepareDecoder(call)
        var decoded = DecodedRecord()
        guard decoder?.decoder.decode(document, into: &decoded) ?? false else { return false }
        kept.keep(decoded, side, source.index)
        return test.matches(decoded)
    }

    /// Decodes a document into ``record``.
    private mutating func decode(_ document: RawSpan, _ call: FeedCall) -> Bool {
        prepareDecoder(call)
        return decoder?.decoder.decode(document, into: &record) ?? false
    }

    private mutating func prepareDecoder(_ call: FeedCall) {
        let definition = call.feed.recordDefinition
        let number = call.view.condition.row.number
        if decoder?.definition == definition.queryShape.whole, decoder?.collection == number { return }
        // Records that are kept for other feeds have all fields.
        let fields = keepsRecords ? nil : call.feed.readFields
        decoder = (definition.queryShape.whole, number, ServedDecoder(definition, fields: fields))
    }
}
