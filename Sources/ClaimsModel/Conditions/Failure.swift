// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// Why a refresh brought nothing.
package struct Failure: Sendable, Hashable {
    package let kind: FailureKind
    /// The HTTP status, where there is one to tell.
    package let status: Int?
    package let message: Message
    /// When it happened, in milliseconds since 1970.
    package let at: Int64

    package init(kind: FailureKind, status: Int? = nil, message: Message, at: Int64) {
        self.kind = kind
        self.status = status
        self.message = message
        self.at = at
    }
}
