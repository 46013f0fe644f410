// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// The daemon's own settings, from `claimsd.json5`. Every setting has a default.
public struct Settings: Sendable, Hashable {
    /// The primary language of labels and messages for clients that ask for none.
    public var language = "en"
    /// The limits of a transfer, of which a source may override some.
    public var transfer = TransferLimits()
    /// The limits of all transfers together.
    public var fetching = FetchLimits()
    /// The limits of requests, answers and connections.
    public var limits = ServingLimits()
    /// The limits of what each host is asked.
    public var hosts = HostLimitTable()
    /// The conditions under which a new generation is held.
    public var shrinkGuard = GuardSettings()
    /// The limits of the kept history of changes.
    public var history = HistorySettings()
    /// The limits of the outbox.
    public var outbox = OutboxSettings()
    /// The limits of what the journal gets about the users who looked.
    public var journal = JournalSettings()
    /// The users and groups with more rights than reading.
    public var roles = RoleSettings()
    /// The peers that see a collection whose definition has no `access`.
    public var defaultAccess = DefaultAccess.open

    public init() {}
}

/// The peers that see a collection whose definition has no rules of `access`.
public enum DefaultAccess: String, Sendable, Hashable, CaseIterable {
    /// All who can open the socket.
    case open
    /// Only root and the daemon's user.
    case closed
}

/// The conditions under which a new generation of a collection is held back instead of served.
public struct GuardSettings: LimitGroup {
    /// The greatest share of its records, from 0 to 1, that a collection may lose at once.
    public var loss = 0.5
    /// The greatest share of an upstream's records, from 0 to 1, that may go to quarantine.
    public var quarantine = 0.2
    /// The time after which a held body is served if the upstream sends it again.
    public var confirm = Duration.seconds(600)

    public init() {}

    /// The keys of the limits, in the order of the manual.
    public static let keys: [LimitKey<Self>] = [
        LimitKey("loss", share: \.loss, summary: "The share of its records that a collection may lose at once."),
        LimitKey(
            "quarantine", share: \.quarantine,
            summary: "The share of an upstream's records that may go to quarantine."),
        LimitKey(
            "confirm", \.confirm, spanAtLeast: .zero,
            summary: "After this time a held body is accepted if it comes again."),
    ]
}

/// The limits of the kept history of a collection: of its changes, whose commits beyond any limit are dropped, the oldest
/// first, and of its refreshes.
public struct HistorySettings: LimitGroup {
    /// The longest time for which a change is kept.
    public var keep = Duration.seconds(30 * 86_400)
    /// The number of changes after which older commits are dropped.
    public var changes = 100_000
    /// The bytes of values after which older commits are dropped.
    public var bytes = 256 << 20
    /// The number of attempts to refresh a collection that are kept in the log of refreshes.
    public var refreshes = 1000

    public init() {}

    /// The keys of the limits, in the order of the manual.
    public static let keys: [LimitKey<Self>] = [
        LimitKey("keep", \.keep, spanAtLeast: .zero, summary: "How long changes are kept."),
        LimitKey(
            "changes", \.changes, count: 0...1_000_000_000,
            summary: "How many changes of a collection are kept, beside those of its oldest commit."),
        LimitKey(
            "bytes", \.bytes, bytesAtLeast: 0,
            summary: "How many bytes of values are kept of a collection, beside those of its oldest commit."),
        LimitKey(
            "refreshes", \.refreshes, count: 0...10_000,
            summary: "How many attempts to refresh a collection are kept; `refreshes` tells them."),
    ]
}

/// The limits of the outbox: the time for which settled operations are known, and the times after which people are
/// warned of the others.
public struct OutboxSettings: LimitGroup {
    /// The time for which a settled operation is known.
    public var keep = Duration.seconds(30 * 86_400)
    /// The number of settled operations of a collection that are known.
    public var settled = 100_000
    /// The age from which an unsettled operation is reported in the journal and in `status`.
    public var warn = Duration.seconds(3600)
    /// The number of deletes in a collection, within ``within``, after which more are held.
    public var deletes = 20
    /// The time in which deletes are counted.
    public var within = Duration.seconds(600)

    public init() {}

    /// The keys of the limits, in the order of the manual.
    public static let keys: [LimitKey<Self>] = [
        LimitKey("keep", \.keep, spanAtLeast: .zero, summary: "How long a settled operation is known."),
        LimitKey(
            "settled", \.settled, count: 0...100_000_000,
            summary: "How many settled operations of a collection are known."),
        LimitKey(
            "warn", \.warn, spanAtLeast: .seconds(1),
            summary: "How old an unsettled operation is when the journal and `status` begin to tell of it."),
        LimitKey(
            "deletes", \.deletes, count: 0...1_000_000,
            summary: "How many deletes in a collection are sent within `within`; more are held."),
        LimitKey("within", \.within, spanAtLeast: .seconds(1), summary: "How long deletes count."),
    ]
}

/// The limits of what the system's journal gets about the users who looked.
public struct JournalSettings: LimitGroup {
    /// The time for which looks are counted before they are reported.
    public var every = Duration.seconds(10)
    /// The number of different ids that an entry has.
    public var ids = 100

    public init() {}

    /// The keys of the limits, in the order of the manual.
    public static let keys: [LimitKey<Self>] = [
        LimitKey(
            "every", \.every, spanAtLeast: .seconds(1), upTo: .seconds(600),
            summary: "How long looks are counted before the journal is told."),
        LimitKey("ids", \.ids, count: 0...1000, summary: "How many different ids an entry has."),
    ]
}

/// The users and groups that may do more than read. root and the daemon's own user may do everything.
public struct RoleSettings: Sendable, Hashable {
    /// The users and groups that have one role, by name or in decimal.
    public struct Members: Sendable, Hashable {
        /// The users that have the role.
        public var users: [String]
        /// The groups whose members have the role.
        public var groups: [String]

        public init(users: [String] = [], groups: [String] = []) {
            self.users = users
            self.groups = groups
        }
    }

    /// The role that may archive and unarchive records.
    public var archive = Members(groups: ["claims"])
    /// The role that may add, change and delete records.
    public var write = Members(groups: ["claims-write"])
    /// The role that may refresh with `force` or `accept`.
    public var admin = Members(groups: ["claims-admin"])

    public init() {}
}
