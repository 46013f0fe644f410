// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// The parameters of `fleet`.
public struct FleetParameters: MethodParameters, Equatable {
    /// The language of messages, such as `pl`; nil for the daemon's setting.
    public var language: String?

    public init() {}

    public mutating func visit<Visitor: ParameterVisitor & ~Copyable & ~Escapable>(
        _ visitor: inout Visitor
    ) throws(Visitor.Failure) {
    }
}

/// The result of `fleet`: the hosts that may ask upstreams, and how the sources are that they share.
public enum FleetResult: ResultObject {
    public static let name = Member<String?>("name", "The name of the fleet; null where this host belongs to none.")
    public static let host = Member<String>("host", "The name of this host.")
    public static let addresses = Member<[Address]>("addresses", "The leaders, in the order in which they take over.")
    public static let sources = Member<[SharedSource]>("sources", "The sources that are shared.")

    public static let marks = Member<SharedMarks?>(
        "marks", "The archive marks that are shared through a database; null where they are each host's own.")

    public static var memberList: [MemberDescription] {
        describe(.all, name, host, addresses) + describe(.rows, sources) + describe(.all, marks)
    }

    /// A host that may ask, as this one sees it.
    public enum Address: ResultObject {
        public static var typeName: String { "FleetAddress" }

        public static let host = Member<String>("host")
        public static let url = Member<String>("url", "Where its folder is served, without secrets.")
        public static let contact = Member<InstantText?>(
            "contact", "When it last answered with a good head; null: never.")
        public static let error = Member<RefreshFailure?>("error", "Why the last look brought no good head.")
        public static let clockDifference = Member<Int64?>(
            "clock_ms", "How far the clock of the address is ahead of this one; null where it does not say.")

        public static var memberList: [MemberDescription] { describe(.all, host, url, contact, error, clockDifference) }
    }

    /// The state of the archive marks that are shared.
    public enum SharedMarks: ResultObject {
        public static var typeName: String { "FleetMarks" }

        public static let contact = Member<InstantText?>("contact", "When the database last answered; null: never.")
        public static let queued = Member<Int64>("queued", "How many marks of this host the database may not have.")
        public static let unshared = Member<Int64>(
            "unshared", "How many marks stay on this host, because their ids are over 1 KiB.")
        public static let clockDifference = Member<Int64?>(
            "clock_ms", "How far the clock of the database is ahead of this one.")
        public static let error = Member<RefreshFailure?>("error", "Why marks are not shared now.")

        public static var memberList: [MemberDescription] {
            describe(.all, contact, queued, unshared, clockDifference, error)
        }
    }

    /// A source as the host that asks has published it.
    public enum SharedSource: ResultObject {
        public static var typeName: String { "FleetSource" }

        public static let source = Member<String>(
            "source", "COLLECTION, or COLLECTION:SITE in a collection with sites.")
        public static let leader = Member<String?>("leader", "The host that asks the upstream; null: none is known.")
        public static let role = Member<String>(
            "role",
            "leads: this host asks; may: it takes over should the leader be silent; follows: it never asks; home: its records are written here."
        )
        public static let issuedAt = Member<InstantText?>("issued_at", "When the leader said how the source is.")
        public static let asOf = Member<InstantText?>("as_of", "When the upstream confirmed what the leader has.")
        public static let nextRefresh = Member<InstantText?>("next_refresh", "When the leader asks next.")
        public static let isOverdue = Member<Bool>(
            "overdue", "Whether the leader has not said so when it announced it.")
        public static let state = Member<String?>("state", "Names the records and joined values that the leader has.")
        public static let request = Member<String?>(
            "request", "Whether this host would ask for the same: same or differs; null without a leader.")
        public static let definition = Member<String?>(
            "definition", "Whether this host decodes records as the leader does.")
        public static let access = Member<String?>("access", "Whether the rules of access are those of the leader.")
        public static let error = Member<RefreshFailure?>("error", "Why the data here is not newer.")

        public static var memberList: [MemberDescription] {
            describe(
                .all, source, leader, role, issuedAt, asOf, nextRefresh, isOverdue, state, request, definition, access,
                error)
        }
    }
}

extension MethodDescription {
    static let fleet = MethodDescription(
        .fleet, "fleet", summary: "Tells which hosts share sources with this one, and which of them asks the upstream.",
        polish: "Mówi, które hosty dzielą źródła z tym i który z nich pyta serwer.",
        parameters: FleetParameters.self, result: FleetResult.self)
}
