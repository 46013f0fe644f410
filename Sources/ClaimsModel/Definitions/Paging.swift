// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

public import ClaimsJSON

/// How the pages of a paged upstream are found.
public enum Paging: Sendable, Hashable {
    /// The answer holds the next page's address (or null, or nothing) at this pointer.
    case pointer(JSONPointer)
    /// The answer's `Link` header with `rel="next"` (RFC 8288).
    case link
    /// Pages are counted from 1 in this query parameter; one with fewer than `size` records is the last.
    case parameter(name: String, size: Int)
}
