// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsModel
import ClaimsProtocol
import ClaimsQuery
import ClaimsSnapshot
import ClaimsStore

/// Decodes records as they are served, so that predicates can be tested on them.
///
/// The result is the same as that of the upstream's record: a served member has its value, and `FIELD.raw` the value of
/// an enum as it came.
struct ServedDecoder {
    private var decoder: RecordDecoder
    private var tape = JSONTape()
    /// Whether records have their unsettled operations.
    private let hasPending: Bool

    /// - Parameter fields: the indexes of the fields that are decoded; nil for all. Others are absent.
    init(_ definition: Definition, fields: [Int]? = nil) {
        decoder = RecordDecoder(definition: Self.served(definition, fields))
        hasPending = definition.hasPendingField
    }

    /// Decodes a document; false if it is no record.
    mutating func decode(_ document: RawSpan, into record: inout DecodedRecord) -> Bool {
        guard (try? tape.parse(document, depth: RecordWriter.maxDepth)) != nil else { return false }
        guard decoder.decode(tape, document, into: &record) == .accepted else { return false }
        if hasPending { record.pending = pendingState(of: document) }
        return true
    }

    /// The state in the member `pending` of a document, which is on the tape; nil if there is none.
    private func pendingState(of document: RawSpan) -> PendingState? {
        guard let mark = tape.member(PendingMember.nameBytes, of: 0, in: document),
            let node = tape.member("state", of: mark, in: document)
        else { return nil }
        var text: [UInt8] = []
        tape.appendString(node, in: document, to: &text)
        return PendingState(rawValue: String(decoding: text, as: UTF8.self))
    }

    /// A definition whose upstream objects are the documents that `definition` serves.
    private static func served(_ definition: Definition, _ decoded: [Int]?) -> Definition {
        let fields = definition.fields.enumerated().map { index, field in
            var served = field
            let names = field.type == .enum ? ["\(field.name).raw", field.name] : [field.name]
            let isDecoded = index == definition.idField || decoded?.contains(index) ?? true
            served.from = isDecoded ? names.map { JSONPointer(tokens: [Array($0.utf8)]) } : []
            served.isRequired = false
            return served
        }
        return Definition(
            name: definition.name, source: Source(), fields: fields,
            vocabularies: definition.vocabularies)
    }
}

/// The test of whether a record belongs to the set of a feed, with the filter as it is at one time.
struct FeedTest: Sendable {
    private let archived: ArchivedMode
    /// nil if every record matches.
    private let matcher: PredicateMatcher?
    /// The same test on the rows of the snapshot that is served; nil if records are decoded for it.
    private(set) var rows: PreparedPredicate?

    /// - Parameter matchers: the matchers that are made already.
    init(_ feed: Feed, at time: Int64, _ matchers: inout FeedMatchers) throws(RequestError) {
        archived = feed.archived
        matcher = try matchers.matcher(of: feed, at: time)
    }

    /// Prepares to test about `count` served records by their rows, if that is cheaper than to decode them.
    mutating func prepareRows(
        _ feed: Feed, at time: Int64, of snapshot: Snapshot, forAbout count: Int, _ scratch: QueryScratch,
        _ budget: QueryBudget
    ) throws(QueryFailure) {
        guard readsRecords else { return }
        let predicate: Predicate
        do throws(RequestError) { predicate = try feed.predicate(at: time) } catch { throw .refused(error) }
        do throws(QueryInterruption) {
            rows = try snapshot.prepare(predicate, forAbout: count, scratch: scratch, budget: budget)
        } catch {
            throw .interrupted(error)
        }
    }

    /// Whether the answer depends on the record's values.
    var readsRecords: Bool { matcher != nil }

    /// Whether the set may hold records that are archived, or not.
    func accepts(isArchived: Bool) -> Bool {
        switch archived {
        case .exclude: !isArchived
        case .only: isArchived
        case .include: true
        }
    }

    /// The indexes of the fields on which the answer depends.
    var fields: [Int] { matcher?.fields ?? [] }

    /// Whether the answer depends on the record's unsettled operations.
    private var readsPending: Bool { matcher?.readsPending ?? false }

    /// Whether a record has the same answer now as before a change, as no field differs that the filter reads.
    func isUnmoved(by change: RecordUndo) -> Bool {
        change.isFromServed
            && !change.members.contains { member in
                member.field.map { fields.contains($0.index) } ?? (readsPending && change.isPending(member))
            }
    }

    /// Whether the filter is true for a record.
    func matches(_ record: borrowing DecodedRecord) -> Bool { matcher?.matches(record) ?? true }
}

/// The matchers of the feeds that have work now, made once for all their steps.
///
/// A feed that waits for changes keeps none: the matcher of a long filter needs more memory than the rest of its
/// subscription.
struct FeedMatchers {
    /// A feed resolved by a definition.
    private struct Key: Hashable {
        let feed: UInt64
        /// The rule that leaves out records, because a client can find a filter with a given hash.
        let limit: String?
        let definition: UInt64
    }

    private var matchers: [Key: PredicateMatcher] = [:]

    /// The number of matchers that are kept.
    static let maxCount = 1_024

    /// The matcher of a feed at a time, in milliseconds since 1970; nil if every record matches.
    ///
    /// - Throws: the error of a filter that the definition does not accept any more.
    mutating func matcher(of feed: Feed, at time: Int64) throws(RequestError) -> PredicateMatcher? {
        guard feed.isFiltered else { return nil }
        // Filters that depend on time have another one at each evaluation.
        if feed.dependsOnTime { return PredicateMatcher(try feed.predicate(at: time), definition: feed.definition) }
        let key = Key(feed: feed.hash, limit: feed.limit?.name, definition: feed.definition.queryShape.whole)
        if let known = matchers[key] { return known }
        let matcher = PredicateMatcher(try feed.predicate(at: time), definition: feed.definition)
        if matchers.count >= Self.maxCount { matchers.removeAll(keepingCapacity: true) }
        matchers[key] = matcher
        return matcher
    }
}
