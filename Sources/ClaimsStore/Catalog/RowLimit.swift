// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

public import ClaimsModel
public import ClaimsQuery
public import ClaimsSnapshot

/// The part of a collection's records that a rule of access shows a peer.
public struct RowLimit: Sendable {
    /// The number of the rule, from 1.
    public let rule: Int
    /// The filter that selects the records.
    public let filter: FilterNode
    /// The same, typed for the definition.
    public let predicate: Predicate

    /// The name that tells it from others in clocks and cursors.
    public var name: String { "\(rule): \(filter.text)" }

    /// - Parameters:
    ///   - rule: its number, from 1.
    ///   - filters: the texts of filters, any of which selects a record; at least one.
    /// - Throws: the mistake in a filter, which the definition in force should not have.
    public init(rule: Int, filters: [String], of definition: Definition) throws(FilterError) {
        var nodes: [FilterNode] = []
        for text in filters { nodes.append(try FilterParser.parse(text)) }
        self.rule = rule
        filter = .any(nodes)
        // Nothing in them depends on the time.
        predicate = try filter.typed(in: FilterContext(definition: definition, now: 0))
    }
}

extension CollectionView {
    /// The collection as a peer sees it whose rule leaves out records: these are in no list, and answered by no id.
    public func limited(to limit: RowLimit, _ sets: RowSets) -> CollectionView {
        CollectionView(self, limit) { sets.rows(of: $0, without: limit.predicate) }
    }
}

/// The records of a collection that somebody sees who writes, or decides about writes.
public enum RecordSight: Sendable {
    case all
    case none
    case limited(RowLimit)

    /// Tells what somebody sees, by the definition that is in force at the commit.
    public typealias Judge = @Sendable (Definition) -> RecordSight

    /// Whether there is such a collection.
    public var seesCollection: Bool { if case .none = self { false } else { true } }

    /// Whether a record that is served is seen.
    func sees(_ record: ServedRecord) -> Bool {
        switch self {
        case .all: true
        case .none: false
        case .limited(let limit): (try? record.snapshot.matches(limit.predicate, row: record.row)) ?? false
        }
    }

    /// Whether a record is seen as it will be.
    func sees(_ record: borrowing DecodedRecord, of definition: Definition) -> Bool {
        switch self {
        case .all: true
        case .none: false
        case .limited(let limit): PredicateMatcher(limit.predicate, definition: definition).matches(record)
        }
    }
}
