// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

extension KeyTable {
    /// The daemon's own settings, claimsd.json5.
    public static let settings = [
        KeyTable(
            part: "settings", path: "",
            keys: [
                Key(
                    "language", .other("text"), "\"en\"",
                    "The language of labels and sentences where a client asks for none."),
                Key("limits", .other("object"), "{}", "Bounds of transfers, requests, answers and connections."),
                Key("guard", .other("object"), "{}", "When new data is held instead of served."),
                Key("history", .other("object"), "{}", "How long changes are kept."),
                Key("roles", .other("object"), "{}", "Who may do more than read."),
            ]),
        KeyTable(part: "settings limits", path: "limits", keys: transfer + serving),
        KeyTable(
            part: "settings guard", path: "guard",
            keys: [
                Key("loss", .share, "0.5", "The share of its records that a collection may lose at once."),
                Key("quarantine", .share, "0.2", "The share of an upstream's records that may go to quarantine."),
                Key(
                    "confirm", .span(atLeast: 0), "\"10min\"",
                    "How long until a held body, coming again, is believed."),
            ]),
        KeyTable(
            part: "settings history", path: "history",
            keys: [
                Key("keep", .span(atLeast: 0), "\"30d\"", "How long changes are kept."),
                Key("changes", .integer(0...1_000_000_000), "100000", "How many changes are kept, of all collections."),
            ]),
        KeyTable(
            part: "settings roles", path: "roles",
            keys: [
                Key(
                    "archive", .other("object of `users` and `groups`"), "{ users: [], groups: [\"claims\"] }",
                    "Who may archive and unarchive records."),
                Key(
                    "admin", .other("object of `users` and `groups`"), "{ users: [], groups: [\"claims-admin\"] }",
                    "Who may refresh with `force` or `accept`."),
            ]),
    ]

    /// The caps of a transfer, which sources have too.
    static let transfer = [
        Key("body", .size(atLeast: 1), "\"64M\"", "Bytes of a body, decompressed."),
        Key("records", .integer(1...100_000_000), "1000000", "Records of a body, over all its pages."),
        Key(
            "expansion", .integer(1...1_000_000), "100",
            "How many times its transferred size a body may have decompressed."),
        Key("redirects", .integer(0...50), "5", "Redirects that are followed."),
        Key("connect", .span(atLeast: 1), "\"5s\"", "How long connecting may take."),
        Key("first_byte", .span(atLeast: 1), "\"15s\"", "How long the first byte of an answer may take."),
        Key("transfer", .span(atLeast: 1), "\"60s\"", "How long a transfer may take in all."),
    ]

    /// The bounds of requests, answers and connections.
    private static let serving = [
        Key("line", .size(atLeast: 1024), "\"1M\"", "Bytes of a request line; a longer one is answered `too_large`."),
        Key("depth", .integer(4...1000), "64", "Objects and arrays inside one another in a request."),
        Key("filter", .size(atLeast: 64), "\"4K\"", "Bytes of a filter."),
        Key("terms", .integer(1...100_000), "256", "Terms of a filter; each value of a list is one."),
        Key(
            "filter_depth", .integer(1...1000), "32",
            "`and`, `or`, `not` and parentheses inside one another in a filter."),
        Key(
            "clients", .integer(1...1_000_000), "1024",
            "Connections in all; at most as many as open files are allowed, less some for other uses."),
        Key("clients_per_user", .integer(1...1_000_000), "128", "Connections of one user."),
        Key("in_flight", .integer(1...100_000), "32", "Requests of one connection that are worked on at a time."),
        Key(
            "unsent", .size(atLeast: 1024), "\"1M\"",
            "Bytes that may wait to be sent on a connection before no further request of it is begun."),
        Key("subscriptions", .integer(1...100_000), "64", "Kept for subscriptions; without effect so far."),
        Key("request", .span(atLeast: 1), "\"10s\"", "How long a query may take."),
        Key("answer", .size(atLeast: 4096), "\"16M\"", "Bytes of an answer; a page that would be larger ends early."),
    ]
}
