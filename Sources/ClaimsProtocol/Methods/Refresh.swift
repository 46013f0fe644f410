// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// The parameters of `refresh`: the collection to fetch again, and how.
public struct RefreshParameters: MethodParameters, Equatable {
    /// The name of the collection, or its singular; nil refreshes all collections.
    public var collection: String?
    /// Whether the answer waits until the refresh has ended.
    public var isWaiting = false
    /// Whether the refresh ignores backoff, Retry-After (RFC 9110, section 10.2.3) and validators; true needs the role
    /// `admin`.
    public var isForced = false
    /// Whether the refresh accepts changes that the guard holds or would hold; true needs the role `admin`.
    public var isAccepted = false
    /// The language of messages, such as `pl`; nil for the daemon's setting.
    public var language: String?

    public init() {}

    public mutating func visit<Visitor: ParameterVisitor & ~Copyable & ~Escapable>(
        _ visitor: inout Visitor
    ) throws(Visitor.Failure) {
        try visitor.optional(.anyCollection, &collection)
        try visitor.defaulted(Parameter("wait", "Answer when it is done.", default: false), &isWaiting)
        try visitor.defaulted(
            Parameter(
                "force", "Now, whatever backoff or Retry-After say, and without validators; needs admin.",
                default: false), &isForced)
        try visitor.defaulted(
            Parameter("accept", "Take what the guard holds or would hold; needs admin.", default: false), &isAccepted)
        try visitor.optional(.language, &language)
    }
}

/// The result of `refresh`: the outcome for each collection.
public enum RefreshResult: ResultObject {
    public static let collections = Member<[Outcome]>(
        "collections", "collection, outcome, added, updated, removed, volatile, quarantined and meta of each.")

    public static var memberList: [MemberDescription] { describe(collections) }

    /// The outcome of the refresh of one collection.
    public enum Outcome: ResultObject {
        public static let collection = Member<String>("collection")
        public static let outcome = Member<String>(
            "outcome", "started, updated, unchanged, failed, held or skipped.")
        public static let added = Member<Int>("added")
        public static let updated = Member<Int>("updated")
        public static let removed = Member<Int>("removed")
        public static let volatile = Member<Int>("volatile", "Records in which only volatile members differ.")
        public static let quarantined = Member<Int>("quarantined")
        public static let until = Member<InstantText>.optional("until", "Before then the upstream is not asked.")
        public static let meta = Member<Meta?>("meta")

        public static var memberList: [MemberDescription] {
            describe(collection, outcome, added, updated, removed, volatile, quarantined, until, meta)
        }
    }
}

extension MethodDescription {
    static let refresh = MethodDescription(
        .refresh, summary: "Asks the upstream now.", hasEffect: true,
        parameters: RefreshParameters.self, result: RefreshResult.self, example: { $0.isWaiting = true })
}
