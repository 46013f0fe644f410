// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// The version of the protocol, and the bounds that belong to the protocol and not to the configuration.
public enum ProtocolVersion {
    /// The version that this package speaks, and the only one so far.
    public static let current = 1
    /// The maximum size of the `id` of a request, in bytes: those between a string's quotes, or those of an integer.
    public static let maxRequestIDBytes = 64
    /// The capabilities of this daemon beyond the base of version 1; `hello` compares the client's `require` with them.
    public static let capabilities = [
        "changes", "cursors", "explain", "facets", "groups", "history", "quarantine", "streaming", "subscriptions",
        "trees", "writes",
    ]
}

/// The name and the version of this package.
public enum Product {
    /// The version of the daemon and its client, which are released together.
    public static let version = "0.3.0-dev"
}
