// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// The limits of one transfer from an upstream, which may have several requests, and of a single request. Nothing is
/// buffered beyond them.
public struct TransferLimits: LimitGroup {
    /// The maximal size of a body in bytes, as received and decompressed.
    public var body = 64 << 20
    /// The maximal number of records, of all pages together.
    public var records = 1_000_000
    /// The maximal ratio of the decompressed size of a body to its transferred size, for bodies of over 1 MiB.
    public var expansion = 100
    /// The maximal number of redirects that are followed.
    public var redirects = 5
    /// The longest time to resolve the name, connect and secure the connection; it starts anew for each redirect.
    public var connect = Duration.seconds(5)
    /// The longest time from a request to the first byte of its answer; it starts anew for each redirect.
    public var firstByte = Duration.seconds(15)
    /// The longest time of all requests of one walk through an upstream's pages; for a single request, the longest time
    /// to its end, redirects included.
    public var transfer = Duration.seconds(60)
    /// The maximal number of pages of one walk.
    public var pages = 10_000
    /// The maximal time of all waits in one walk: waits that the upstream demands, and waits because of its limits.
    public var pause = Duration.seconds(1800)

    public init() {}

    /// The limits of a single request; by default those of the configuration's defaults.
    public init(
        body: Int = Self.standard.body, expansion: Int = Self.standard.expansion,
        redirects: Int = Self.standard.redirects, connect: Duration = Self.standard.connect,
        firstByte: Duration = Self.standard.firstByte, transfer: Duration = Self.standard.transfer
    ) {
        self.body = body
        self.expansion = expansion
        self.redirects = redirects
        self.connect = connect
        self.firstByte = firstByte
        self.transfer = transfer
    }

    /// The limits by default.
    public static let standard = TransferLimits()

    /// The keys of the limits, in the order of the manual.
    public static let keys: [LimitKey<Self>] = [
        LimitKey("body", \.body, bytesAtLeast: 1, summary: "Bytes of a body, decompressed."),
        LimitKey(
            "records", \.records, count: 1...50_000_000, summary: "Records of a body, over all its pages."),
        LimitKey(
            "expansion", \.expansion, count: 1...1_000_000,
            summary: "How many times its transferred size a body may have decompressed."),
        LimitKey("redirects", \.redirects, count: 0...50, summary: "Redirects that are followed."),
        // libcurl counts in milliseconds, and 0 means no limit.
        LimitKey("connect", \.connect, spanAtLeast: .milliseconds(1), summary: "How long connecting may take."),
        LimitKey(
            "first_byte", \.firstByte, spanAtLeast: .milliseconds(1),
            summary: "How long the first byte of an answer may take."),
        LimitKey(
            "transfer", \.transfer, spanAtLeast: .milliseconds(1),
            summary: "How long the requests of a transfer may take, those of all its pages together."),
        LimitKey("pages", \.pages, count: 1...1_000_000, summary: "Pages of a transfer."),
        LimitKey(
            "pause", \.pause, spanAtLeast: .zero,
            summary: "How long a transfer in pages may wait where the server or its limits ask for it, in all."),
    ]
}

/// The limits of all transfers from upstreams together.
public struct FetchLimits: LimitGroup {
    /// The maximal number of transfers at once, over all hosts. A collection has half of them at most.
    public var fetches = 64

    public init() {}

    /// The keys of the limits, in the order of the manual.
    public static let keys: [LimitKey<Self>] = [
        LimitKey(
            "fetches", \.fetches, count: 1...256,
            summary: "Requests to upstreams that read, at once; those of a collection at most half of them.")
    ]
}
