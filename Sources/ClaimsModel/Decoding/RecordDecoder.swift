// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
public import ClaimsJSON

/// Decodes the JSON objects of an upstream into records, by the rules of one definition.
///
/// It is made to be reused: once its buffers have grown, a record costs no allocation.
///
/// - Of a field's pointers the first that leads to a value counts; null and blank strings are no values.
/// - An unknown enum value becomes the fallback code, and the record also carries `FIELD.raw`.
/// - A wrongly typed optional field is left out and counted as drift.
/// - A value that is no object, has no id that can be one, or lacks a required field goes to quarantine.
public struct RecordDecoder: Sendable {
    private let fields: [Field]
    private let plans: [FieldPlan]
    private let idField: Int
    /// The field that the join is on, or -1.
    private let joinField: Int
    private let joined: JoinTable?
    /// The field that has the name of the site, or -1.
    private let siteField: Int
    /// The name of the site; empty for records of the only source.
    private var site: [UInt8] = []
    private var members: MemberLocator
    private var reader: ValueReader
    private var drifts: DriftCounter
    private var joinTape = JSONTape()

    /// A decoder for the records of `definition`.
    ///
    /// - Parameter joined: The values of the second request; nil if there is none or it has never succeeded.
    public init(definition: Definition, joined: JoinTable? = nil) {
        var names = ByteTable()
        let tables = DecoderTables(definition, names: &names)
        fields = definition.fields
        plans = tables.plans
        // A mark is no news, although no field is read there.
        if case .mark(let pointer) = definition.source.deleted, let name = pointer.tokens.first {
            _ = names.insert(name)
        }
        idField = definition.idField
        siteField = definition.source.sites?.field ?? -1
        joinField = definition.source.join?.on.field ?? -1
        members = MemberLocator(names: names)
        reader = ValueReader(tables: tables)
        drifts = DriftCounter(fields: definition.fields)
        self.joined = joined
    }

    /// Says whose records are decoded from now on: their ids become `SITE:ID`, and the field of the site has its name.
    ///
    /// - Parameter name: nil for the only source of a collection.
    public mutating func setSite(_ name: String?) {
        site = name.map { Array($0.utf8) } ?? []
        reader.idPrefix = name.map { Array("\($0):".utf8) } ?? []
    }

    /// The differences between the records decoded so far and the definition.
    public var drift: DriftReport { drifts.report(newMembers: members.newNames) }

    /// Decodes the value on `tape`, parsed from `bytes`, into `record`.
    ///
    /// After the outcome `quarantined` the content of `record` is undefined.
    public mutating func decode(
        _ tape: JSONTape, _ bytes: RawSpan, into record: inout DecodedRecord
    ) -> DecodeOutcome {
        let outcome = identify(tape, bytes, into: &record)
        guard case .accepted = outcome else { return outcome }
        return complete(tape, bytes, into: &record)
    }

    /// Does the first half of decoding: fills `id`, `idKey` and `upstream` of the record.
    ///
    /// These suffice to see whether the record is the same as before. If it is accepted, ``complete(_:_:into:)`` may
    /// follow.
    public mutating func identify(
        _ tape: JSONTape, _ bytes: RawSpan, into record: inout DecodedRecord
    ) -> DecodeOutcome {
        record.reset(fields: plans.count)
        guard tape.count > 0, case .object = tape[0].kind else {
            let kind = tape.count > 0 ? tape[0].kind.named : "nothing"
            return .quarantined(reason: "expected an object, found \(kind)", pointer: "")
        }
        drifts.beginRecord()
        members.locate(tape, bytes, &drifts)
        guard let located = reader.locate(of: plans[idField], members.nodes, tape, bytes) else {
            return refuse(idField, found: nil, at: 0)
        }
        guard reader.readID(located.node, of: tape, bytes, into: &record) else {
            return refuse(idField, found: tape[located.node].kind, at: located.pointer)
        }
        if let objection = IDForm.objection(to: record.id.rawSpan) {
            return .quarantined(reason: objection, pointer: fields[idField].from[located.pointer].text)
        }
        tape.appendCompact(0, in: bytes, to: &record.upstream)
        drifts.exemplify(record.id)
        return .accepted
    }

