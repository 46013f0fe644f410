// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

public import ClaimsModel

/// Why a refresh brought nothing, before it is known when that was.
public struct FetchFailure: Error, Sendable, Equatable {
    public var kind: FailureKind
    public var status: Int?
    public var message: Message
    /// For how long the upstream asked to be left alone, in milliseconds.
    public var retryAfter: Int64?
    /// The daemon is stopping: not a failure of the source.
    public var isCancelled = false

    public init(_ kind: FailureKind, status: Int? = nil, _ message: Message, retryAfter: Int64? = nil) {
        self.kind = kind
        self.status = status
        self.message = message
        self.retryAfter = retryAfter
    }

    /// The failure as it is kept and shown.
    public func at(_ time: Int64) -> Failure {
        Failure(kind: kind, status: status, message: message, at: time)
    }
}
