// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// What a transfer may cost. Nothing is buffered past its cap.
package struct HTTPLimits: Equatable, Sendable {
    /// The largest body, in bytes, as received and as decoded.
    package var body: Int
    /// How many times what was received a body may decode to, above `expansionFloor`.
    package var expansion: Int
    /// How many redirects are followed.
    package var redirects: Int
    /// To resolve the name, connect and secure the connection, for each redirect anew.
    package var connect: Duration
    /// From the start of a request to the first byte of its answer, for each redirect anew.
    package var firstByte: Duration
    /// From the call to its return, redirects and all.
    package var total: Duration

    package init(
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
    package static let expansionFloor = 1 << 20
    /// How much libcurl may have received before it says so, in bytes: one receive buffer.
    package static let receiveBuffer = 16 << 10
    /// All header lines of one answer, interim answers and trailers included, in bytes.
    package static let headerBytes = 64 << 10
    /// The header lines of one answer, interim answers and trailers included.
    package static let headerLines = 256
    /// A larger body lives in an unlinked file instead of in anonymous memory, in bytes.
    package static let inMemory = 1 << 20
}
