// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

public import ClaimsModel

/// The limits of one transfer. Nothing is buffered beyond them.
public struct HTTPLimits: Equatable, Sendable {
    /// The maximal size of a body in bytes, as received and as decoded.
    public var body: Int
    /// The maximal ratio of the decoded size to the received size, for bodies above ``expansionFloor``.
    public var expansion: Int
    /// The maximal number of redirects that one transfer follows.
    public var redirects: Int
    /// The longest time to resolve the name, connect and secure the connection; it starts anew for each redirect.
    public var connect: Duration
    /// The longest time from the start of a request to the first byte of its answer; it starts anew for each redirect.
    public var firstByte: Duration
    /// The longest time from the call to its return, redirects included.
    public var total: Duration

    /// Limits with the given values; the defaults are the defaults of the configuration.
    public init(
        body: Int = 64 << 20, expansion: Int = 100, redirects: Int = 5, connect: Duration = .seconds(5),
        firstByte: Duration = .seconds(15), total: Duration = .seconds(60)
    ) {
        self.body = body
        self.expansion = expansion
        self.redirects = redirects
        self.connect = connect
        self.firstByte = firstByte
        self.total = total
    }

    /// The decoded size in bytes up to which no ratio is checked.
    public static let expansionFloor = 1 << 20
    /// The size in bytes of libcurl's receive buffer, by which its count of received bytes may lag.
    public static let receiveBuffer = 16 << 10
    /// The maximal size of all header lines of one answer, in bytes, interim answers and trailers included.
    public static let headerBytes = 64 << 10
    /// The maximal number of header lines of one answer, interim answers and trailers included.
    public static let headerLines = 256
    /// The maximal size in bytes of a body in anonymous memory. A larger one is in an unlinked file.
    public static let inMemory = 1 << 20
}

extension HTTPLimits {
    /// The limits of one request under those of a transfer, which may have several.
    public init(_ limits: TransferLimits) {
        self.init(
            body: limits.body, expansion: limits.expansion, redirects: limits.redirects, connect: limits.connect,
            firstByte: limits.firstByte, total: limits.transfer)
    }
}
