// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// The protocol spoken on the socket and the bounds that belong to it rather than to the configuration.
public enum ProtocolVersion {
    /// The only version there is so far.
    public static let current = 1
    /// The longest string id of a request, in bytes.
    public static let requestIDBytes = 64
    /// How many records a page has where the request names no limit.
    public static let defaultPage = 50
    /// The largest `limit` of a page.
    public static let largestPage = 1_000
    /// How many records one `records` notification of a stream carries at most.
    public static let streamChunk = 256
    /// What this daemon can do beyond version 1's base; a client may demand a name with `hello`'s `require`.
    public static let capabilities = ["cursors", "facets", "groups", "streaming", "trees"]
}
