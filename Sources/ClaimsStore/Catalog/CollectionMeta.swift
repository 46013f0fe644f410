// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

package import ClaimsModel

/// What every answer says of the collection it comes from, as of one moment. Times are milliseconds since 1970.
package struct CollectionMeta: Sendable, Equatable {
    package var collection: String
    package var state: CollectionState
    /// nil without data.
    package var freshness: Freshness?
    /// nil without data.
    package var source: DataSource?
    /// When the upstream last confirmed this data; nil where none ever has.
    package var asOf: Int64?
    package var ageMilliseconds: Int64?
    /// 0 without data.
    package var generation: UInt64
    package var clock: Clock
    package var quarantined: Int
    /// Records that carry a value of an enum field which the definition does not know.
    package var unsupported: Int
    package var lastError: Failure?
    package var nextRefresh: Int64?
}
