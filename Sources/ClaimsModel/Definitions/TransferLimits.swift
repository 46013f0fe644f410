// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// The caps of one transfer. Nothing is buffered past them.
package struct TransferLimits: Sendable, Hashable {
    /// Bytes of a body, decompressed.
    package var body: Int
    /// Records of a body, over all its pages.
    package var records: Int
    /// How many times its transferred size a body may have decompressed.
    package var expansion: Int
    package var redirects: Int
    package var connect: Duration
    /// From the request to the first byte of the answer.
    package var firstByte: Duration
    /// From start to end.
    package var transfer: Duration

    package init(
        body: Int = 64 << 20, records: Int = 1_000_000, expansion: Int = 100, redirects: Int = 5,
        connect: Duration = .seconds(5), firstByte: Duration = .seconds(15), transfer: Duration = .seconds(60)
    ) {
        self.body = body
        self.records = records
        self.expansion = expansion
        self.redirects = redirects
        self.connect = connect
        self.firstByte = firstByte
        self.transfer = transfer
    }

    /// What a source says of its own caps; nil: as the daemon's settings have it.
    package struct Overrides: Sendable, Hashable {
        package var body: Int?
        package var records: Int?
        package var expansion: Int?
        package var redirects: Int?
        package var connect: Duration?
        package var firstByte: Duration?
        package var transfer: Duration?

        package init() {}
    }

    /// These limits with a source's own in their place.
    package func applying(_ overrides: Overrides) -> TransferLimits {
        TransferLimits(
            body: overrides.body ?? body, records: overrides.records ?? records,
            expansion: overrides.expansion ?? expansion, redirects: overrides.redirects ?? redirects,
            connect: overrides.connect ?? connect, firstByte: overrides.firstByte ?? firstByte,
            transfer: overrides.transfer ?? transfer)
    }
}
