// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// The parameters of `refreshes`: a collection, and the number of entries.
public struct RefreshesParameters: MethodParameters, Equatable {
    /// The name of the collection, or its singular; nil for all.
    public var collection: String?
    /// The maximum number of entries, from 1 to ``PageParameters/maxLimit``; nil for ``defaultLimit``.
    public var limit: Int64?
    /// The language of messages, such as `pl`.
    public var language: String?

    /// The number of entries of an answer to a request without `limit`.
    public static let defaultLimit = 100

    /// The maximum number of entries; 100 by default.
    public static var limit: Parameter<Int64> {
        Parameter(
            "limit", "How many attempts are told; \(defaultLimit) by default.",
            range: .fixed(1...Int64(PageParameters.maxLimit)))
    }

    public init() {}

    public mutating func visit<Visitor: ParameterVisitor & ~Copyable & ~Escapable>(
        _ visitor: inout Visitor
    ) throws(Visitor.Failure) {
        try visitor.optional(.anyCollection, &collection)
        try visitor.optional(Self.limit, &limit)
    }
}

/// The result of `refreshes`: the last attempts to refresh collections.
public enum RefreshesResult: ResultObject {
    public static let refreshes = Member<[Attempt]>("refreshes", "The attempts, the newest first.")

    public static var memberList: [MemberDescription] { describe(.rows, refreshes) }

    /// One attempt to refresh a collection.
    public enum Attempt: ResultObject {
        public static let number = Member<Int64>("number", "The number of the attempt over all collections.")
        public static let collection = Member<String>("collection")
        public static let at = Member<InstantText>("at", "When it began.")
        public static let duration = Member<Int64>("duration_ms", "How long it took, in milliseconds.")
        public static let outcome = Member<String>("outcome", "updated, unchanged, failed or held.")
        public static let kind = Member<String?>(
            "kind", "The kind of the failure, or held; null where all went well.")
        public static let site = Member<String?>("site", "The site that was asked; null where there is one source.")
        public static let bytes = Member<Int>.optional("bytes", "The size of what was received.")
        public static let records = Member<Int?>.optional(
            "records", "The records of the answer; null where none could be read.")
        public static let added = Member<Int>.optional("added")
        public static let updated = Member<Int>.optional("updated")
        public static let removed = Member<Int>.optional("removed")
        public static let quarantined = Member<Int>.optional(
            "quarantined", "The elements of the answer that are no records.")

        public static var memberList: [MemberDescription] {
            describe(.all, number, collection, at, duration, outcome, kind, site)
                + describe(.nothing, bytes, records, added, updated, removed, quarantined)
        }
    }
}

extension MethodDescription {
    static let refreshes = MethodDescription(
        .refreshes, "refreshes", summary: "Tells the last attempts to refresh collections, the newest first.",
        polish: "Wymienia ostatnie próby odświeżenia kolekcji, najnowsze najpierw.",
        parameters: RefreshesParameters.self, result: RefreshesResult.self, example: { $0.limit = 10 })
}
