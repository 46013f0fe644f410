// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// The parameters of `search`: a filter, a sort order and a page.
public struct SearchParameters: MethodParameters, Equatable {
    /// The name of the collection, or its singular; nil searches all collections.
    public var collection: String?
    /// The filter and the other parameters that select the records.
    public var selection = SelectionParameters()
    /// The size and position of the page, and the members of the answer beside records.
    public var page = PageParameters()
    /// The sort keys; nil for the collection's own order.
    public var sort: SortValue?

    /// The language of labels and messages, which is part of the selection.
    public var language: String? {
        get { selection.language }
        set { selection.language = newValue }
    }

    public init() {}

    public mutating func visit<Visitor: ParameterVisitor & ~Copyable & ~Escapable>(
        _ visitor: inout Visitor
    ) throws(Visitor.Failure) {
        try visitor.optional(.anyCollection, &collection)
        try selection.visit(&visitor)
        try visitor.optional(Parameter("sort", "Sort keys or a named order; `-` descends."), &sort)
        try page.visit(&visitor)
    }
}

/// The result of `search` and of `sort`: a page of records, with totals over all pages.
public enum SearchResult: ResultObject {
    /// The records of the page, in order. A streamed answer sends them in notifications before, and omits this member.
    public static let records = Member<[RecordObject]>.optional("records", "The records of this page.")
    public static let total = Member<Int>.total
    public static let totals = Member<ObjectMap<Int>>.totals
    public static let next = Member<String>.optional("next", "The cursor of the next page, where there is one.")
    public static let previous = Member<String>.optional(
        "prev", "With an anchor, or a cursor of such an answer: the cursor of the page before, where there is one.")
    public static let rank = Member<Int>.optional(
        "rank", "With an anchor, or a cursor of such an answer: how many matches come before the page.")
    public static let anchored = Member<AnchorMatch>.optional(
        "anchored",
        "With the anchor of an id: exact; after, where it does not match; gone, where there is no such record.")
    public static let moved = Member<Bool>.optional("moved", "True where the data changed since the page before.")
    public static let facets = Member<ObjectMap<[FacetValue]>>.optional("facets", "Counts by value.")
    public static let groups = Member<[GroupTotal]>.optional("groups", "Groups with their totals.")
    public static let labels = Member<Labels>.optional("labels", "Labels of the codes that occur.")
    public static let meta = Member<QueryMeta>.meta

    public static var memberList: [MemberDescription] {
        describe(.rows, records, total, totals, next, previous, rank, anchored) + describe(.all, moved)
            + describe(.rows, facets, groups, labels, meta)
    }

    /// The total of one group of records; the group whose key is null holds the records of no group.
    public enum GroupTotal: ResultObject {
        public static var typeName: String { "SearchGroup" }

        public static let key = Member<String?>("key")
        public static let label = Member<String?>("label")
        public static let total = Member<Int>("total")

        public static var memberList: [MemberDescription] { describe(.rows, key, label, total) }
    }
}

/// The notification that carries a part of the records of a request with `stream`.
public enum RecordsNotification: ResultObject {
    /// The name of the notification on the wire.
    public static let method = "records"

    public static let request = Member<AnyResult>("request", "The id of the request.")
    public static let records = Member<[RecordObject]>("records")

    public static var memberList: [MemberDescription] { describe(.all, request) + describe(.rows, records) }
}

extension MethodDescription {
    static let search = MethodDescription(
        .search, "search", summary: "Finds records: filters, sorts, groups, counts and pages them.",
        polish: "Szuka rekordów: filtruje, porządkuje, grupuje, liczy i stronicuje.",
        parameters: SearchParameters.self, result: SearchResult.self,
        example: { parameters in
            parameters.selection.filter = "water"
            parameters.page.limit = 10
        })
}
