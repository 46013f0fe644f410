// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// The limits of requests, answers and connections.
public struct ServingLimits: LimitGroup {
    /// The maximal size of a request line, in bytes.
    public var line = 1 << 20
    /// The maximal number of containers open at once in a request.
    public var depth = 64
    /// The maximal size of a filter, in bytes.
    public var filter = 4096
    /// The maximal number of terms in a filter, where each value of a list counts as one.
    public var terms = 256
    /// The maximal nesting of `and`, `or`, `not` and parentheses in a filter.
    public var filterDepth = 32
    /// The maximal number of connections.
    public var clients = 1024
    /// The maximal number of connections of one user.
    public var clientsPerUser = 128
    /// The maximal number of requests that one connection has in progress.
    public var inFlight = 32
    /// The number of unsent bytes at which a connection begins no further request.
    public var unsent = 1 << 20
    /// The maximal number of subscriptions of one connection.
    public var subscriptions = 64
    /// The maximal number of subscriptions of one user.
    public var subscriptionsPerUser = 1024
    /// The maximal number of subscriptions in all.
    public var subscriptionsAll = 4096
    /// The time after which a subscription without a clock gets a heartbeat.
    public var heartbeat = Duration.seconds(30)
    /// The time after which the subscriptions of a peer end that reads nothing although something waits.
    public var stall = Duration.seconds(300)
    /// The maximal time of a query.
    public var request = Duration.seconds(10)
    /// The maximal size of an answer, in bytes. A page that would be larger ends early.
    public var answer = 16 << 20
    /// The maximal number of unsettled operations of a collection; if this host is the truth, of records that are not
    /// folded into the snapshot.
    public var pending = 1000
    /// The maximal size of the records of these operations, in bytes.
    public var pendingBytes = 64 << 20
    /// The maximal size of the fields of an operation, in bytes.
    public var operation = 64 << 10
    /// The maximal number of a user's uploads that are not submitted yet.
    public var uploads = 32
    /// The maximal size of all files of this host, in bytes.
    public var attachments = 2 << 30
    /// The maximal memory of the rows that rules of access leave out, in bytes.
    public var rowSets = 32 << 20

    public init() {}

    /// The keys of the limits, in the order of the manual.
    public static let keys: [LimitKey<Self>] = [
        LimitKey(
            "line", \.line, bytesAtLeast: 1024,
            summary: "Bytes of a request line; a longer one is answered `too_large`."),
        LimitKey("depth", \.depth, count: 4...1000, summary: "Objects and arrays inside one another in a request."),
        LimitKey("filter", \.filter, bytesAtLeast: 64, summary: "Bytes of a filter."),
        LimitKey(
            "terms", \.terms, count: 1...100_000, summary: "Terms of a filter; each value of a list is one."),
        LimitKey(
            "filter_depth", \.filterDepth, count: 1...1000,
            summary: "`and`, `or`, `not` and parentheses inside one another in a filter."),
        LimitKey(
            "clients", \.clients, count: 1...1_000_000,
            summary: "Connections in all; at most as many as open files are allowed, less some for other uses."),
        LimitKey("clients_per_user", \.clientsPerUser, count: 1...1_000_000, summary: "Connections of one user."),
        LimitKey(
            "in_flight", \.inFlight, count: 1...100_000,
            summary: "Requests of one connection that are worked on at a time."),
        LimitKey(
            "unsent", \.unsent, bytesAtLeast: 1024,
            summary: "Bytes that may wait to be sent on a connection before no further request of it is begun."),
        LimitKey("subscriptions", \.subscriptions, count: 1...100_000, summary: "Subscriptions of one connection."),
        LimitKey(
            "subscriptions_per_user", \.subscriptionsPerUser, count: 1...1_000_000,
            summary: "Subscriptions of one user."),
        LimitKey("subscriptions_all", \.subscriptionsAll, count: 1...1_000_000, summary: "Subscriptions in all."),
        LimitKey(
            "heartbeat", \.heartbeat, spanAtLeast: .milliseconds(100),
            summary: "A subscription that got no clock for this long gets a heartbeat."),
        LimitKey(
            "stall", \.stall, spanAtLeast: .milliseconds(100),
            summary: "How long a client may read nothing while something waits, before its subscriptions end."),
        LimitKey("request", \.request, spanAtLeast: .milliseconds(1), summary: "How long a query may take."),
        LimitKey(
            "answer", \.answer, bytesAtLeast: 4096,
            summary: "Bytes of an answer; a page that would be larger ends early."),
        LimitKey(
            "pending", \.pending, count: 1...10_000,
            summary:
                "Unsettled operations of a collection; where this host is the truth, records that are not folded into the snapshot."
        ),
        LimitKey("pending_bytes", \.pendingBytes, bytesAtLeast: 1 << 16, summary: "Bytes of the records of these."),
        LimitKey("operation", \.operation, bytesAtLeast: 1024, summary: "Bytes of the fields of an operation."),
        LimitKey(
            "uploads", \.uploads, count: 1...10_000, summary: "Files of a user that are uploaded but not submitted."),
        LimitKey("attachments", \.attachments, bytesAtLeast: 0, summary: "Bytes of all files of this host."),
        LimitKey(
            "row_sets", \.rowSets, bytesAtLeast: 0,
            summary:
                "Bytes of memory for what rules of access leave of collections; beyond, it is found for each commit."),
    ]
}
