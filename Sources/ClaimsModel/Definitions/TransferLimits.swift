// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// The caps of one transfer. Nothing is buffered past them.
public struct TransferLimits: Sendable, Hashable {
    /// Bytes of a body, decompressed.
    public var body: Int
    /// Records of a body, over all its pages.
    public var records: Int
    /// How many times its transferred size a body may have decompressed.
    public var expansion: Int
    public var redirects: Int
    public var connect: Duration
    /// From the request to the first byte of the answer.
    public var firstByte: Duration
    /// From start to end.
    public var transfer: Duration

    public init(
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
    public struct Overrides: Sendable, Hashable {
        public var body: Int?
        public var records: Int?
        public var expansion: Int?
        public var redirects: Int?
        public var connect: Duration?
        public var firstByte: Duration?
        public var transfer: Duration?

        public init() {}
    }

    /// These limits with a source's own in their place.
    public func applying(_ overrides: Overrides) -> TransferLimits {
        TransferLimits(
            body: overrides.body ?? body, records: overrides.records ?? records,
            expansion: overrides.expansion ?? expansion, redirects: overrides.redirects ?? redirects,
            connect: overrides.connect ?? connect, firstByte: overrides.firstByte ?? firstByte,
            transfer: overrides.transfer ?? transfer)
    }
}
