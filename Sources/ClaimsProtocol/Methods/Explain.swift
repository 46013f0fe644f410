// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

public import ClaimsModel

/// The parameters of `explain`: what selects records in one collection, and the record to try it on.
public struct ExplainParameters: MethodParameters, Equatable {
    /// The name of the collection, or its singular.
    public var collection = ""
    /// The filter to explain; nil matches every record.
    public var filter: FilterValue?
    /// The name of a view of the definition, whose filter applies in addition; nil for none.
    public var view: String?
    /// The treatment of archived records.
    public var archived: ArchivedMode = .exclude
    /// The fields that a feed would have; they are checked, and change nothing else.
    public var fields: NameList?
    /// The IANA name of the time zone of dates in the filter; nil for UTC.
    public var timeZone: String?
    /// The id of the record to try the filter on; nil for none.
    public var id: RecordID?
    /// The language of the plan, such as `pl`; nil for the language of the settings.
    public var language: String?
    /// The time after which counts are left open, in milliseconds; nil for the setting `limits.request`.
    public var timeout: Int64?

    /// The id of the record to try the filter on.
    public static var id: Parameter<RecordID> {
        Parameter("id", "A record: each part tells whether it is true for it, and which value it compared.")
    }

    public init() {}

    public mutating func visit<Visitor: ParameterVisitor & ~Copyable & ~Escapable>(
        _ visitor: inout Visitor
    ) throws(Visitor.Failure) {
        try visitor.required(.collection, &collection)
        try visitor.optional(.filter, &filter)
        try visitor.optional(.view, &view)
        try visitor.defaulted(.archived, &archived)
        try visitor.optional(PageParameters.fields, &fields)
        try visitor.optional(.timeZone, &timeZone)
        try visitor.optional(Self.id, &id)
        try visitor.optional(.timeout, &timeout)
    }
}

/// The result of `explain`: how a filter was understood, what each of its parts selects, and how records are found.
public enum ExplainResult: ResultObject {
    public static let filter = Member<String>(
        "filter", "The filter, and that of the view, in normal form; empty where every record matches.")
    public static let tree = Member<Node>("tree", "The same, part by part.")
    public static let plan = Member<[String]>.optional(
        "plan", "How the records are found, in sentences; missing in a limited view.")
    public static let total = Member<Int64?>(
        "total", "How many records match, exactly; null where the time was over before.")
    public static let listed = Member<Bool>.optional("listed", "With id: whether search would list the record.")
    public static let because = Member<String>.optional(
        "because", "Why the record is not listed: filter or archived.")
    public static let meta = Member<Meta>.meta

    public static var memberList: [MemberDescription] {
        describe(.all, filter) + describe(.rows, tree) + describe(.nothing, plan)
            + describe(.rows, total, listed, because, meta)
    }

    /// A part of the filter.
    public enum Node: ResultObject {
        public static var typeName: String { "ExplainTree" }

        public static let op = Member<String>("op", "and, or, not or term.")
        public static let of = Member<[AnyResult]>.optional(
            "of", "The parts of and, or and not, each a node like this one; and of nothing is true.")
        public static let text = Member<String>.optional("text", "A term in normal form.")
        public static let position = Member<Int>.optional(
            "position", "Where the term begins in the filter as it was sent, in bytes; absent in trees and views.")
        public static let length = Member<Int>.optional("length", "The length of the term there, in bytes.")
        public static let field = Member<String>.optional("field", "The field; free text has none.")
        public static let type = Member<String>.optional("type", "The type of the field.")
        public static let compared = Member<[AnyResult]>.optional(
            "compared",
            "The operands: folded texts, codes, numbers, instants; {ge, lt} for all of a day, {ge, le} for a range.")
        public static let estimate = Member<Int>.optional(
            "estimate", "At least as many records as match the term, as the indexes tell.")
        public static let matches = Member<Int64?>(
            "matches", "How many records match this part alone, exactly; null where the time was over before.")
        public static let verdict = Member<Bool?>.optional(
            "verdict", "With id: whether the part is true for the record.")
        public static let value = Member<AnyResult>.optional(
            "value", "With id: the value that is compared; null if absent. Free text has {FIELD: value}.")
        public static let isCut = Member<Bool>.optional("cut", "true: only the first 256 bytes of value are shown.")

        public static var memberList: [MemberDescription] {
            describe(.all, op) + describe(.rows, of) + describe(.all, text, position, length, field, type, compared)
                + describe(.nothing, estimate)
                + describe(.rows, matches, verdict, value, isCut)
        }
    }
}

extension MethodDescription {
    static let explain = MethodDescription(
        .explain, "explain",
        summary: "Tells how a filter is understood, what each part of it selects, and whether it is true "
            + "for a record.",
        polish: "Mówi, jak rozumiany jest filtr, co wybiera każda jego część i czy jest spełniona dla rekordu.",
        parameters: ExplainParameters.self, result: ExplainResult.self,
        example: { parameters in
            parameters.collection = placeholder
            parameters.filter = "water or not damage"
        })
}
