// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// The `meta` of one collection: the age of its data, its origin, and the reason why it is not newer.
public enum Meta: ResultObject {
    public static let collection = Member<String>("collection")
    public static let state = Member<String>("state", "ready, empty, loading, failed, unconfigured or withheld.")
    public static let freshness = Member<String?>("freshness", "fresh, stale, expired or bundle.")
    public static let source = Member<String?>("source", "upstream, fleet, cache, bundle or local.")
    public static let via = Member<String>.optional("via", "The host of the fleet that has asked the upstream.")
    public static let asOf = Member<InstantText?>("as_of", "When the upstream last confirmed this data.")
    public static let age = Member<Int64?>("age_ms", "The age of the data, in milliseconds.")
    public static let generation = Member<Int64>("generation")
    public static let clock = Member<String>("clock")
    public static let quarantined = Member<Int64>.optional(
        "quarantined", "Upstream elements that are no records; missing in a limited view.")
    public static let unsupported = Member<Int64>.optional(
        "unsupported", "Records with a code that the definition does not know; missing in a limited view.")
    public static let lastError = Member<RefreshFailure?>(
        "last_error", "Why the last refresh failed; null if it did not.")
    public static let nextRefresh = Member<InstantText?>("next_refresh")
    public static let fullAsOf = Member<InstantText?>.optional(
        "full_as_of", "Since when it is certain what is gone, where the upstream is asked for changes only.")
    public static let sites = Member<SiteTotals>.optional("sites", "How many of its sites are in which state.")
    public static let definition = Member<String>.optional(
        "definition", "previous: the files have a mistake, and the definition before it is in force.")
    public static let pending = Member<PendingCounts>.optional(
        "pending",
        "How many records have operations that are not settled, by the worst of these, where writes go upstream.")

    public static let isLimited = Member<Bool>.optional(
        "limited", "true where a rule leaves out records: figures are of those that are shown.")

    public static var memberList: [MemberDescription] {
        describe(.all, collection) + describe(.rows, state)
            + describe(.all, freshness, source, via, asOf, age, generation, clock)
            + describe(.nothing, quarantined, unsupported) + describe(.rows, lastError)
            + describe(.all, nextRefresh, fullAsOf) + describe(.nothing, sites) + describe(.all, definition)
            + describe(.nothing, pending) + describe(.rows, isLimited)
    }
}

/// The number of a collection's sites in each state.
public enum SiteTotals: ResultObject {
    public static var typeName: String { "MetaSites" }

    public static let total = Member<Int>("total")
    public static let fresh = Member<Int>("fresh")
    public static let stale = Member<Int>("stale")
    public static let expired = Member<Int>("expired")
    public static let failed = Member<Int>("failed", "Those whose last refresh failed; each is counted elsewhere, too.")
    public static let never = Member<Int>("never", "Those that have never answered.")

    public static var memberList: [MemberDescription] {
        describe(.nothing, total, fresh, stale, expired, failed, never)
    }
}

/// The reason why a refresh failed.
public enum RefreshFailure: ResultObject {
    public static var typeName: String { "LastError" }

    public static let kind = Member<String>("kind", "What programs branch on.")
    public static let reason = Member<String>.optional("reason", "The finer cause, on which programs may branch.")
    public static let status = Member<Int>.optional("status", "The status of the HTTP response.")
    public static let site = Member<String>.optional("site", "The site that failed, in a collection with sites.")
    public static let host = Member<String>.optional("host", "The host of the fleet that failed, if it is another one.")
    public static let message = Member<String>("message", "What people read.")
    public static let at = Member<InstantText?>("at")

    public static var memberList: [MemberDescription] {
        describe(.all, kind, reason, status, site, host) + describe(.rows, message) + describe(.all, at)
    }
}

/// The `meta` of an answer about several collections: the worst freshness among them, and the `meta` of each.
public enum SpanningMeta: ResultObject {
    public static let clock = Member<String>("clock")
    public static let asOf = Member<InstantText?>("as_of", "When the oldest data in the answer was confirmed.")
    public static let age = Member<Int64?>("age_ms", "The age of the oldest data in the answer, in milliseconds.")
    public static let freshness = Member<String?>("freshness", "The worst in the answer.")
    public static let collections = Member<[Meta]>("collections", "The meta of each.")
    public static let skipped = Member<[SkippedCollection]>("skipped", "Collections that were not asked.")

    public static var memberList: [MemberDescription] {
        describe(.all, clock) + describe(.rows, asOf, age, freshness, collections, skipped)
    }

    /// A collection that the answer leaves out, with the reason.
    public enum SkippedCollection: ResultObject {
        public static let collection = Member<String>("collection")
        public static let state = Member<String>("state")
        public static let reason = Member<String>("reason", "What people read.")

        public static var memberList: [MemberDescription] { describe(.rows, collection, state, reason) }
    }
}