    /// Does the second half of decoding: reads the fields.
    ///
    /// It must follow an `identify` that has accepted the same record, with the same arguments.
    public mutating func complete(
        _ tape: JSONTape, _ bytes: RawSpan, into record: inout DecodedRecord
    ) -> DecodeOutcome {
        let row = joinedRow(tape, bytes)
        for index in plans.indices {
            let plan = plans[index]
            var value = DecodedValue()
            if index == idField {
                reader.appendID(plan, to: &record, &value)
            } else if let located = reader.locate(of: plan, members.nodes, tape, bytes) {
                value.isPresent = reader.read(located.node, of: tape, bytes, as: plan, into: &record, value: &value)
                if !value.isPresent {
                    let found = tape[located.node].kind
                    if plan.isRequired { return refuse(index, found: found, at: located.pointer) }
                    drifts.countType(index, found: found)
                }
            } else if index == siteField, !site.isEmpty {
                reader.readText(site.rawSpan, isPlain: true, plan, into: &record, &value)
                value.isPresent = true
            } else {
                if plan.joined >= 0, let row { read(row, index, into: &record, &value) }
                if !value.isPresent { reader.readAbsent(plan, into: &record, &value) }
                if !value.isPresent, plan.isRequired { return refuse(index, found: nil, at: 0) }
            }
            if let raw = value.raw { drifts.countValue(index, record.keys.rawSpan.extracting(raw)) }
            record.values[index] = value
        }
        // Every field begins with a comma, and the id is always there.
        record.document[0] = UInt8(ascii: "{")
        record.document.append(UInt8(ascii: "}"))
        drifts.exemplify(record.id)
        return .accepted
    }

    /// Reads an id that stands alone on `tape`, into `id` of the record; false if the value cannot be an id.
    public mutating func identify(
        bare tape: JSONTape, _ bytes: RawSpan, into record: inout DecodedRecord
    ) -> Bool {
        record.reset(fields: plans.count)
        guard reader.isValue(0, of: tape, bytes), reader.readID(0, of: tape, bytes, into: &record) else { return false }
        return record.knownID != nil
    }

    /// Counts as drift that the value of a field is a position later than its answer.
    public mutating func countAhead(_ field: Int, of record: borrowing DecodedRecord) {
        drifts.countAhead(field)
        let id = record.id
        drifts.exemplify(id)
    }

    /// The row of the other collection that belongs to the record.
    ///
    /// It must follow an `identify` that has accepted the same record, with the same arguments.
    public mutating func joinedRow(_ tape: JSONTape, _ bytes: RawSpan) -> Int? {
        guard let joined, joinField >= 0,
            let located = reader.locate(of: plans[joinField], members.nodes, tape, bytes)
        else { return nil }
        return reader.row(of: joined, forNode: located.node, of: tape, bytes)
    }

    /// Fills a field from the other collection.
    private mutating func read(
        _ row: Int, _ index: Int, into record: inout DecodedRecord, _ value: inout DecodedValue
    ) {
        guard let joined, let node = joined.value(plans[index].joined, of: row, into: &joinTape),
            reader.isValue(node, of: joinTape, joined.bytes)
        else { return }
        value.isPresent = reader.read(node, of: joinTape, joined.bytes, as: plans[index], into: &record, value: &value)
        if !value.isPresent { drifts.countType(index, found: joinTape[node].kind) }
    }

    /// - Parameter pointer: which of the field's.
    private func refuse(_ index: Int, found: JSONKind?, at pointer: Int) -> DecodeOutcome {
        let field = fields[index]
        let reason =
            switch (field.type, found) {
            case (.id, nil): "no id"
            case (.id, let found?): "expected an id (a string or a number), found \(found.named)"
            case (_, nil): "the required field '\(field.name)' is missing"
            case (let type, let found?):
                "the required field '\(field.name)' is of the type \(type.rawValue), found \(found.named)"
            }
        return .quarantined(
            reason: reason, pointer: field.from.indices.contains(pointer) ? field.from[pointer].text : "")
    }
}

