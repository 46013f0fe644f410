// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// The limits of all transfers from upstreams together.
public struct FetchLimits: LimitGroup {
    /// The maximal number of transfers at once, whatever their hosts. A collection has half of them at most.
    public var fetches = 64

    public init() {}

    /// The keys of the limits, in the order of the manual.
    public static let keys: [LimitKey<Self>] = [
        LimitKey(
            "fetches", \.fetches, count: 1...256,
            summary: "Requests to upstreams that read, at once; those of a collection at most half of them.")
    ]
}
