// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel

extension KeyTable {
    /// The keys of the daemon's settings, `claimsd.json5`, a table for each object.
    public static let settings = [
        KeyTable(
            part: "settings", path: "",
            keys: [
                TableKey(
                    "language", .other("`en` or `pl`"), default: "\"en\"",
                    meaning:
                        "The language of messages and labels where a client asks for none. Labels may have more languages."
                ),
                TableKey(
                    "limits", .other("object"), default: "{}",
                    meaning: "Bounds of transfers, requests, answers and connections."),
                TableKey(
                    "hosts", .other("object of limits by host"), default: "{ \"*\": {} }",
                    meaning: "How many requests a host may get."),
                TableKey("guard", .other("object"), default: "{}", meaning: "When new data is held instead of served."),
                TableKey("history", .other("object"), default: "{}", meaning: "How long changes are kept."),
                TableKey(
                    "outbox", .other("object"), default: "{}",
                    meaning: "How long settled operations are known, and when more deletes are held."),
                TableKey("roles", .other("object"), default: "{}", meaning: "Who may do more than read."),
                TableKey(
                    "access", .other("object"), default: "{}",
                    meaning: "Who sees collections whose definitions do not say it, and what is told of who looked."),
            ]),
        KeyTable(
            part: "settings limits", path: "limits",
            keys: transfer + FetchLimits.keys.map(TableKey.init) + ServingLimits.keys.map(TableKey.init)),
        KeyTable(
            part: "settings hosts", path: "hosts.NAME",
            keys: [
                TableKey(
                    "concurrency", .integer(HostLimits.concurrencyRange), default: "\(HostLimits.standardConcurrency)",
                    meaning: "Requests to the host at once."),
                TableKey(
                    "rate", .other("text such as `\"100/min\"`, per `s`, `min` or `h`; at most 10,000"),
                    default: "null",
                    meaning: "Requests that begin in any window of that length; null for no such bound."),
            ]),
        KeyTable(part: "settings guard", path: "guard", keys: GuardSettings.keys.map(TableKey.init)),
        KeyTable(part: "settings history", path: "history", keys: HistorySettings.keys.map(TableKey.init)),
        KeyTable(part: "settings outbox", path: "outbox", keys: OutboxSettings.keys.map(TableKey.init)),
        KeyTable(
            part: "settings roles", path: "roles",
            keys: [
                TableKey(
                    "archive", .other("object of `users` and `groups`"), default: "{ users: [], groups: [\"claims\"] }",
                    meaning: "Who may archive and unarchive records."),
                TableKey(
                    "write", .other("object of `users` and `groups`"),
                    default: "{ users: [], groups: [\"claims-write\"] }",
                    meaning:
                        "Who may add, change and delete records, where definitions allow it. A definition, or one of its actions, may name others."
                ),
                TableKey(
                    "admin", .other("object of `users` and `groups`"),
                    default: "{ users: [], groups: [\"claims-admin\"] }",
                    meaning:
                        "Who may refresh with `force` or `accept`, `forget`, `try`, and retry or drop what is in quarantine."
                ),
            ]),
        KeyTable(
            part: "settings access", path: "access",
            keys: [
                TableKey(
                    "default", .other("`\"open\"` or `\"closed\"`"), default: "\"open\"",
                    meaning:
                        "Whether all who can open the socket see a collection whose definition has no `access`, or nobody but root and the daemon's user."
                ),
                TableKey(
                    "journal", .other("object"), default: "{}",
                    meaning: "How the system's journal is told who was shown what, where definitions say so."),
            ]),
        KeyTable(
            part: "settings access journal", path: "access.journal", keys: JournalSettings.keys.map(TableKey.init)),
    ]

    /// The caps of a transfer, which sources have too.
    static let transfer = TransferLimits.keys.map(TableKey.init)
}