/// The `meta` of a query: a ``Meta`` for one collection, a ``SpanningMeta`` for several.
public enum QueryMeta: MemberValue {
    public static var resultShape: ResultShape { .either([Meta.resultShape, SpanningMeta.resultShape]) }
}

// The members that the results of several methods have.

extension Member where Value == QueryMeta {
    /// The `meta` member of a query's result.
    public static var meta: Self {
        Self("meta", "How old the data is, where it came from and why it is not newer.")
    }
}

extension Member where Value == Meta {
    /// The `meta` member of a result about one collection.
    public static var meta: Self {
        Self("meta", "How old the data is, where it came from and why it is not newer.")
    }
}

extension Member where Value == Int {
    /// The exact number of matching records, over all pages.
    public static var total: Self { Self("total", "How many records match, exactly.") }
}

extension Member where Value == ObjectMap<Int> {
    /// The exact number of matching records by collection, in an answer about several collections.
    public static var totals: Self { .optional("totals", "Without collection: the total of each.") }
}

/// Labels by field and code: `{FIELD: {CODE: label}}`.
///
/// In an answer about several collections an outer object adds the collection: `{COLLECTION: {FIELD: {CODE: label}}}`.
public typealias Labels = ObjectMap<AnyResult>

/// Any JSON value.
public enum AnyResult: MemberValue {
    public static var resultShape: ResultShape { .any }
}

/// One value of a field, with the number of matching records that have it.
public enum FacetValue: ResultObject {
    public static var typeName: String { "SearchFacet" }

    public static let value = Member<AnyResult>(
        "value", "A code, or a value of the field; null counts the records without a value, and comes last.")
    public static let label = Member<String>.optional("label", "The label of a code, and of null.")
    public static let count = Member<Int>("count")

    public static var memberList: [MemberDescription] { describe(.rows, value, label, count) }
}

/// An origin of upstreams that operations are not sent to for a while.
public enum PausedOrigin: ResultObject {
    public static let origin = Member<String>("origin", "Scheme, host and port.")
    public static let since = Member<InstantText>("since")
    public static let reason = Member<String>("reason", "What people read.")
    public static let nextTry = Member<InstantText>("next_try", "When one operation is sent to see.")

    public static var memberList: [MemberDescription] { describe(.nothing, origin, since, reason, nextTry) }
}

/// The notification about the progress of an operation, for a request of `outbox` with `wait`.
public enum ProgressNotification: ResultObject {
    /// The name of the notification on the wire.
    public static let method = "progress"

    public static let request = Member<AnyResult>("request", "The id of the request.")
    public static let op = Member<String>("op", "The operation.")
    public static let sent = Member<Int64>("sent", "How many bytes of the body are sent.")
    public static let size = Member<Int64>("size", "How many bytes the body has.")
    public static let file = Member<Int>.optional("file", "The file that is being sent, from 1.")
    public static let files = Member<Int>.optional("files", "How many files the operation has.")

    public static var memberList: [MemberDescription] { describe(.rows, request, op, sent, size, file, files) }
}

/// The numbers of unsettled operations by their state.
public enum PendingCounts: ResultObject {
    public static let queued = Member<Int>("queued", "To be sent, or being sent.")
    public static let accepted = Member<Int>("accepted", "The upstream has said yes, and no refresh has shown it.")
    public static let stuck = Member<Int>("stuck", "Somebody has to look at them.")

    public static var memberList: [MemberDescription] { describe(.nothing, queued, accepted, stuck) }
}

/// The member `pending` of a record: its operations that are not settled.
public enum PendingMark: ResultObject {
    public static let state = Member<String>("state", "The worst of queued, accepted and stuck.")
    public static let ops = Member<[Operation]>("ops", "The operations, in their order.")
    public static let fields = Member<[String]>("fields", "The fields that they give or set.")
    public static let attachments = Member<[AttachmentEntry]>.optional("attachments", "The files under way.")

    public static var memberList: [MemberDescription] { describe(.rows, state, ops, fields, attachments) }

    /// An operation of the record.
    public enum Operation: ResultObject {
        public static let op = Member<String>("op")
        public static let action = Member<String>("action")
        public static let state = Member<String>("state", "The state of the operation, as outbox tells it.")
        public static let message = Member<String>.optional("message", "detail: what people read about it.")

        public static var memberList: [MemberDescription] { describe(.rows, op, action, state, message) }
    }
}

/// A file of a record, as its field and `pending.attachments` list it.
public enum AttachmentEntry: ResultObject {
    public static let name = Member<String>("name")
    public static let type = Member<String>("type", "The media type, such as image/jpeg.")
    public static let size = Member<Int64>("size", "In bytes.")
    public static let sha256 = Member<String>("sha256", "In hexadecimal.")

    public static var memberList: [MemberDescription] { describe(.rows, name, type, size, sha256) }
}
