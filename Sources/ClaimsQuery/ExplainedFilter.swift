// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel

/// A filter with the predicate of each of its parts, for explanations.
///
/// ```swift
/// let explained = try node.explained(in: context)
/// explained.predicate                             // equals `node.typed(in: context)`
/// ```
public indirect enum ExplainedFilter: Sendable {
    case and([ExplainedFilter])
    case or([ExplainedFilter])
    case not(ExplainedFilter)
    case term(ExplainedTerm)

    /// The predicate of the whole part. `and` of nothing is true.
    public var predicate: Predicate { combined.simplified }

    private var combined: Predicate {
        switch self {
        case .and(let parts): .and(parts.map(\.combined))
        case .or(let parts): .or(parts.map(\.combined))
        case .not(let part): .not(part.combined)
        case .term(let term): term.predicate
        }
    }

    /// The same without the ranges of its terms, for a filter that did not come from the request.
    public var withoutRanges: ExplainedFilter {
        switch self {
        case .and(let parts): .and(parts.map(\.withoutRanges))
        case .or(let parts): .or(parts.map(\.withoutRanges))
        case .not(let part): .not(part.withoutRanges)
        case .term(let term): .term(term.withoutRange)
        }
    }
}

/// A term with its names, codes and dates resolved.
public struct ExplainedTerm: Sendable {
    /// The form in which a value of the field is compared.
    public enum Form: Sendable, Equatable {
        /// The folded text.
        case folded
        /// The value as records serve it: ids, addresses, numbers, moments, dates, booleans, codes, JSON.
        case served
        /// The value of an enum as received, if it is none of the codes.
        case received
        /// The folded texts of all searched fields.
        case searched
    }

    /// The term in its normal form.
    public let text: String
    /// The range of the term in the filter as it was sent, in bytes; nil for a filter that was sent as a tree.
    public let range: Range<Int>?
    /// The index of the field; nil for free text.
    public let field: Int?
    public let form: Form
    /// The operands as they are compared; empty for a test of presence.
    public let operands: [FilterOperand]
    public let predicate: Predicate

    /// Whether it tests the unsettled operations of a record, which are no field of the definition.
    public var isPending: Bool {
        switch predicate {
        case .pending, .not(.pending): true
        default: false
        }
    }

    fileprivate var withoutRange: ExplainedTerm {
        ExplainedTerm(text: text, range: nil, field: field, form: form, operands: operands, predicate: predicate)
    }
}

/// An operand of a term as it is compared, with dates resolved.
public indirect enum FilterOperand: Sendable, Equatable {
    /// A folded text, an id, an address, a code, or a value as received.
    case text(String)
    /// A number with the digits of the filter.
    case number(String)
    case bool(Bool)
    /// In milliseconds since 1970.
    case instant(Int64)
    /// All of a civil day; both ends in milliseconds since 1970, the later one excluded.
    case day(start: Int64, end: Int64)
    /// A date, in days since 1970-01-01.
    case date(Int)
    /// Both ends are included; an end that is nil is open.
    case range(FilterOperand?, FilterOperand?)
}

extension FilterNode {
    /// Checks the filter against the context's definition as ``typed(in:)`` does, and keeps its parts apart.
    ///
    /// Throws the errors of ``typed(in:)``.
    public func explained(in context: FilterContext) throws(FilterError) -> ExplainedFilter {
        try FilterTyping(context: context).explained(self)
    }
}

extension FilterTyping {
    fileprivate func explained(_ node: FilterNode) throws(FilterError) -> ExplainedFilter {
        switch node {
        case .and(let operands): return .and(try explained(operands))
        case .or(let operands): return .or(try explained(operands))
        case .not(let operand): return .not(try explained(operand))
        case .term(let term): return .term(try explained(term))
        }
    }

    private func explained(_ nodes: [FilterNode]) throws(FilterError) -> [ExplainedFilter] {
        var parts: [ExplainedFilter] = []
        parts.reserveCapacity(nodes.count)
        for node in nodes { parts.append(try explained(node)) }
        return parts
    }

    private func explained(_ term: FilterTerm) throws(FilterError) -> ExplainedTerm {
        let predicate = try predicate(term)
        if let name = term.field, isPending(name) { return explainedPending(term, predicate) }
        let field = try term.field.map { name throws(FilterError) in try resolve(name, in: term) }
        return ExplainedTerm(
            text: term.text, range: term.textRange, field: field, form: form(of: term, field),
            operands: try operands(of: term, field, predicate), predicate: predicate)
    }

