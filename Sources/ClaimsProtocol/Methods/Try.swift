// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// The parameters of `try`: the collection whose definition files are tried.
public struct TryParameters: MethodParameters, Equatable {
    /// The name of the collection, or the singular of a served one.
    public var collection = ""
    /// The site that is asked; nil for the first one of a definition with sites.
    public var site: String?
    /// Whether only changes are asked for.
    public var isIncremental = false
    /// Whether notifications report the progress of the trial until the answer.
    public var isWatching = false
    /// The language of messages, such as `pl`; nil for the daemon's setting.
    public var language: String?

    public static var site: Parameter<String> { Parameter("site", "The site to ask; null: the first.") }
    public static var incremental: Parameter<Bool> {
        Parameter("incremental", "Ask only for what has changed.", default: false)
    }

    public init() {}

    public mutating func visit<Visitor: ParameterVisitor & ~Copyable & ~Escapable>(
        _ visitor: inout Visitor
    ) throws(Visitor.Failure) {
        try visitor.required(
            Parameter("collection", "The name of the collection; it need not be served yet."), &collection)
        try visitor.optional(Self.site, &site)
        try visitor.defaulted(Self.incremental, &isIncremental)
        try visitor.defaulted(
            Parameter("progress", "Tell how far it is, in notifications before the answer.", default: false),
            &isWatching)
    }
}

/// The result of `try`: the effect that a refresh by the files would have. Secrets in it are `***`.
public enum TryResult: ResultObject {
    public static let outcome = Member<String>("outcome", "would_update, unchanged, held, failed or invalid.")
    public static let site = Member<String>.optional("site", "The site that was asked, in a definition with sites.")
    public static let problems = Member<[StatusResult.Problem]>("problems", "The mistakes in the files.")
    public static let requests = Member<[Request]>("requests", "The first 20 requests.")
    public static let error = Member<Refusal?>("error", "Why there are no records, or why the join gave nothing.")
    public static let counts = Member<Counts>(
        "counts", "How many records came, and how many of them a refresh would change.")
    public static let fields = Member<ObjectMap<Field>>("fields", "For each field how many records have a value.")
    public static let quarantined = Member<[Refused]>("quarantined", "The first 20 elements that are no records.")
    public static let drift = Member<StatusResult.Drift>(
        "drift", "New enum values, new members and wrong types in what came.")
    public static let shrinkGuard = Member<String?>(
        "guard", "Why the guard would hold the answer back; null where it would not.")
    public static let sample = Member<[RecordObject]>("sample", "The first 10 records, as they would be served.")
    public static let changes = Member<Changes>("changes", "The first 20 ids of each kind, against what is served.")

    public static var memberList: [MemberDescription] {
        describe(
            .nothing, outcome, site, problems, requests, error, counts, fields, quarantined, drift, shrinkGuard, sample,
            changes)
    }

    /// One request to the upstream.
    public enum Request: ResultObject {
        public static let method = Member<String>("method")
        public static let url = Member<String>("url")
        public static let status = Member<Int>.optional("status", "The status of the answer, if one came.")
        public static let time = Member<Int64>("ms", "How long it took, in milliseconds.")
        public static let bytes = Member<Int>("bytes", "The size of the answer as received.")
        public static let elements = Member<Int>.optional("elements", "The number of elements of a page of records.")

        public static var memberList: [MemberDescription] {
            describe(.nothing, method, url, status, time, bytes, elements)
        }
    }

    /// The reason of a failure, with the upstream's answer.
    public enum Refusal: ResultObject {
        public static var typeName: String { "TryError" }

        public static let kind = Member<String>("kind", "What programs branch on.")
        public static let reason = Member<String>.optional("reason", "The finer cause.")
        public static let status = Member<Int>.optional("status", "The status of the HTTP response.")
        public static let message = Member<String>("message", "What people read.")
        public static let body = Member<String>.optional(
            "body", "The first 2 KiB of a body that refuses, or of what stands at `fails`.")

        public static var memberList: [MemberDescription] { describe(.nothing, kind, reason, status, message, body) }
    }

    /// The changes that a refresh would make, as numbers of records.
    public enum Counts: ResultObject {
        public static let records = Member<Int>("records")
        public static let added = Member<Int>("added")
        public static let updated = Member<Int>("updated")
        public static let removed = Member<Int>("removed")
        public static let quarantined = Member<Int>("quarantined")

        public static var memberList: [MemberDescription] {
            describe(.nothing, records, added, updated, removed, quarantined)
        }
    }

    /// The number of records in which a field has a value.
    public enum Field: ResultObject {
        public static let filled = Member<Int>("filled")
        public static let wrong = Member<Int>("wrong", "Values of a type that the field cannot have.")

        public static var memberList: [MemberDescription] { describe(.nothing, filled, wrong) }
    }

    /// An element that is no record.
    public enum Refused: ResultObject {
        public static var typeName: String { "TryQuarantinedItem" }

        public static let pointer = Member<String>("pointer", "Where it, or what is wrong in it, is in its page.")
        public static let reason = Member<String>("reason")
        public static let excerpt = Member<String>("excerpt", "How it begins.")

        public static var memberList: [MemberDescription] { describe(.nothing, pointer, reason, excerpt) }
    }

    /// The ids of what would change.
    public enum Changes: ResultObject {
        public static let added = Member<[String]>("added")
        public static let updated = Member<[String]>("updated")
        public static let removed = Member<[String]>("removed")

        public static var memberList: [MemberDescription] { describe(.nothing, added, updated, removed) }
    }
}

extension MethodDescription {
    static let attempt = MethodDescription(
        .attempt, "try", summary: "Fetches what the files of a definition ask for, and tells what a refresh would do.",
        polish: "Pobiera to, o co proszą pliki definicji, i mówi, co zrobiłoby odświeżenie.",
        role: .admin, parameters: TryParameters.self, result: TryResult.self,
        example: { $0.collection = placeholder })
}
