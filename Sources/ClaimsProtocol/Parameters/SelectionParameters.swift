// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

public import ClaimsModel

// The parameters that several methods have. Of the same name, they mean the same everywhere.

extension Parameter where Value == String {
    /// The required collection of a method that works on one collection.
    public static var collection: Self {
        Self("collection", "The name of the collection, or its singular.")
    }
    /// The optional collection of a method that works on all collections without it.
    public static var anyCollection: Self {
        Self("collection", "The name of the collection, or its singular; without it, all of them.")
    }
    /// The language of labels and messages, as a language code such as `pl`. Every method has it.
    public static var language: Self {
        Self("lang", "The language of titles, labels and messages, errors too, such as pl.")
    }
    /// The name of a view of the definition, whose filter applies in addition.
    public static var view: Self { Self("view", "A view of the definition, in addition to the filter.") }
    /// The IANA name of the time zone of dates in a filter.
    public static var timeZone: Self {
        Self("time_zone", "The IANA time zone whose days dates mean; UTC by default.")
    }
}

extension Parameter where Value == FilterValue {
    /// The filter that selects records.
    public static var filter: Self { Self("filter", "Which records, as text or as a tree.") }
}

extension ArchivedMode: ChoiceParameterValue {}

extension Parameter where Value == ArchivedMode {
    /// The treatment of archived records; `exclude` by default.
    public static var archived: Self { Self("archived", "What to do with archived records.", default: .exclude) }
}

extension Parameter where Value == Int64 {
    /// The maximal time of a query: from 1 to the setting `limits.request`, in milliseconds.
    public static var timeout: Self {
        Self(
            "timeout_ms", "How long the query may take, in milliseconds; at most what limits.request allows.",
            range: .requestTime)
    }
    /// The maximum age of the data, in milliseconds from 0.
    public static var maxAge: Self {
        Self(
            "max_age_ms", "Refuse with not_fresh where the data is older, in milliseconds.",
            range: .fixed(0 ... .max))
    }
}

/// The parameters that select the records of a query; `search`, `sort`, `count` and `facets` share them.
public struct SelectionParameters: Sendable, Equatable {
    /// The filter that a record must match; nil matches every record.
    public var filter: FilterValue?
    /// The name of a view of the definition, whose filter applies in addition; nil for none.
    public var view: String?
    /// The treatment of archived records.
    public var archived: ArchivedMode = .exclude
    /// The maximum age of the data, in milliseconds; older data is refused with `not_fresh`. Nil accepts any age.
    public var maxAge: Int64?
    /// The IANA name of the time zone of dates in the filter; nil for UTC.
    public var timeZone: String?
    /// The language of labels and messages, such as `pl`; with nil a page of records has no labels.
    public var language: String?
    /// The maximal time of the query, in milliseconds; nil for the setting `limits.request`.
    public var timeout: Int64?

    public init() {}

    mutating func visit<Visitor: ParameterVisitor & ~Copyable & ~Escapable>(
        _ visitor: inout Visitor
    ) throws(Visitor.Failure) {
        try visitor.optional(.filter, &filter)
        try visitor.optional(.view, &view)
        try visitor.defaulted(.archived, &archived)
        try visitor.optional(.maxAge, &maxAge)
        try visitor.optional(.timeZone, &timeZone)
        try visitor.optional(.timeout, &timeout)
    }
}

/// The parameters of a page of records except its order; `search` and `sort` share them.
public struct PageParameters: Sendable, Equatable {
    /// The maximum number of records on the page, from 1 to ``maxLimit``.
    ///
    /// Nil means ``defaultLimit``, and in a streamed request all records.
    public var limit: Int64?
    /// The `next` of the previous page; nil for the first page.
    public var cursor: String?
    /// The beginning or end of the page in its order; nil for the first page, or if ``cursor`` has it.
    public var anchor: AnchorValue?
    /// The names of the fields that the records have; nil for all fields.
    public var fields: NameList?
    /// The names of the fields whose values are counted over all matches; nil for none.
    public var facets: NameList?
    /// Whether the records come group by group, in the definition's order of groups.
    public var isGrouped = false
    /// Whether the records come in notifications before the answer, which then has none.
    public var isStreamed = false

    /// The number of records on a page of a request without `limit`.
    public static let defaultLimit = 50
    /// The highest value of `limit`.
    public static let maxLimit = 1_000
    /// The maximum number of records in one `records` notification of a stream.
    public static let maxStreamChunk = 256

    public init() {}

    // Their summaries are put together, which a reader of requests must not do each time.
    private static let limitParameter = Parameter<Int64>(
        "limit", "How many records a page has; \(defaultLimit) by default.", range: .fixed(1...Int64(maxLimit)))
    private static let stream = Parameter(
        "stream", "Records in notifications of at most \(maxStreamChunk); without limit, all.", default: false)

    /// The `next` or `prev` of an earlier page.
    public static var cursor: Parameter<String> {
        Parameter("cursor", "The `next` of the page before, or the `prev` of the page after.")
    }
    /// The beginning or end of the page in its order.
    public static var anchor: Parameter<AnchorValue> {
        Parameter("anchor", "Where the page of one collection begins, or `end`; the answer has `rank` and `prev`.")
    }
    /// The fields whose values are counted over all matches.
    public static var facets: Parameter<NameList> {
        Parameter("facets", "Fields whose values are counted over all matches.")
    }
    /// Whether the records come group by group; false by default.
    public static var group: Parameter<Bool> {
        Parameter("group", "Records group by group, in the definition's order.", default: false)
    }
    /// The fields that the records have; all of them by default.
    public static var fields: Parameter<NameList> { Parameter("fields", "Which fields; all of them by default.") }

    mutating func visit<Visitor: ParameterVisitor & ~Copyable & ~Escapable>(
        _ visitor: inout Visitor
    ) throws(Visitor.Failure) {
        try visitor.optional(Self.limitParameter, &limit)
        try visitor.optional(Self.cursor, &cursor)
        try visitor.optional(Self.anchor, &anchor)
        try visitor.optional(Self.fields, &fields)
        try visitor.optional(Self.facets, &facets)
        try visitor.defaulted(Self.group, &isGrouped)
        try visitor.defaulted(Self.stream, &isStreamed)
    }
}

/// The parameters that describe a feed beside its collection: the records whose changes it reports, and the reported
/// data of each.
///
/// The set of a feed holds the records that `search` finds with the same parameters.
public struct FeedParameters: Sendable, Equatable {
    /// The filter that a record of the set matches; nil matches every record.
    public var filter: FilterValue?
    /// The name of a view of the definition, whose filter applies in addition; nil for none.
    public var view: String?
    /// The treatment of archived records.
    public var archived: ArchivedMode = .exclude
    /// The names of the fields that are sent, beside the id; nil for all fields.
    public var fields: NameList?
    /// The IANA name of the time zone of dates in the filter; nil for UTC.
    public var timeZone: String?

    public init() {}

    mutating func visit<Visitor: ParameterVisitor & ~Copyable & ~Escapable>(
        _ visitor: inout Visitor
    ) throws(Visitor.Failure) {
        try visitor.optional(.filter, &filter)
        try visitor.optional(.view, &view)
        try visitor.defaulted(.archived, &archived)
        try visitor.optional(PageParameters.fields, &fields)
        try visitor.optional(.timeZone, &timeZone)
    }
}
