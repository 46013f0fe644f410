// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// The parameters of `status`: the language of its texts.
public struct StatusParameters: MethodParameters, Equatable {
    /// The language of titles and messages, such as `pl`; nil for the daemon's setting.
    public var language: String?

    public init() {}

    public mutating func visit<Visitor: ParameterVisitor & ~Copyable & ~Escapable>(
        _ visitor: inout Visitor
    ) throws(Visitor.Failure) {
    }
}

/// The result of `status`: the state of the daemon and of each collection.
public enum StatusResult: ResultObject {
    public static let version = Member<String>("version", "The version of the daemon.")
    public static let uptime = Member<Int64>("uptime_ms", "How long it has served, in milliseconds.")
    public static let clock = Member<String>("clock", "The clock of all collections.")
    public static let clients = Member<Int>("clients", "How many connections there are.")
    public static let requests = Member<Int>("requests", "How many requests it has answered since its start.")
    public static let memory = Member<Int64?>("memory_bytes", "Anonymous memory in use.")
    public static let disk = Member<Int64?>("disk_bytes", "Bytes of state and cache on disk.")
    public static let keptLog = Member<Int64>.optional(
        "kept_log_bytes",
        "The size of the write-ahead log of the state database, if another program keeps it over its bound.")
    public static let configurationFolder = Member<String>(
        "config_dir", "The folder of its configuration, with the definitions in collections.d.")
    public static let reload = Member<String>("reload", "The command that makes it read its configuration again.")
    public static let collections = Member<[Collection]>(
        "collections",
        "name, title, total, archived, history, ttl_ms, expires_ms, hint (what to do, if anything) and meta of each.")
    public static let outbox = Member<Outbox>.optional(
        "outbox", "How many operations are to go to upstreams, by their state; meta.pending counts records.")
    public static let hosts = Member<[Host]>(
        "hosts", "The hosts of upstreams that are asked, waited for, or want no requests for some time.")
    public static let problems = Member<[Problem]>(
        "problems", "The mistakes in the configuration that stand; at most 64.")
    public static let problemsTotal = Member<Int>("problems_total", "How many mistakes stand in all.")
    public static let removed = Member<[Removed]>(
        "removed", "Collections whose definitions are gone, and whose records are kept for a while.")
    public static let drift = Member<ObjectMap<Drift>>(
        "drift",
        "By collection, what its definition does not know: values, members, types, unlisted (claimsd-collections(5)).")

    public static var memberList: [MemberDescription] {
        describe(.all, version, uptime, clock, clients, requests) + describe(.nothing, memory, disk, keptLog)
            + describe(.all, configurationFolder, reload) + describe(.rows, collections)
            + describe(.nothing, outbox, hosts) + describe(.rows, problems, problemsTotal) + describe(.nothing, removed)
            + describe(.rows, drift)
    }

    /// The operations of all collections that are to go to upstreams, and are not settled.
    public enum Outbox: ResultObject {
        public static let queued = PendingCounts.queued
        public static let accepted = PendingCounts.accepted
        public static let stuck = PendingCounts.stuck
        public static let oldest = Member<Int64?>("oldest_ms", "The age of the oldest, in milliseconds.")
        public static let paused = Member<[PausedOrigin]>("paused", "Origins that are not sent to now.")

        public static var memberList: [MemberDescription] {
            describe(.nothing, queued, accepted, stuck, oldest, paused)
        }
    }

    /// The requests at a host, over all its ports.
    public enum Host: ResultObject {
        public static let host = Member<String>("host")
        public static let concurrency = Member<Int>("concurrency", "How many requests it may get at once.")
        public static let rate = Member<String?>(
            "rate", "How many may begin in a time, such as `100/min`; null for no such bound.")
        public static let inFlight = Member<Int>("in_flight", "How many requests are under way.")
        public static let waiting = Member<Int>("waiting", "How many requests wait.")
        public static let until = Member<InstantText>.optional("until", "Until when the host wants no requests.")

