// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsJSON
import ClaimsModel
import ClaimsProtocol
import ClaimsQuery
import ClaimsSnapshot
import ClaimsStore

/// The findings about each part of a filter, in the order of a walk that visits a part before its own parts.
struct ExplainedParts {
    /// Nil if the time was over before.
    private struct Facts {
        var estimate: Int?
        var verdict: Bool?
        var matches: Int?
    }

    private let definition: Definition
    private let hasRecord: Bool
    private let row: Int?
    private let rows: ServedRows
    private let values: ComparedValues
    /// Whether a rule leaves out records, which estimates count.
    private let isLimited: Bool
    private var facts: [Facts] = []

    /// - Parameter row: the row of the record to try; nil for none.
    init(_ target: QueryTarget, row: Int?) {
        definition = target.view.definition
        rows = target.rows
        self.row = row
        hasRecord = row != nil
        var document: [UInt8] = []
        var state: PendingState?
        if let row, let (snapshot, own) = target.rows.layer(of: row) {
            document = snapshot.document(own).array
            state = target.rows.overlayRow(row).flatMap { target.view.overlay?.pending($0)?.state }
        }
        values = ComparedValues(definition, document: document, pending: state)
        isLimited = target.view.limit != nil
    }

    /// Finds estimates and verdicts of all parts.
    ///
    /// - Throws: a cancellation.
    mutating func outline(
        _ part: ExplainedFilter, _ steps: inout TimedSteps, scratch: QueryScratch, budget: QueryBudget
    ) throws(QueryFailure) {
        _ = try verdict(part, &steps, scratch: scratch, budget: budget)
    }

    private mutating func verdict(
        _ part: ExplainedFilter, _ steps: inout TimedSteps, scratch: QueryScratch, budget: QueryBudget
    ) throws(QueryFailure) -> Bool? {
        let index = facts.count
        facts.append(Facts())
        switch part {
        case .and(let parts), .or(let parts):
            var verdicts: [Bool?] = []
            for part in parts { verdicts.append(try verdict(part, &steps, scratch: scratch, budget: budget)) }
            if hasRecord { facts[index].verdict = part.verdict(of: verdicts) }
        case .not(let inner):
            facts[index].verdict = try verdict(inner, &steps, scratch: scratch, budget: budget).map { !$0 }
        case .term(let term):
            let condition = try steps.perform { () throws(QueryInterruption) in
                try rows.outline(of: term.predicate.simplified, row: row, scratch: scratch, budget: budget)
            }
            facts[index].estimate = condition?.bound
            facts[index].verdict = condition?.isTrue
        }
        return facts[index].verdict
    }

    /// Counts the records of each part alone. The parts were outlined before.
    ///
    /// - Throws: a cancellation.
    mutating func count(
        _ part: ExplainedFilter, _ steps: inout TimedSteps, _ body: (Predicate) throws(QueryInterruption) -> Int
    ) throws(QueryFailure) {
        var index = 0
        try count(part, at: &index, &steps, body)
    }

    private mutating func count(
        _ part: ExplainedFilter, at index: inout Int, _ steps: inout TimedSteps,
        _ body: (Predicate) throws(QueryInterruption) -> Int
    ) throws(QueryFailure) {
        let predicate = part.predicate
        facts[index].matches = try steps.perform { () throws(QueryInterruption) in try body(predicate) }
        index += 1
        for inner in part.parts { try count(inner, at: &index, &steps, body) }
    }

    // MARK: - Writing

    /// Writes the tree of nodes. The parts were outlined and counted before.
    func write(_ part: ExplainedFilter, to writer: inout JSONWriter) {
        var index = 0
        write(part, at: &index, to: &writer)
    }

    private func write(_ part: ExplainedFilter, at index: inout Int, to writer: inout JSONWriter) {
        let facts = facts[index]
        index += 1
        writer.beginObject()
        writer.member(ExplainResult.Node.op, part.name)
        if case .term(let term) = part {
            write(term, to: &writer)
            if !isLimited, let estimate = facts.estimate { writer.member(ExplainResult.Node.estimate, estimate) }
        } else {
            writer.key(ExplainResult.Node.of)
            writer.beginArray()
            for inner in part.parts { write(inner, at: &index, to: &writer) }
            writer.endArray()
        }
        writer.member(ExplainResult.Node.matches, facts.matches.map { Int64($0) })
        if hasRecord {
            writer.key(ExplainResult.Node.verdict)
            if let verdict = facts.verdict { writer.bool(verdict) } else { writer.null() }
            if case .term(let term) = part { values.write(term, to: &writer) }
        }
        writer.endObject()
    }

    private func write(_ term: ExplainedTerm, to writer: inout JSONWriter) {
        writer.member(ExplainResult.Node.text, term.text)
        if let range = term.range {
            writer.member(ExplainResult.Node.position, range.lowerBound)
            writer.member(ExplainResult.Node.length, range.count)
        }
        if let field = term.field {
            writer.member(ExplainResult.Node.field, definition.fields[field].name)
            writer.member(ExplainResult.Node.type, definition.fields[field].type.rawValue)
        } else if term.isPending {
            writer.member(ExplainResult.Node.field, PendingState.fieldName)
            writer.member(ExplainResult.Node.type, FieldType.enum.rawValue)
        }
        writer.key(ExplainResult.Node.compared)
        writer.beginArray()
        for operand in term.operands { operand.json.write(to: &writer) }
        writer.endArray()
    }
}

