// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// How a refresh that somebody asked for differs from one that is due.
public struct RefreshOptions: Sendable, Equatable {
    /// Now, whatever Retry-After says, and without validators.
    public var force: Bool
    /// What the guard holds, or would hold, is taken.
    public var accept: Bool

    public init(force: Bool = false, accept: Bool = false) {
        self.force = force
        self.accept = accept
    }

    /// Whether a refresh with these options does all that one with `other` would.
    func covers(_ other: RefreshOptions) -> Bool {
        (force || !other.force) && (accept || !other.accept)
    }
}
