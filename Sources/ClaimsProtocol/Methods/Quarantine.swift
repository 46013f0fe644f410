// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// The actions of `quarantine` on the entries of a collection.
public enum QuarantineAction: String, ChoiceParameterValue, Sendable, CaseIterable {
    case list, get, retry, drop
}

/// The parameters of `quarantine`: a collection, an action, and the entries that it is about.
public struct QuarantineParameters: MethodParameters, Equatable {
    /// The name of the collection, or its singular.
    public var collection = ""
    public var action = QuarantineAction.list
    /// The entry to answer, to retry or to drop; nil for all.
    public var entry: Int64?
    /// The maximum number of entries on a page of `list`, from 1 to ``PageParameters/maxLimit``; nil for
    /// ``PageParameters/defaultLimit``.
    public var limit: Int64?
    /// The `next` of the previous page; nil for the first page.
    public var cursor: String?
    /// The language of messages, such as `pl`.
    public var language: String?

    public static var action: Parameter<QuarantineAction> {
        Parameter(
            "action",
            "List entries, get one with its bytes, retry one or all, or drop them; retry and drop need admin.",
            default: .list)
    }
    public static var entry: Parameter<Int64> {
        Parameter(
            "entry", "The number of an entry; retry and drop without it are about all.", range: .fixed(1 ... .max))
    }
    private static var limit: Parameter<Int64> {
        Parameter(
            "limit", "How many entries a page has; \(PageParameters.defaultLimit) by default.",
            range: .fixed(1...Int64(PageParameters.maxLimit)))
    }

    public init() {}

    public mutating func visit<Visitor: ParameterVisitor & ~Copyable & ~Escapable>(
        _ visitor: inout Visitor
    ) throws(Visitor.Failure) {
        try visitor.required(.collection, &collection)
        try visitor.defaulted(Self.action, &action)
        try visitor.optional(Self.entry, &entry)
        try visitor.optional(Self.limit, &limit)
        try visitor.optional(Parameter("cursor", "The `next` of the page before."), &cursor)
    }
}

/// The result of `quarantine`; each action has members of its own.
public enum QuarantineResult: ResultObject {
    public static let entries = Member<[Entry]>.optional("entries", "list: the entries, by number.")
    public static let total = Member<Int>.optional("total", "list: how many entries are kept.")
    public static let next = Member<String>.optional("next", "list: the cursor of the next page.")
    public static let isTruncated = Member<Bool>.optional("truncated", "get: whether only a part of the bytes is kept.")
    public static let bytes = Member<String>.optional("bytes", "get: what the upstream sent, where it is UTF-8.")
    public static let base64 = Member<String>.optional("base64", "get: the same where it is not.")
    public static let accepted = Member<[Accepted]>.optional("accepted", "retry: entries that are records now.")
    public static let refused = Member<[Refused]>.optional("refused", "retry: entries that stay.")
    public static let clock = Member<String>.optional("clock", "retry: the clock afterwards.")
    public static let dropped = Member<[Int64]>.optional("dropped", "drop: the entries that are gone.")

    public static var memberList: [MemberDescription] {
        describe(.nothing, entries, total, next) + Entry.optionalList
            + describe(.nothing, isTruncated, bytes, base64, accepted, refused, clock, dropped)
    }

    /// An element of an upstream's answer that is no record.
    public enum Entry: ResultObject {
        public static let entry = Member<Int64>("entry", "Its number, which stays while the same bytes come.")
        public static let site = Member<String>.optional("site", "The site whose answer had it, if there are sites.")
        public static let pointer = Member<String>("pointer", "Where it, or what is wrong in it, was in the answer.")
        public static let reason = Member<String>("reason", "Why it is no record.")
        public static let id = Member<String>.optional("id", "The id, where it is known.")
        public static let size = Member<Int>("size", "In bytes.")
        public static let excerpt = Member<String>("excerpt", "How it begins.")
        public static let firstSeen = Member<InstantText>("first_seen")
        public static let lastSeen = Member<InstantText>("last_seen", "When an answer last had it.")

        public static var memberList: [MemberDescription] {
            describe(.nothing, entry, site, pointer, reason, id, size, excerpt, firstSeen, lastSeen)
        }

        /// The members as members of a result that only one action has.
        fileprivate static var optionalList: [MemberDescription] {
            memberList.map {
                MemberDescription(
                    name: $0.name, shape: $0.shape, isRequired: false,
                    summary: $0.summary.isEmpty ? "get: as in entries." : "get: as in entries. " + $0.summary,
                    limited: $0.limited)
            }
        }
    }

    /// An entry that `retry` has made a record of.
    public enum Accepted: ResultObject {
        public static var typeName: String { "QuarantineAcceptedItem" }

        public static let entry = Member<Int64>("entry")
        public static let id = Member<String>("id", "The id of the record.")

        public static var memberList: [MemberDescription] { describe(.nothing, entry, id) }
    }

    /// An entry that `retry` has left in quarantine.
    public enum Refused: ResultObject {
        public static var typeName: String { "QuarantineRefusedItem" }

        public static let entry = Member<Int64>("entry")
        public static let reason = Member<String>("reason")

        public static var memberList: [MemberDescription] { describe(.nothing, entry, reason) }
    }
}

extension MethodDescription {
    static let quarantine = MethodDescription(
        .quarantine, "quarantine",
        summary: "Lists and answers what an upstream sent that is no record, tries it again, or drops it.",
        polish:
            "Wymienia i zwraca to, co przysłał serwer, a co nie jest rekordem; próbuje tego ponownie albo to porzuca.",
        hasEffect: true, parameters: QuarantineParameters.self, result: QuarantineResult.self,
        example: { parameters in
            parameters.collection = placeholder
            parameters.limit = 10
        })
}