        public static var memberList: [MemberDescription] {
            describe(.nothing, host, concurrency, rate, inFlight, waiting, until)
        }
    }

    /// The state of one collection in the answer of `status`.
    public enum Collection: ResultObject {
        public static let name = Member<String>("name")
        public static let title = Member<String>("title")
        public static let total = Member<Int>("total")
        public static let archived = Member<Int>("archived")
        public static let history = Member<History>.optional(
            "history", "How far the log of changes goes back, and its size; missing in a limited view.")
        public static let layers = Member<[Layer]>.optional(
            "layers", "The files of its records, for administrators: the one with all of them first.")
        public static let mergeWaiting = Member<Bool>.optional(
            "merge_waiting",
            "true where these files are to be merged, and the disk has no room for the new one; for administrators.")
        public static let sites = Member<[SiteState]>.optional("sites", "The state of each site, if there are sites.")
        public static let held = Member<Held>.optional("held", "Data that the guard holds back.")
        public static let hint = Member<String>.optional("hint", "What somebody has to do.")
        public static let ttl = Member<Int64>.optional(
            "ttl_ms", "How long an answer of the upstream counts as fresh; absent without an upstream.")
        public static let expires = Member<Int64>.optional(
            "expires_ms", "How long it may be served before it counts as expired; absent without an upstream.")
        public static let meta = Member<Meta>("meta")

        public static var memberList: [MemberDescription] {
            describe(.all, name, title) + describe(.rows, total, archived)
                + describe(.nothing, history, layers, mergeWaiting, sites, held, hint) + describe(.all, ttl, expires)
                + describe(.rows, meta)
        }
    }

    /// A file of the records of one collection: the first has all, each other one has later changes.
    public enum Layer: ResultObject {
        public static var typeName: String { "StatusCollectionLayer" }

        public static let records = Member<Int>("records", "How many records it has, gone ones too.")
        public static let bytes = Member<Int>("bytes", "Its size, with the older files that it shares records with.")

        public static var memberList: [MemberDescription] { describe(.nothing, records, bytes) }
    }

    /// The state of one site of a collection in the answer of `status`.
    public enum SiteState: ResultObject {
        public static var typeName: String { "StatusCollectionSite" }

        public static let site = Member<String>("site")
        public static let total = Member<Int>("total", "How many records are the site's.")
        public static let freshness = Member<String?>("freshness", "fresh, stale or expired; null without an answer.")
        public static let asOf = Member<InstantText?>("as_of", "When the site last confirmed its data.")
        public static let fullAsOf = Meta.fullAsOf
        public static let lastError = Member<RefreshFailure?>(
            "last_error", "Why its last refresh failed; null if it did not.")
        public static let nextRefresh = Member<InstantText?>("next_refresh")

        public static var memberList: [MemberDescription] {
            describe(.nothing, site, total, freshness, asOf, fullAsOf, lastError, nextRefresh)
        }
    }

    /// The extent of the log of changes of one collection.
    public enum History: ResultObject {
        public static var typeName: String { "StatusCollectionHistory" }

        public static let floor = Member<String>("floor", "The oldest clock from which all changes can be told.")
        public static let oldest = Member<InstantText?>("oldest", "When the oldest commit in it was made.")
        public static let changes = Member<Int>("changes", "How many changes it has.")
        public static let bytes = Member<Int>("bytes", "The size of the values in it.")

        public static var memberList: [MemberDescription] { describe(.nothing, floor, oldest, changes, bytes) }
    }

    /// The maximal number of mistakes in one answer.
    public static let maxProblems = 64

    /// A mistake in a file of the configuration, because of which something else is in force.
    public enum Problem: ResultObject {
        public static let collection = Member<String>.optional(
            "collection", "The collection concerned; none if it is the settings or a folder.")
        public static let file = Member<String>("file")
        public static let line = Member<Int64?>("line", "From 1; null if the file as a whole is meant.")
        public static let column = Member<Int64?>("column", "In characters, from 1.")
        public static let key = Member<String>("key", "The keys that lead to the value, joined by dots.")
        public static let message = Member<String>("message", "What people read.")
        public static let warning = Member<Bool>.optional(
            "warning", "true where it is no mistake, such as a folder that is missing.")

