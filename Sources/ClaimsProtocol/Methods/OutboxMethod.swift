// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

public import ClaimsModel

/// The actions of `outbox` on operations.
public enum OutboxAction: String, ChoiceParameterValue, Sendable, CaseIterable {
    case list, get, wait, retry, hold, drop, resolve
}

/// The ways in which `resolve` ends a doubt or a conflict.
public enum OutboxResolution: String, ChoiceParameterValue, Sendable, CaseIterable {
    /// For a conflict: the operation is made again, over the values that are served now.
    case mine
    /// For an uncertain or unconfirmed operation: the upstream has done it.
    case done
    /// For an uncertain operation: it is sent again.
    case again

    /// The decision for this word.
    public var decision: OperationDecision {
        switch self {
        case .mine: .resolveMine
        case .done: .resolveDone
        case .again: .resolveAgain
        }
    }

    /// The way for a decision; nil for a decision that resolves nothing.
    public init?(_ decision: OperationDecision) {
        guard let way = Self.allCases.first(where: { $0.decision == decision }) else { return nil }
        self = way
    }
}

/// The parameters of `outbox`: an action, and the operations that it is about.
public struct OutboxParameters: MethodParameters, Equatable {
    public var action = OutboxAction.list
    /// The UUIDs of operations; nil if ``collection`` and ``state`` select them.
    public var ops: NameList?
    /// The name of a collection, or its singular; nil for all collections.
    public var collection: String?
    /// A state of operations, ``unsettled`` or ``stuck``; nil for every state.
    public var state: String?
    /// The corrected values of `retry`, by field; null clears one.
    public var fields: FieldValues?
    /// The way in which `resolve` ends it.
    public var resolution: OutboxResolution?
    /// The id that the upstream has given to a new record, with ``OutboxResolution/done``.
    public var id: RecordID?
    /// The maximum number of operations on a page, from 1 to ``PageParameters/maxLimit``; nil for
    /// ``PageParameters/defaultLimit``.
    public var limit: Int64?
    /// The `next` of the previous page; nil for the first page.
    public var cursor: String?
    /// The language of messages, such as `pl`.
    public var language: String?

    /// The value of ``state`` for every state in which an operation waits for a person.
    public static let stuck = "stuck"
    /// The value of ``state`` for every state that will still change.
    public static let unsettled = "unsettled"

    public static var action: Parameter<OutboxAction> {
        Parameter(
            "action",
            "List operations, get them with their values, wait until none is queued or sending, or change what "
                + "becomes of them.",
            default: .list)
    }
    public static var ops: Parameter<NameList> { Parameter("ops", "The UUIDs of operations.") }
    public static var state: Parameter<String> {
        Parameter(
            "state",
            "Operations in this state; unsettled: in any but confirmed, done and dropped; stuck: in any in which they "
                + "wait for a person.")
    }
    public static var fields: Parameter<FieldValues> {
        Parameter("fields", "retry: corrected values, for one operation that was rejected or never sent.")
    }
    public static var resolution: Parameter<OutboxResolution> {
        Parameter(
            "as",
            "resolve: mine (a conflict: again, over what is served now), done (the upstream has it), or again "
                + "(uncertain: send it once more).")
    }
    public static var id: Parameter<RecordID> {
        Parameter("id", "resolve as done: the id that the upstream gave to the new record.")
    }
    private static var limit: Parameter<Int64> {
        Parameter(
            "limit", "How many operations a page has; \(PageParameters.defaultLimit) by default.",
            range: .fixed(1...Int64(PageParameters.maxLimit)))
    }

    public init() {}

    public mutating func visit<Visitor: ParameterVisitor & ~Copyable & ~Escapable>(
        _ visitor: inout Visitor
    ) throws(Visitor.Failure) {
        try visitor.defaulted(Self.action, &action)
        try visitor.optional(Self.ops, &ops)
        try visitor.optional(.anyCollection, &collection)
        try visitor.optional(Self.state, &state)
        try visitor.optional(Self.fields, &fields)
        try visitor.optional(Self.resolution, &resolution)
        try visitor.optional(Self.id, &id)
        try visitor.optional(Self.limit, &limit)
        try visitor.optional(Parameter("cursor", "The `next` of the page before."), &cursor)
    }
}

extension OutboxParameters {
    /// A person's decision about operations.
    ///
    /// The caller adds ``fields`` to ``OperationDecision/correct``, and the id of a new record to
    /// ``OperationDecision/resolveDone``.
    public init(_ decision: OperationDecision, about ops: [String]) {
        self.ops = NameList(ops)
        resolution = OutboxResolution(decision)
        action =
            switch decision {
            case .retry, .correct: .retry
            case .hold: .hold
            case .drop: .drop
            case .resolveMine, .resolveDone, .resolveAgain: .resolve
            }
    }

    /// The requested decision; nil if nothing is decided, and for a `resolve` that does not name the way.
    public var decision: OperationDecision? {
        switch action {
        case .list, .get, .wait: nil
        case .retry: fields == nil ? .retry : .correct
        case .hold: .hold
        case .drop: .drop
        case .resolve: resolution?.decision
        }
    }
}

