// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

public import ClaimsModel

/// What every answer says of the collection it comes from, as of one moment. Times are milliseconds since 1970.
public struct CollectionMeta: Sendable, Equatable {
    public var collection: String
    public var state: CollectionState
    /// nil without data.
    public var freshness: Freshness?
    /// nil without data.
    public var source: DataSource?
    /// When the upstream last confirmed this data; nil where none ever has.
    public var asOf: Int64?
    public var ageMilliseconds: Int64?
    /// 0 without data.
    public var generation: UInt64
    public var clock: Clock
    public var quarantined: Int
    /// Records that carry a value of an enum field which the definition does not know.
    public var unsupported: Int
    public var lastError: Failure?
    public var nextRefresh: Int64?
}
