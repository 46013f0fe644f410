// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// Why a refresh brought nothing.
public struct Failure: Sendable, Hashable {
    public let kind: FailureKind
    /// The HTTP status, where there is one to tell.
    public let status: Int?
    public let message: Message
    /// When it happened, in milliseconds since 1970.
    public let at: Int64

    public init(kind: FailureKind, status: Int? = nil, message: Message, at: Int64) {
        self.kind = kind
        self.status = status
        self.message = message
        self.at = at
    }
}
