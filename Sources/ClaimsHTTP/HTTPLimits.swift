// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// What a transfer may cost. Nothing is buffered past its cap.
public struct HTTPLimits: Equatable, Sendable {
    /// The largest body, in bytes, as received and as decoded.
    public var body: Int
    /// How many times what was received a body may decode to, above `expansionFloor`.
    public var expansion: Int
    /// How many redirects are followed.
    public var redirects: Int
    /// To resolve the name, connect and secure the connection, for each redirect anew.
    public var connect: Duration
    /// From the start of a request to the first byte of its answer, for each redirect anew.
    public var firstByte: Duration
    /// From the call to its return, redirects and all.
    public var total: Duration

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

    /// A body that decodes to no more than this is never too expanded, in bytes.
    public static let expansionFloor = 1 << 20
    /// How much libcurl may have received before it says so, in bytes: one receive buffer.
    public static let receiveBuffer = 16 << 10
    /// All header lines of one answer, interim answers and trailers included, in bytes.
    public static let headerBytes = 64 << 10
    /// The header lines of one answer, interim answers and trailers included.
    public static let headerLines = 256
    /// A larger body lives in an unlinked file instead of in anonymous memory, in bytes.
    public static let inMemory = 1 << 20
}