/// Performs steps until the time is over; after that each step returns nil.
struct TimedSteps {
    private var isOver = false

    /// The result of a step; nil after the end of the time.
    ///
    /// - Throws: a cancellation.
    mutating func perform<Result>(
        _ step: () throws(QueryInterruption) -> Result
    ) throws(QueryFailure) -> Result? {
        guard !isOver else { return nil }
        do throws(QueryInterruption) {
            return try step()
        } catch {
            guard error == .outOfTime else { throw .interrupted(error) }
            isOver = true
            return nil
        }
    }
}

extension ExplainedFilter {
    /// The name of its kind on the wire.
    fileprivate var name: String {
        switch self {
        case .and: "and"
        case .or: "or"
        case .not: "not"
        case .term: "term"
        }
    }

    /// The parts right below this one.
    fileprivate var parts: [ExplainedFilter] {
        switch self {
        case .and(let parts), .or(let parts): parts
        case .not(let part): [part]
        case .term: []
        }
    }

    /// The verdict of `and` or `or` from the verdicts of the parts; nil if an unknown part decides.
    fileprivate func verdict(of verdicts: [Bool?]) -> Bool? {
        let deciding = if case .or = self { true } else { false }
        if verdicts.contains(deciding) { return deciding }
        return verdicts.contains(nil) ? nil : !deciding
    }
}

extension FilterOperand {
    /// The operand as JSON: intervals as objects whose members are the names of operators.
    fileprivate var json: JSONValue {
        switch self {
        case .text(let text): return .string(text)
        case .number(let digits):
            // A filter may write a number in another way than JSON, such as `+5`.
            if let value = try? JSONValue.parse(digits), case .number = value { return value }
            return .string(digits)
        case .bool(let value): return .bool(value)
        case .instant(let moment): return .string(Self.text(moment))
        case .day(let start, let end): return ["ge": .string(Self.text(start)), "lt": .string(Self.text(end))]
        case .date(let days):
            var text: [UInt8] = []
            CivilDate.append(days, to: &text)
            return .string(String(decoding: text, as: UTF8.self))
        case .range(let low, let high):
            var members: [JSONObject.Member] = []
            if let low { members.append(JSONObject.Member("ge", low.json)) }
            if let high { members.append(JSONObject.Member("le", high.json)) }
            return .object(JSONObject(members))
        }
    }

    private static func text(_ moment: Int64) -> String {
        var text: [UInt8] = []
        Instant(ms: moment).append(to: &text)
        return String(decoding: text, as: UTF8.self)
    }
}

/// The values of one record in the form in which terms compare them.
struct ComparedValues {
    /// The bytes of a value that are shown.
    static let maxBytes = 256

    private let definition: Definition
    private let record: JSONValue
    private let pending: PendingState?

    /// - Parameters:
    ///   - document: the record as it is served; empty for none.
    ///   - pending: the state of its unsettled operations; nil if there are none.
    init(_ definition: Definition, document: [UInt8], pending: PendingState? = nil) {
        self.pending = pending
        self.definition = definition
        // A served record nests less deep than a body; without one every value is absent.
        record = (try? JSONValue.parse(document, depth: JSONElements.bodyDepth)) ?? .object(JSONObject())
    }

    /// Writes `value` and, if it is cut, `cut` as members of a node.
    func write(_ term: ExplainedTerm, to writer: inout JSONWriter) {
        var isCut = false
        let value: JSONValue
        if let field = term.field {
            value = shown(field, as: term.form, &isCut) ?? nil
        } else if term.isPending {
            value = pending.map { .string($0.rawValue) } ?? .null
        } else {
            var members: [JSONObject.Member] = []
            for field in definition.searchedFields {
                guard let text = shown(field, as: .folded, &isCut) else { continue }
                members.append(JSONObject.Member(definition.fields[field].name, text))
            }
            value = .object(JSONObject(members))
        }
        writer.key(ExplainResult.Node.value)
        value.write(to: &writer)
        if isCut { writer.member(ExplainResult.Node.isCut, true) }
    }

    /// The value of a field; nil if it is absent.
    private func shown(_ field: Int, as form: ExplainedTerm.Form, _ isCut: inout Bool) -> JSONValue? {
        let name = definition.fields[field].name
        guard let value = record[form == .received ? name + ".raw" : name] else { return nil }
        switch value {
        case .string(let text):
            let isFolded = form == .folded || form == .searched
            return .string(Self.cut(isFolded ? Folding.fold(text) : Array(text.utf8), &isCut))
        case .object, .array:
            var writer = JSONWriter()
            value.write(to: &writer)
            return .string(Self.cut(writer.bytes, &isCut))
        case .null, .bool, .number: return value
        }
    }

    /// The beginning of a text, with whole characters.
    private static func cut(_ text: [UInt8], _ isCut: inout Bool) -> String {
        guard text.count > maxBytes else { return String(decoding: text, as: UTF8.self) }
        isCut = true
        var end = maxBytes
        while end > 0, text[end] & 0xC0 == 0x80 { end -= 1 }
        return String(decoding: text[..<end], as: UTF8.self)
    }
}
