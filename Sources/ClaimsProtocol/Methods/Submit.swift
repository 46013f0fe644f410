// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// The parameters of `submit`: one operation on one record, with the values and files that it gives.
public struct SubmitParameters: MethodParameters, Equatable {
    /// The name of the collection, or its singular; required.
    public var collection = ""
    /// `create`, `update`, `delete`, or the name of an action of the definition; required.
    public var action = ""
    /// The id of the record; nil for `create`.
    public var id: RecordID?
    /// The values that the operation gives, by field; null clears one.
    public var fields: FieldValues?
    /// The uploads whose files the record gets, in their order.
    public var attach: NameList?
    /// The files that the record loses, by SHA-256 in hexadecimal; only if this host is the truth.
    public var detach: NameList?
    /// Values that the record must have now, by field; null for an absent one.
    public var expect: FieldValues?
    /// The UUID of the operation; nil if the daemon makes one.
    public var op: String?
    /// Whether the answer is only a preview, and nothing is submitted.
    public var isDryRun = false
    /// The IANA name of the time zone of days in the rules and values; nil for UTC.
    public var timeZone: String?
    /// The language of messages, such as `pl`.
    public var language: String?

    public static var action: Parameter<String> {
        Parameter("action", "create, update, delete, or the name of an action of the definition.")
    }
    public static var id: Parameter<RecordID> { Parameter("id", "The id of the record; create has none.") }
    public static var fields: Parameter<FieldValues> {
        Parameter("fields", "The values by field; null clears one.")
    }
    public static var attach: Parameter<NameList> {
        Parameter("attach", "Uploads of attach, whose files the record gets.")
    }
    public static var detach: Parameter<NameList> {
        Parameter(
            "detach",
            "Files that the record loses, by SHA-256, or one of several equal files by SHA-256/NAME; only where this host is the truth."
        )
    }
    public static var expect: Parameter<FieldValues> {
        Parameter("expect", "Values that the record must have now, else conflict; null is an absent one.")
    }
    public static var op: Parameter<String> {
        Parameter("op", "A UUID: with the same one again, the first outcome is answered and nothing is done.")
    }

    public init() {}

    public mutating func visit<Visitor: ParameterVisitor & ~Copyable & ~Escapable>(
        _ visitor: inout Visitor
    ) throws(Visitor.Failure) {
        try visitor.required(.collection, &collection)
        try visitor.required(Self.action, &action)
        try visitor.optional(Self.id, &id)
        try visitor.optional(Self.fields, &fields)
        try visitor.optional(Self.attach, &attach)
        try visitor.optional(Self.detach, &detach)
        try visitor.optional(Self.expect, &expect)
        try visitor.optional(Self.op, &op)
        try visitor.defaulted(
            Parameter("dry_run", "Check everything, and show what would become of it.", default: false), &isDryRun)
        try visitor.optional(.timeZone, &timeZone)
    }
}

/// The result of `submit`: the operation, its state, and its changes.
public enum SubmitResult: ResultObject {
    public static let op = Member<String>("op", "The UUID of the operation.")
    public static let id = Member<String>(
        "id", "The id of the record; of a new one op, until the upstream gives it an id.")
    public static let action = Member<String>("action", "The action, as it was submitted.")
    public static let state = Member<String>(
        "state", "done (this host is the truth, or nothing differs), queued, or held until somebody looks at it.")
    public static let changed = Member<[String]>("changed", "The fields whose values differ.")
    public static let record = Member<RecordObject>.optional("record", "The record as it is served now.")
    public static let request = Member<Request>.optional(
        "request", "With dry_run: what the upstream would be sent, without credentials.")
    public static let clock = Member<String>("clock", "The clock after the operation.")
    public static let isRepeated = Member<Bool>.optional(
        "repeated", "True: the operation was known, and nothing was done.")

    public static var memberList: [MemberDescription] {
        describe(.all, op, id, action, state) + describe(.rows, changed, record, request)
            + describe(.all, clock, isRepeated)
    }

    /// A request to an upstream, as a preview shows it.
    public enum Request: ResultObject {
        public static let method = Member<String>("method")
        public static let url = Member<String>("url")
        public static let headers = Member<ObjectMap<String>>("headers", "Without credentials.")
        public static let body = Member<AnyResult>.optional("body", "The JSON of the body, where it has one.")

        public static var memberList: [MemberDescription] { describe(.rows, method, url, headers, body) }
    }
}

extension MethodDescription {
    static let submit = MethodDescription(
        .submit, "submit", summary: "Adds, edits or deletes a record, or does another action of its definition.",
        polish: "Dodaje, zmienia lub usuwa rekord albo wykonuje inną akcję z jego definicji.", role: .write,
        hasEffect: true, parameters: SubmitParameters.self, result: SubmitResult.self,
        example: { parameters in
            parameters.collection = placeholder
            parameters.action = "create"
            parameters.fields = [:]
            parameters.isDryRun = true
        })
}