    private func explainedPending(_ term: FilterTerm, _ predicate: Predicate) -> ExplainedTerm {
        var operands: [FilterOperand] = []
        if case .compare(_, _, let values) = term.condition { operands = values.map { .text($0.text) } }
        return ExplainedTerm(
            text: term.text, range: term.textRange, field: nil, form: .served, operands: operands,
            predicate: predicate)
    }

    private func form(of term: FilterTerm, _ field: Int?) -> ExplainedTerm.Form {
        guard let name = term.field, let field else { return .searched }
        if name.isRaw { return .received }
        if type(of: field) == .text { return .folded }
        guard case .compare(_, let comparator, _) = term.condition else { return .served }
        return comparator == .has || comparator == .lacks || comparator == .starts ? .folded : .served
    }

    private func operands(
        of term: FilterTerm, _ field: Int?, _ predicate: Predicate
    ) throws(FilterError) -> [FilterOperand] {
        switch term.condition {
        case .any, .none: return []
        case .text(let value): return [.text(String(decoding: try folded(value, in: term), as: UTF8.self))]
        case .compare(let name, let comparator, let values):
            guard let field, !name.isRaw else { return values.map { .text($0.text) } }
            if type(of: field) == .enum { return codes(predicate, field) }
            var operands: [FilterOperand] = []
            for value in values { operands.append(try operand(value, field, comparator, in: term)) }
            return operands
        case .range(_, let low, let high):
            guard let field else { return [] }
            if type(of: field) == .enum { return codes(predicate, field) }
            let ends = (
                try low.map { value throws(FilterError) in try operand(value, field, nil, in: term) },
                try high.map { value throws(FilterError) in try operand(value, field, nil, in: term) }
            )
            return [.range(ends.0, ends.1)]
        }
    }

    /// The codes that a test of an enum matches.
    private func codes(_ predicate: Predicate, _ field: Int) -> [FilterOperand] {
        guard let vocabulary = context.definition.vocabulary(of: field) else { return [] }
        switch predicate {
        case .not(let positive): return codes(positive, field)
        case .codes(_, let codes): return codes.map { .text(vocabulary.codes[$0].code) }
        // A test by rank that every code passes.
        case .present: return vocabulary.codes.map { .text($0.code) }
        case .constant, .and, .or, .keys, .contains, .prefix, .raw, .text, .pending: return []
        }
    }

    /// - Parameter comparator: nil in a range.
    private func operand(
        _ value: FilterLiteral, _ field: Int, _ comparator: FilterOperator?, in term: FilterTerm
    ) throws(FilterError) -> FilterOperand {
        let isEquality = comparator == .eq || comparator == .ne
        let isContained = comparator == .has || comparator == .lacks || comparator == .starts
        switch type(of: field) {
        case .text: return .text(String(decoding: try folded(value, in: term), as: UTF8.self))
        case .id, .url:
            guard isContained else { return .text(value.text) }
            return .text(String(decoding: try folded(value, in: term), as: UTF8.self))
        case .integer, .decimal: return .number(value.text)
        case .bool: return .bool(value.text == "true")
        case .date:
            if let date = DateValue(value.text, in: context.calendar) { return .date(date.day(in: context.calendar)) }
        case .instant:
            guard let date = DateValue(value.text, in: context.calendar) else { break }
            switch time(date, isEquality: isEquality) {
            case .moment(let moment): return .instant(moment)
            case .day(let start, let end): return .day(start: start, end: end)
            }
        case .enum, .json: break
        }
        throw mismatch(value, field, in: term)
    }
}

extension FilterTerm {
    /// The range of the term in the text, in bytes, from its field on; nil for a term in a tree. Errors about a range are
    /// located at its ends alone.
    fileprivate var textRange: Range<Int>? {
        guard let range = location?.textRange else { return nil }
        let start = field?.location?.textRange?.lowerBound ?? range.lowerBound
        return min(start, range.lowerBound)..<range.upperBound
    }
}

extension FilterLocation {
    /// The range in the text, in bytes; nil for a location in a tree.
    fileprivate var textRange: Range<Int>? {
        guard case .text(let position, let length) = self else { return nil }
        return position..<position + length
    }
}
