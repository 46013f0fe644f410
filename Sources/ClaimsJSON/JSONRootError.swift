// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// Why a body yields no elements at all.
public enum JSONRootError: Error, Equatable, Sendable {
    /// The body is not JSON.
    case notJSON(JSONError)
    /// The body is JSON, but the pointer leads nowhere.
    case missing
    /// The pointer leads to something that is no array.
    case notAnArray(JSONKind)
}
