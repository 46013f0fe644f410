// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsJSON
import ClaimsModel
import ClaimsProtocol
import ClaimsSnapshot
import ClaimsStore

extension FeedEngine {
    /// The tests of a feed at the two ends of a position's way.
    struct Tests {
        private(set) var start: FeedTest
        /// nil where it is the same as ``start``.
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

        /// Prepares to test about `count` served records by their rows, where that is cheaper than to decode them.
        mutating func prepareRows(
            _ call: Call, _ position: FeedPosition, forAbout count: Int, _ scratch: QueryScratch
        ) throws(QueryFailure) {
            guard let snapshot = call.view.snapshot else { return }
            try start.prepareRows(
                call.feed, at: position.time, of: snapshot, forAbout: count, scratch, call.budget)
            try end?.prepareRows(
                call.feed, at: position.target, of: snapshot, forAbout: count, scratch, call.budget)
        }
    }

    /// A change, and where its decoded records are kept.
    struct Source {
        let change: FeedChange
        /// nil where they are not kept.
        let kept: FeedWindows.Kept?
        /// The index of the change in its window.
        let index: Int
        /// The answers of the filter at the start, for the record as it was and as it is; nil where nobody has asked.
        var known: FeedCandidates.Candidate?
    }

    /// Writes the entry of one change, if there is one to write.
    ///
    /// - Parameter stamp: that of an evaluation; nil: that of the change. A record that time moves too is left to the
    ///   evaluation.
    func tell(
        _ source: Source, by tests: Tests, at position: FeedPosition, _ call: Call,
        stamp: FeedEntryWriter.Stamp? = nil, entries: inout FeedEntryWriter, to writer: inout JSONWriter
    ) throws(QueryFailure) -> Bool {
        let change = source.change
        let isForced = change.seq > position.forcedAfter
        let stampOfChange = FeedEntryWriter.Stamp(seq: change.seq, at: change.at, cause: change.cause.rawValue)
        if change.cause == .forget {
            guard stamp == nil else { return false }
            entries.writeRemoved(change, .gone, stampOfChange, wasMember: false, to: &writer)
            return true
        }
        var isMember = false
        // Whether the filter is true for the record now, at the start; nil where nobody has looked.
        var known: Bool?
        if let served = change.served, tests.start.takes(isArchived: change.isArchived) {
            if tests.end == nil, let answer = source.known {
                isMember = answer.isMatch
            } else {
                isMember = matches(served, tests.end ?? tests.start, call, source: source)
            }
            if stamp == nil, tests.end != nil, matches(served, tests.start, call, source: source) != isMember {
                return false
            }
            if stamp == nil || tests.end == nil { known = isMember }
        }
        let wasMember = wasMember(source, tests.start, call, now: known)
        // A reader may still hold what was erased.
        let isVoid = change.wasForgotten && stamp == nil
        guard isMember || wasMember || isForced || isVoid else { return false }
        let stamp = stamp ?? stampOfChange
        if isMember, let served = change.served {
            if wasMember { return entries.writeUpdated(change, served, stamp, isForced: isForced, to: &writer) }
            entries.writeAdded(change, served, stamp, to: &writer)
            return true
        }
        var reason = entries.reason(change)
        if change.served == nil {
            reason = try storing(call) { () throws(StoreError) in try log.absence(of: change.id, in: call.view) }
        }
        entries.writeRemoved(change, reason, stamp, wasMember: wasMember, to: &writer)
        return true
    }

    /// - Parameter now: whether the test is true for the record as it is now; nil where that is not known.
    private func wasMember(_ source: Source, _ test: FeedTest, _ call: Call, now: Bool?) -> Bool {
        let change = source.change
        guard change.before.isPresent, test.takes(isArchived: change.before.isArchived) else { return false }
        guard test.readsRecords else { return true }
        if let answer = source.known { return answer.wasMatch }
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
    private func matches(_ served: ListedRecord, _ test: FeedTest, _ call: Call, source: Source) -> Bool {
        if let rows = test.rows, let row = served.ownRow { return rows.contains(row) }
        return served.withDocument(of: call.view.snapshot) { document in
            matches(document, test, call, side: .now, of: source)
        } ?? false
    }

    /// Whether the filter is true for a document.
    ///
    /// - Parameter side: which end of the change the document is.
    private func matches(
        _ document: RawSpan, _ test: FeedTest, _ call: Call, side: FeedWindows.Side, of source: Source
    ) -> Bool {
        guard test.readsRecords else { return true }
        guard let kept = source.kept else { return decode(document, call, into: &record) && test.matches(record) }
        if let known = kept.record(side, source.index) { return test.matches(known) }
        var decoded = DecodedRecord()
        guard decode(document, call, into: &decoded) else { return false }
        kept.keep(decoded, side, source.index)
        return test.matches(decoded)
    }

    func decode(_ document: RawSpan, _ call: Call, into record: inout DecodedRecord) -> Bool {
        let definition = call.feed.definition
        let number = call.view.condition.row.number
        if decoder?.definition != definition.queryShape.whole || decoder?.collection != number {
            // Records that are kept for other feeds have all fields.
            let fields = windows.keepsRecords ? nil : call.feed.readFields
            decoder = (definition.queryShape.whole, number, ServedDecoder(definition, fields: fields))
        }
        return decoder?.decoder.decode(document, into: &record) ?? false
    }

    func refusing<Value>(_ body: () throws(RequestError) -> Value) throws(QueryFailure) -> Value {
        do throws(RequestError) { return try body() } catch { throw .refused(error) }
    }

    func storing<Value>(
        _ call: Call, _ body: () throws(StoreError) -> Value
    ) throws(QueryFailure) -> Value {
        do throws(StoreError) { return try body() } catch {
            throw .refused(RequestError(reading: error, collection: call.view.definition.name))
        }
    }
}
