// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// The end of one attempt to write.
public enum HTTPWriteOutcome: Sendable {
    /// No byte of the request left: no address, no connection, no TLS, a proxy that gives no tunnel, a request that
    /// cannot be made. The error's status is that of the proxy.
    case unsent(HTTPError)
    /// At least one byte may have left, and no whole answer came. The error has a status if all headers came.
    case unanswered(HTTPError)
    /// An answer came, whatever its status.
    case answered(HTTPWriteAnswer)
}

/// The answer to a write.
public struct HTTPWriteAnswer: Equatable, Sendable {
    /// The status, from 200 to 599. A redirect is an answer like others, because none is followed.
    public let status: Int
    /// The value of `Location`, absolute or relative, unchanged; nil if the server sent none.
    public let location: String?
    /// The value of `ETag`, unchanged, with its quotes and `W/`; nil if the server sent none, or one that cannot be
    /// sent back.
    public let etag: String?
    /// The delay in seconds that the server demands before the next request, at most ``HTTPDelay/retryAfterCap``; nil
    /// if it demands none.
    public let retryAfter: Int?
    /// The value of `Content-Type`, unchanged; nil if the server sent none.
    public let contentType: String?
    /// The body, decoded: all of it, or its beginning.
    public let body: [UInt8]
    /// Whether ``body`` is all of it. It is not where it is longer than ``maxBody`` or its encoding is broken; the
    /// status holds nevertheless.
    public let isWhole: Bool
    /// The headers in which the server tells how many more requests it takes.
    public var pace = HTTPPaceHeaders()

    /// The maximal size of ``body`` in bytes.
    public static let maxBody = 1 << 20
}
