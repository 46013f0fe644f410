// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// The keys of `auth` and `tls`, which sources, joins, sites and writes share.
extension KeyTable {
    static let access = KeyTable(
        part: "definition source auth", path: "source.auth",
        keys: [
            TableKey(
                "bearer", .other("name"), default: "null",
                meaning: "A credential that is sent as `Authorization: Bearer` (RFC 6750)."),
            TableKey(
                "basic", .other("object"), default: "null",
                meaning: "A user and a password for `Authorization: Basic` (RFC 7617)."),
            TableKey("key", .other("object"), default: "null", meaning: "A key in a header or in a query parameter."),
            TableKey(
                "oauth2", .other("object"), default: "null",
                meaning: "A token server that gives a bearer token for a client's secret (RFC 6749)."),
        ])

    static let accessBasic = KeyTable(
        part: "definition source auth basic", path: "source.auth.basic",
        keys: [
            TableKey("user", .other("text"), default: nil, meaning: "The name of the user, without `:`."),
            TableKey("password", .other("name"), default: nil, meaning: "The credential with the password."),
        ])

    static let accessKey = KeyTable(
        part: "definition source auth key", path: "source.auth.key",
        keys: [
            TableKey("secret", .other("name"), default: nil, meaning: "The credential with the key."),
            TableKey("header", .other("text"), default: "null", meaning: "The name of the header that carries it."),
            TableKey("prefix", .other("text"), default: "\"\"", meaning: "The text before the key in the header."),
            TableKey(
                "parameter", .other("text"), default: "null",
                meaning: "Instead of `header`: the name of the query parameter that carries it."),
        ])

    static let accessTokens = KeyTable(
        part: "definition source auth oauth2", path: "source.auth.oauth2",
        keys: [
            TableKey("url", .other("address"), default: nil, meaning: "The address of the token server."),
            TableKey("client", .other("text"), default: nil, meaning: "The name of the client."),
            TableKey(
                "secret", .other("name"), default: "null",
                meaning: "The credential with the client's secret; without one the form has `client_id` alone."),
            TableKey(
                "refresh", .other("name"), default: "null",
                meaning:
                    "The credential with a refresh token, for the grant `refresh_token` in place of `client_credentials`. Newer ones that the server gives are kept in the state folder."
            ),
            TableKey(
                "send", .other("`basic` or `body`"), default: "\"basic\"",
                meaning: "Whether the client and its secret are in `Authorization: Basic` or in the form."),
            TableKey(
                "parameters", .other("object of texts"), default: "{}",
                meaning: "Further fields of the form, such as `scope` and `audience`; an array is sent repeatedly."),
            TableKey("tls", .other("object"), default: "{}", meaning: "As in `source`, for the token server."),
        ])

    static let accessTLS = KeyTable(
        part: "definition source tls", path: "source.tls",
        keys: [
            TableKey(
                "ca", .other("name or path"), default: "null",
                meaning:
                    "The certificate authorities to trust, as PEM: a credential, or the absolute path of a file. They replace the system's."
            ),
            TableKey(
                "certificate", .other("name"), default: "null",
                meaning: "The credential with the client's certificate, and those that vouch for it, as PEM."),
            TableKey(
                "key", .other("name"), default: "null",
                meaning: "The credential with the key of that certificate, as PEM, without a passphrase."),
        ])
}