        public static var memberList: [MemberDescription] {
            describe(.rows, collection, file, line, column, key, message, warning)
        }
    }

    /// A collection whose definition was removed.
    public enum Removed: ResultObject {
        public static var typeName: String { "StatusRemovedItem" }

        public static let collection = Member<String>("collection")
        public static let records = Member<Int>("records", "How many records are kept.")
        public static let until = Member<InstantText?>(
            "until", "When they are deleted, unless the definition is back; null: not before somebody forgets them.")

        public static var memberList: [MemberDescription] { describe(.nothing, collection, records, until) }
    }

    /// A change that the guard holds back, as numbers of records.
    public enum Held: ResultObject {
        public static var typeName: String { "StatusCollectionHeld" }

        public static let since = Member<InstantText>("since")
        public static let before = Member<Int>("before")
        public static let after = Member<Int>("after")
        public static let added = Member<Int>("added")
        public static let updated = Member<Int>("updated")
        public static let removed = Member<Int>("removed")
        public static let quarantined = Member<Int>("quarantined")

        public static var memberList: [MemberDescription] {
            describe(.nothing, since, before, after, added, updated, removed, quarantined)
        }
    }

    /// The values, members and types of an upstream that the definition does not know.
    public enum Drift: ResultObject {
        public static let values = Member<[NewValue]>("values", "Codes that no vocabulary has.")
        public static let members = Member<[NewMember]>("members", "Members that no field is read from.")
        public static let types = Member<[TypeChange]>("types", "Values that do not fit the type of their field.")
        public static let unlisted = Member<Int>("unlisted", "How many more there are.")

        public static var memberList: [MemberDescription] { describe(.nothing, values, members, types, unlisted) }

        // The members that items of all three kinds have.
        public static let firstSeen = Member<InstantText?>("first_seen", "When an answer first had it.")
        public static let lastSeen = Member<InstantText?>(
            "last_seen", "When an answer last had it; answers that change nothing move it.")
        public static let example = Member<String?>("example", "The id of a record with it.")

        /// An upstream value of an enum field that is not in the field's vocabulary.
        public enum NewValue: ResultObject {
            public static var typeName: String { "StatusDriftValue" }

            public static let field = Member<String>("field")
            public static let value = Member<String>("value")
            public static let count = Member<Int>("count", "In how many records.")

            public static var memberList: [MemberDescription] {
                describe(.all, field, value, count, Drift.firstSeen, Drift.lastSeen, Drift.example)
            }
        }

        /// An upstream member that the definition does not read.
        public enum NewMember: ResultObject {
            public static var typeName: String { "StatusDriftMember" }

            public static let name = Member<String>("name")
            public static let count = Member<Int>("count", "In how many records.")

            public static var memberList: [MemberDescription] {
                describe(.all, name, count, Drift.firstSeen, Drift.lastSeen, Drift.example)
            }
        }

        /// An upstream member whose JSON type differs from the type of its field, or whose moment is in the future
        /// although it gives the state of the data.
        public enum TypeChange: ResultObject {
            public static var typeName: String { "StatusDriftType" }

            public static let field = Member<String>("field")
            public static let expected = Member<String>("expected", "The type of the field.")
            public static let found = Member<String>(
                "found", "The JSON type; future: a value of source.since that is later than its answer.")
            /// The text of `found` for a value that is later than its answer.
            public static let future = "future"
            public static let count = Member<Int>("count", "In how many records.")

            public static var memberList: [MemberDescription] {
                describe(.all, field, expected, found, count, Drift.firstSeen, Drift.lastSeen, Drift.example)
            }
        }
    }
}

extension MethodDescription {
    static let status = MethodDescription(
        .status, "status", summary: "Tells how the daemon and each collection fare.",
        polish: "Mówi, jak się mają demon i każda kolekcja.",
        parameters: StatusParameters.self, result: StatusResult.self)
}
