// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// The parameters of `forget`: the removed collection to erase, or records of a collection.
public struct ForgetParameters: MethodParameters, Equatable {
    /// The name of a collection whose definition was removed, or with ``ids`` of any; required.
    public var collection = ""
    /// The ids of the records to erase, 1 to ``maxIDs``; nil to erase a removed collection.
    public var ids: RecordIDList?
    /// Whether the answer only shows what would be erased, and nothing is erased.
    public var isDryRun = false
    /// The language of messages, such as `pl`; nil for the daemon's setting.
    public var language: String?

    /// The maximum number of ids in one request; a request with more is refused with `too_large`.
    public static let maxIDs = 1000

    public static var ids: Parameter<RecordIDList> {
        Parameter("ids", "The ids of the records to erase; without them a removed collection is erased.")
    }
    public static var dryRun: Parameter<Bool> {
        Parameter("dry_run", "With ids: tell what would be erased, and erase nothing.", default: false)
    }

    public init() {}

    public mutating func visit<Visitor: ParameterVisitor & ~Copyable & ~Escapable>(
        _ visitor: inout Visitor
    ) throws(Visitor.Failure) {
        try visitor.required(
            Parameter("collection", "The name of a collection whose definition was removed, or with ids of any."),
            &collection)
        try visitor.optional(Self.ids, &ids)
        try visitor.defaulted(Self.dryRun, &isDryRun)
    }
}

/// The result of `forget`: the numbers of erased records.
public enum ForgetResult: ResultObject {
    public static let records = Member<Int>("records", "How many records were erased.")
    public static let forgotten = Member<[String]>.optional("forgotten", "With ids: those of which nothing is left.")
    public static let missing = Member<[String]>.optional("missing", "With ids: those of which there was nothing.")
    public static let refused = Member<[String]>.optional(
        "refused", "With ids: those that stay, because they have unsettled operations.")
    public static let returns = Member<[String]>.optional(
        "returns",
        "With ids: the forgotten ones that the upstream still listed. Its next answer brings them as new, unless they are erased there first."
    )
    public static let clock = Member<String>("clock", "The clock of all collections.")

    public static var memberList: [MemberDescription] {
        describe(.rows, records, forgotten, missing, refused, returns) + describe(.all, clock)
    }
}

extension MethodDescription {
    static let forget = MethodDescription(
        .forget, "forget",
        summary:
            "Erases a removed collection, or records: with archive marks and history. Nothing brings them back.",
        polish: "Wymazuje usuniętą kolekcję albo rekordy: ze znakami archiwum i historią. Nic ich nie przywróci.",
        role: .admin, hasEffect: true, parameters: ForgetParameters.self, result: ForgetResult.self,
        example: { $0.collection = placeholder })
}
