// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// The parameters of `refresh`: the collection to fetch again, and how.
public struct RefreshParameters: MethodParameters, Equatable {
    /// The name of the collection, or its singular; nil refreshes all collections.
    public var collection: String?
    /// The site that is asked; nil for all. It needs a collection.
    public var site: String?
    /// Whether the answer waits until the refresh has ended.
    public var isWaiting = false
    /// Whether the refresh ignores backoff, Retry-After (RFC 9110, section 10.2.3) and validators; true needs the role
    /// `admin`.
    public var isForced = false
    /// Whether the refresh accepts changes that the guard holds or would hold; true needs the role `admin`.
    public var isAccepted = false
    /// Whether notifications report the progress of the refreshes until the answer; only with ``isWaiting``.
    public var isWatching = false
    /// The language of messages, such as `pl`; nil for the daemon's setting.
    public var language: String?

    /// Whether notifications report the progress of the refreshes; false by default.
    public static var progress: Parameter<Bool> {
        Parameter("progress", "With wait: tell how far it is, in notifications before the answer.", default: false)
    }

    /// The site that is asked.
    public static var site: Parameter<String> {
        Parameter("site", "With collection: only this one of its sites; all if absent.")
    }

    public init() {}

    public mutating func visit<Visitor: ParameterVisitor & ~Copyable & ~Escapable>(
        _ visitor: inout Visitor
    ) throws(Visitor.Failure) {
        try visitor.optional(.anyCollection, &collection)
        try visitor.optional(Self.site, &site)
        try visitor.defaulted(Parameter("wait", "Answer when it is done.", default: false), &isWaiting)
        try visitor.defaulted(
            Parameter(
                "force", "Now, whatever backoff or Retry-After say, and without validators; needs admin.",
                default: false), &isForced)
        try visitor.defaulted(
            Parameter("accept", "Take what the guard holds or would hold; needs admin.", default: false), &isAccepted)
        try visitor.defaulted(Self.progress, &isWatching)
    }
}

/// The result of `refresh`: the outcome for each collection.
public enum RefreshResult: ResultObject {
    public static let collections = Member<[Outcome]>(
        "collections",
        "collection, outcome, added, updated, removed, volatile, quarantined and meta of each; and site, of each site.")

    public static var memberList: [MemberDescription] { describe(.rows, collections) }

    /// The outcome of the refresh of one source.
    public enum Outcome: ResultObject {
        public static var typeName: String { "RefreshCollection" }

        public static let collection = Member<String>("collection")
        public static let site = Member<String>.optional("site", "The site, in a collection with sites.")
        public static let outcome = Member<String>(
            "outcome", "started, updated, unchanged, failed, held or skipped.")
        public static let added = Member<Int>.optional("added")
        public static let updated = Member<Int>.optional("updated")
        public static let removed = Member<Int>.optional("removed")
        public static let volatile = Member<Int>.optional("volatile", "Records in which only volatile members differ.")
        public static let quarantined = Member<Int>.optional("quarantined")
        public static let until = Member<InstantText>.optional("until", "Before then the upstream is not asked.")
        public static let meta = Member<Meta?>("meta")

        public static var memberList: [MemberDescription] {
            describe(.all, collection, site, outcome)
                + describe(.nothing, added, updated, removed, volatile, quarantined) + describe(.all, until)
                + describe(.rows, meta)
        }
    }
}

/// The notification about the progress of the refresh of a source, for a request of `refresh` or `try` with `progress`.
public enum RefreshProgressNotification: ResultObject {
    /// The name of the notification on the wire.
    public static let method = ProgressNotification.method

    public static let request = Member<AnyResult>("request", "The id of the request.")
    public static let collection = Member<String>("collection")
    public static let site = Member<String>.optional("site", "The site, where the request names one.")
    public static let phase = Member<String>("phase", "queued, connect, receive, read or write.")
    public static let bytes = Member<Int>.optional("bytes", "How many bytes have come.")
    public static let expected = Member<Int>.optional("expected", "How many there will be, if the upstream says it.")
    public static let pages = Member<Int>.optional("pages", "How many whole pages have come.")
    public static let records = Member<Int>.optional("records", "How many records have been read.")
    public static let wait = Member<Wait>.optional("wait", "What the next request waits for, while it does.")

    public static var memberList: [MemberDescription] {
        describe(.all, request, collection, site, phase) + describe(.nothing, bytes, expected, pages, records)
            + describe(.all, wait)
    }

    /// The wait of a request for its host.
    public enum Wait: ResultObject {
        public static let host = Member<String>("host")
        public static let reason = Member<String>(
            "reason", "floor (the host wants no request), rate (its limit is used up) or retry (after a failure).")
        public static let until = Member<InstantText>("until", "When the request is made.")

        public static var memberList: [MemberDescription] { describe(.all, host, reason, until) }
    }
}

extension MethodDescription {
    static let refresh = MethodDescription(
        .refresh, "refresh", summary: "Asks the upstream now.",
        polish: "Pyta serwer teraz.", hasEffect: true,
        parameters: RefreshParameters.self, result: RefreshResult.self, example: { $0.isWaiting = true })
}