/// A record in the form in which it is served and searched.
///
/// It is made to be reused: decoding the next record keeps the capacity of the buffers.
public struct DecodedRecord: Sendable {
    /// The text of the id in UTF-8; a number keeps its digits.
    public var id: [UInt8] = []
    /// The order-preserving key of the id, in its natural order (``KeyEncoding``).
    public var idKey: [UInt8] = []
    /// The present fields in the definition's order, as one JSON object without newlines.
    public var document: [UInt8] = []
    /// The object as received, without white space outside strings, and with only the last of duplicate members.
    public var upstream: [UInt8] = []
    /// The values of the record, one for each field of the definition.
    public var values: [DecodedValue] = []
    /// The bytes that `key`, `raw` and `tie` of the values are ranges of.
    public var keys: [UInt8] = []
    /// The bytes that `folded` of the values is a range of.
    public var folded: [UInt8] = []
    /// Whether any enum field held a value that its vocabulary does not have.
    public var unsupported = false
    /// The worst state of its unsettled operations, which no upstream sends; nil if there are none.
    public var pending: PendingState?

    public init() {}

    /// The id of a record that was decoded or refused; nil if it has none that can be one.
    public var knownID: [UInt8]? { IDForm.objection(to: id.rawSpan) == nil ? id : nil }

    /// Empties the record for the next one and keeps its room.
    mutating func reset(fields: Int) {
        id.removeAll(keepingCapacity: true)
        idKey.removeAll(keepingCapacity: true)
        document.removeAll(keepingCapacity: true)
        upstream.removeAll(keepingCapacity: true)
        keys.removeAll(keepingCapacity: true)
        folded.removeAll(keepingCapacity: true)
        unsupported = false
        pending = nil
        if values.count != fields { values = [DecodedValue](repeating: DecodedValue(), count: fields) }
    }

    /// The folded text of a field, in which text operators and free text search.
    ///
    /// The field must be a text, an id or an address, and present.
    @_lifetime(borrow self)
    public func foldedText(_ field: Int) -> RawSpan {
        if let range = values[field].folded { return folded.rawSpan.extracting(range) }
        return keys.rawSpan.extracting(values[field].key)
    }
}

/// One field of a decoded record. Its ranges are offsets into buffers of the record.
public struct DecodedValue: Sendable, Hashable {
    /// Whether the record has a value of the field's type.
    public var isPresent = false
    /// The order-preserving key in `keys` (``KeyEncoding``). The key of a text is its folded form; enums and json have
    /// none.
    public var key = 0..<0
    /// The index of an enum's code in its vocabulary; -1 if there is none.
    public var code = -1
    /// The value of an enum as received, in `keys`, if the vocabulary does not have it; nil otherwise.
    public var raw: Range<Int>?
    /// The text as received, in `keys`, if it differs from its folded form; empty otherwise.
    ///
    /// Texts with equal folded forms order by it.
    public var tie = 0..<0
    /// The folded form of an id or address, in `folded`, for text operators and free text; nil if the key is that form.
    public var folded: Range<Int>?

    public init() {}
}

/// The outcome of decoding a record: whether it can be served.
public enum DecodeOutcome: Sendable, Equatable {
    case accepted
    /// The record goes to quarantine. The reason is for people and holds no text of the record; the JSON Pointer leads
    /// from the record to the wrong value.
    case quarantined(reason: String, pointer: String)
}

/// The state of a record with unsettled operations: the worst of theirs.
///
/// Filters know it as the field `pending`.
public enum PendingState: String, Sendable, CaseIterable, Comparable {
    /// The upstream has accepted all of them.
    case accepted
    /// One is still to be sent, or being sent.
    case queued
    /// One waits for a person.
    case stuck

    /// The name of the field in filters.
    public static let fieldName = "pending"

    public static func < (first: PendingState, second: PendingState) -> Bool { first.badness < second.badness }

    private var badness: Int {
        switch self {
        case .accepted: 0
        case .queued: 1
        case .stuck: 2
        }
    }
}
