// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

public import ClaimsModel
public import ClaimsQuery
public import ClaimsSnapshot

/// The part of a collection that a rule of access shows a peer: some of its records, and some of their fields.
public struct ViewLimit: Sendable {
    /// The number of the rule, from 1.
    public let rule: Int
    /// The condition on the records that are shown, typed for the definition; nil: all of them.
    public let predicate: Predicate?
    /// The part of each field that is shown; nil: all of every field.
    public let sights: [FieldSight]?
    /// The definition as the peer sees it.
    public let definition: Definition
    /// The whole definition, for findings about records that the peer gets nothing of.
    public let whole: Definition
    /// The name that distinguishes it from others in clocks and cursors.
    public let name: String

    /// - Parameters:
    ///   - rule: its number, from 1.
    ///   - filters: the texts of filters, any of which selects a record, at least one; nil: all records.
    ///   - sights: the part of each field that is shown; nil: all of every field.
    /// - Throws: the mistake in a filter, which the definition in force should not have.
    public init(
        rule: Int, filters: [String]?, sights: [FieldSight]? = nil, of definition: Definition
    ) throws(FilterError) {
        var nodes: [FilterNode] = []
        for text in filters ?? [] { nodes.append(try FilterParser.parse(text)) }
        let filter = filters.map { _ in FilterNode.any(nodes) }
        self.rule = rule
        self.sights = sights
        whole = definition
        // The filters do not depend on the time.
        predicate = try filter?.typed(in: FilterContext(definition: definition, now: 0))
        self.definition =
            sights.map { definition.seen(through: $0, fieldsOf: { Self.fields(of: $0, definition) }) } ?? definition
        name = "\(rule): \(filter?.text ?? "")" + (sights.map { Self.text(of: $0, definition) } ?? "")
    }

    /// The names of the fields that a filter reads; all fields if the filter cannot be read.
    private static func fields(of filter: String, _ definition: Definition) -> [String] {
        guard let node = try? FilterParser.parse(filter) else { return definition.fields.map(\.name) }
        // Free text reads all fields that it is searched in.
        return node.terms.flatMap { term in
            term.field.map { [$0.name] } ?? definition.searchedFields.map { definition.fields[$0].name }
        }
    }

    private static func text(of sights: [FieldSight], _ definition: Definition) -> String {
        let parts = zip(sights, definition.fields).compactMap { sight, field -> String? in
            switch sight {
            case .whole: nil
            case .hidden: " -\(field.name)"
            // Another key makes other masked values.
            case .masked(let mask): " \(field.name)=\(mask.name)\(mask.shown(""))"
            }
        }
        return parts.joined()
    }
}

extension ViewLimit {
    /// Whether the record in a row of a snapshot is shown; false if that cannot be found out.
    public func shows(_ row: Int, of snapshot: Snapshot) -> Bool {
        guard let predicate else { return true }
        return (try? snapshot.matches(predicate, row: row)) ?? false
    }
}

/// The records of a collection that the author of a write, or of a decision about writes, sees.
public enum RecordSight: Sendable {
    case all
    case none
    case limited(ViewLimit)

    /// Decides what a user sees, by the definition that is in force at the commit.
    public typealias Judge = @Sendable (Definition) -> RecordSight

    /// Whether the user sees the collection at all.
    public var seesCollection: Bool { if case .none = self { false } else { true } }

    /// The definition in the form in which the user sees it.
    func definition(_ whole: Definition) -> Definition {
        if case .limited(let limit) = self { limit.definition } else { whole }
    }

    /// Whether the user sees a served record.
    func sees(_ record: ServedRecord) -> Bool {
        switch self {
        case .all: true
        case .none: false
        case .limited(let limit): limit.shows(record.row, of: record.snapshot)
        }
    }

    /// Whether the user sees a record in its future state.
    func sees(_ record: borrowing DecodedRecord, of definition: Definition) -> Bool {
        switch self {
        case .all: true
        case .none: false
        case .limited(let limit):
            if let predicate = limit.predicate {
                PredicateMatcher(predicate, definition: definition).matches(record)
            } else {
                true
            }
        }
    }
}
