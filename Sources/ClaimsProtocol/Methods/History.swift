// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// The parameters of `history`: a record, and a page of its versions.
public struct HistoryParameters: MethodParameters, Equatable {
    /// The name of the collection, or its singular.
    public var collection = ""
    /// The id of the record, which may be gone.
    public var id: RecordID = ""
    /// The maximum number of versions on the page, from 1 to ``PageParameters/maxLimit``; nil for
    /// ``PageParameters/defaultLimit``.
    public var limit: Int64?
    /// The `next` of the previous page; nil for the first page.
    public var cursor: String?
    /// The language of messages, such as `pl`.
    public var language: String?

    /// The id of the record, which may be gone.
    public static var id: Parameter<RecordID> { Parameter("id", "The id of the record, which may be gone.") }
    private static var limit: Parameter<Int64> {
        Parameter(
            "limit", "How many versions a page has; \(PageParameters.defaultLimit) by default.",
            range: .fixed(1...Int64(PageParameters.maxLimit)))
    }

    public init() {}

    public mutating func visit<Visitor: ParameterVisitor & ~Copyable & ~Escapable>(
        _ visitor: inout Visitor
    ) throws(Visitor.Failure) {
        try visitor.required(.collection, &collection)
        try visitor.required(Self.id, &id)
        try visitor.optional(Self.limit, &limit)
        try visitor.optional(Parameter("cursor", "The `next` of the page before."), &cursor)
    }
}

/// The result of `history`: what happened to a record, the newest first.
public enum HistoryResult: ResultObject {
    public static let versions = Member<[Version]>("versions", "The versions, the newest first.")
    public static let isComplete = Member<Bool>(
        "complete", "Whether the oldest version that is kept is the first one; false: older ones are trimmed.")
    public static let next = Member<String>.optional("next", "The cursor of the next page.")

    public static var memberList: [MemberDescription] { describe(.rows, versions, isComplete, next) }

    /// A change of the record.
    public enum Version: ResultObject {
        public static let seq = Member<Int64>("seq", "The number of the change, as in the clock.")
        public static let at = Member<InstantText>("at")
        public static let generation = Member<Int64>("generation")
        public static let cause = Member<String>(
            "cause", "refresh, write, archive, definition, forget or recovery; there may be more.")
        public static let op = Member<String>(
            "op", "added, updated, removed, archived, unarchived, or definition: another definition changed its values."
        )
        public static let changes = Member<ObjectMap<[AnyResult]>>.optional(
            "changes", "Of updated and definition: {FIELD: [from, to]}; null is absent.")
        public static let record = Member<RecordObject>.optional(
            "record", "Of added and removed: the record as it was then.")
        public static let values = Member<Bool>.optional(
            "values", "false: the commit was too large for its values to be kept; `changes` and `record` are missing.")
        public static let by = Member<Int64>.optional("by", "The user id, of marks and writes.")
        public static let byName = Member<String>.optional("by_name", "The name of that user.")
        public static let upstream = Member<Bool>.optional(
            "upstream", "true: members differ that no field reads.")

        public static var memberList: [MemberDescription] {
            describe(.rows, seq, at, generation, cause, op, changes, record) + describe(.nothing, values)
                + describe(.rows, by, byName) + describe(.nothing, upstream)
        }
    }
}

extension MethodDescription {
    static let history = MethodDescription(
        .history, "history", summary: "Tells what happened to a record, the newest first; also of one that is gone.",
        polish: "Mówi, co działo się z rekordem, najnowsze najpierw; także z takim, którego już nie ma.",
        parameters: HistoryParameters.self, result: HistoryResult.self,
        example: { parameters in
            parameters.collection = placeholder
            parameters.id = "1"
        })
}
