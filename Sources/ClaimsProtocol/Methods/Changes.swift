// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// The parameters of `changes`: a feed, the point from which it is read, and the size of a page.
public struct ChangesParameters: MethodParameters, Equatable {
    /// The name of the collection, or its singular; nil for the changes of all collections.
    public var collection: String?
    /// The filter and the other parameters of the feed.
    public var feed = FeedParameters()
    /// The clock after which changes are sent, or `now`; nil for the whole set.
    public var since: String?
    /// The `next` of the page before, with the same feed again; nil for the first page.
    public var cursor: String?
    /// The maximum number of entries on the page, from 1 to ``maxLimit``.
    public var limit = Int64(maxLimit)
    /// The maximal time of the request, in milliseconds; nil for the setting `limits.request`.
    public var timeout: Int64?
    /// The language of messages, such as `pl`; nil for the daemon's setting.
    public var language: String?

    /// The highest value of `limit`, which is also its default.
    public static let maxLimit = 1_000

    public init() {}

    public mutating func visit<Visitor: ParameterVisitor & ~Copyable & ~Escapable>(
        _ visitor: inout Visitor
    ) throws(Visitor.Failure) {
        try visitor.optional(.anyCollection, &collection)
        try feed.visit(&visitor)
        try visitor.optional(.since, &since)
        try visitor.optional(Self.cursor, &cursor)
        try visitor.defaulted(
            Parameter("limit", "How many changes a page has.", range: .fixed(1...Int64(Self.maxLimit)), default: 1_000),
            &limit)
        try visitor.optional(.timeout, &timeout)
    }

    public static var cursor: Parameter<String> {
        Parameter("cursor", "The `next` of the page before, with the same feed again.")
    }
}

extension Parameter where Value == String {
    /// The clock after which a feed is read.
    public static var since: Self {
        Self("since", "A clock: only what came after it is told; or now. Without it, the whole set.")
    }
}

/// The result of `changes`: how the set of the feed has changed since the clock.
public enum ChangesResult: ResultObject {
    public static let changes = Member<[FeedEntry]>("changes", "By collection, seq and id.")
    public static let meta = Member<QueryMeta>.meta
    public static let more = Member<Bool>("more", "Whether there are further pages.")
    public static let next = Member<String>.optional("next", "With more: the cursor of the next page.")
    public static let clock = Member<String>.optional(
        "clock", "On the last page: the client now holds what search answers, and goes on from here.")
    public static let freshInstance = Member<Bool>.optional(
        "fresh_instance", "True where a set begins anew: the client drops what it holds of these collections.")
    public static let reasons = Member<ObjectMap<String>>.optional(
        "reasons",
        "Why, for each collection: epoch, ahead, start, filter, definition or compacted; there may be more.")

    public static var memberList: [MemberDescription] {
        describe(.rows, changes, meta, more, next, clock, freshInstance, reasons)
    }
}

extension MethodDescription {
    static let changes = MethodDescription(
        .changes, "changes", summary: "Tells how the set of a feed has changed since a clock.",
        polish: "Mówi, jak zmienił się śledzony zbiór od podanego zegara.",
        parameters: ChangesParameters.self, result: ChangesResult.self,
        example: { parameters in
            parameters.collection = placeholder
            parameters.since = "now"
        })
}