/// The result of `outbox`: operations, or the changes by the action.
public enum OutboxResult: ResultObject {
    public static let operations = Member<[Operation]>.optional(
        "operations", "list, get and wait: the operations, the newest first.")
    public static let total = Member<Int>.optional("total", "list: how many there are.")
    public static let next = Member<String>.optional("next", "list: the cursor of the next page.")
    public static let paused = Member<[PausedOrigin]>.optional("paused", "Origins that are not sent to now.")
    public static let changed = Member<[String]>.optional("changed", "The operations that the action has changed.")
    public static let refused = Member<[Refused]>.optional(
        "refused", "Those whose state does not allow the action, or that it is not yours to change.")
    public static let missing = Member<[String]>.optional("missing", "Those that are not known.")
    public static let clock = Member<String>.optional("clock", "The clock afterwards.")

    public static var memberList: [MemberDescription] {
        describe(.rows, operations, total, next) + describe(.nothing, paused)
            + describe(.rows, changed, refused, missing) + describe(.all, clock)
    }

    /// An operation that its state keeps from an action.
    public enum Refused: ResultObject {
        public static let op = Member<String>("op")
        public static let state = Member<String>("state")
        public static let resolve = Member<[String]>.optional(
            "resolve",
            "retry: it may have been done, and only resolve goes on with it; these are the values for as.")

        public static var memberList: [MemberDescription] { describe(.rows, op, state, resolve) }
    }

    /// An operation in the outbox.
    public enum Operation: ResultObject {
        public static let op = Member<String>("op")
        public static let collection = Member<String>("collection")
        public static let id = Member<String>("id", "The id of the record.")
        public static let action = Member<String>("action")
        public static let fields = Member<[String]>("fields", "The fields that it gives or sets.")
        public static let state = Member<String>(
            "state",
            "queued, sending, accepted; held, uncertain, conflict, rejected, unconfirmed; confirmed, done, dropped.")
        public static let reason = Member<String>.optional("reason", "Why it is held.")
        public static let message = Member<String>.optional("message", "What people read about its state.")
        public static let attempts = Member<Int>.optional("attempts", "How often it was sent; not of a settled one.")
        public static let nextTry = Member<InstantText>.optional("next_try", "It is not sent before then.")
        public static let waitsFor = Member<String>.optional("waits_for", "The operation that goes before it.")
        public static let stuckBehind = Member<String>.optional(
            "stuck_behind", "The operation before it that waits for a person.")
        public static let submittedAt = Member<InstantText>("submitted_at")
        public static let submittedBy = Member<String>("submitted_by", "The name of the user.")
        public static let values = Member<RecordObject>.optional(
            "values", "get: the values that it gives or sets; null clears one.")
        public static let before = Member<RecordObject>.optional("before", "get: these fields as they were.")
        public static let theirs = Member<RecordObject>.optional(
            "theirs", "get, of a conflict: these fields as the upstream has them; empty where it has no such record.")
        public static let answer = Member<Answer>.optional(
            "answer", "get: the last answer of the upstream; for its author and admin.")
        public static let log = Member<[Attempt]>.optional("log", "get: the last 20 attempts, the newest first.")

        public static var memberList: [MemberDescription] {
            describe(.rows, op, collection, id, action, fields, state, reason, message, attempts, nextTry)
                + describe(.nothing, waitsFor, stuckBehind) + describe(.rows, submittedAt, submittedBy)
                + describe(.rows, values) + describe(.nothing, before, theirs, answer) + describe(.rows, log)
        }
    }

    /// The answer of an upstream to an operation.
    public enum Answer: ResultObject {
        public static let status = Member<Int>("status", "The status of the HTTP response.")
        public static let body = Member<String>.optional("body", "The first 4 KiB of it, where that is UTF-8.")
        public static let base64 = Member<String>.optional("base64", "The same where it is not.")

        public static var memberList: [MemberDescription] { describe(.nothing, status, body, base64) }
    }

    /// One attempt to send an operation.
    public enum Attempt: ResultObject {
        public static let attempt = Member<Int>("attempt", "Its number, from 1.")
        public static let at = Member<InstantText>("at")
        public static let state = Member<String>.optional(
            "state", "The state of the operation after it; not while it goes on.")
        public static let status = Member<Int>.optional("status", "The status of the HTTP response.")
        public static let message = Member<String>.optional("message", "What people read.")

        public static var memberList: [MemberDescription] { describe(.rows, attempt, at, state, status, message) }
    }
}

extension MethodDescription {
    static let outbox = MethodDescription(
        .outbox, "outbox",
        summary: "Lists operations that are to go to upstreams, waits for them, and ends doubts and conflicts.",
        polish: "Wymienia operacje, które idą do serwerów, czeka na nie i rozstrzyga wątpliwości oraz konflikty.",
        hasEffect: true, parameters: OutboxParameters.self, result: OutboxResult.self, example: { $0.limit = 10 })
}
