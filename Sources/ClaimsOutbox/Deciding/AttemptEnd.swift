// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

public import ClaimsModel

/// The end of an attempt, as far as the table of outcomes looks at it.
public enum AttemptEnd: Sendable, Equatable {
    /// No byte of the request left.
    case unsent(Message)
    /// Bytes left, and no whole answer came.
    case unanswered(Message)
    case answered(AttemptAnswer)
    /// No request can be made of the operation as it is. Nothing was sent.
    case impossible(OperationReason, Message)
}

/// An answer to an attempt.
public struct AttemptAnswer: Sendable, Equatable {
    public var status: Int
    /// The beginning of the body as text.
    public var body: String
    /// The seconds for which the upstream wants no request.
    public var retryAfter: Int?
    public var id: AnsweredID

    public init(_ status: Int, body: String = "", retryAfter: Int? = nil, id: AnsweredID = .none) {
        self.status = status
        self.body = body
        self.retryAfter = retryAfter
        self.id = id
    }
}

/// The id of a new record in an answer.
public enum AnsweredID: Sendable, Equatable {
    case none
    case given(String)
    /// The id of a record that was here before the first attempt, or that another create has.
    case taken(String)
}

/// The record as the upstream has it right before a write, compared with the operation (`match`).
public enum MatchFinding: Sendable, Equatable {
    /// The touched fields have the values that the operation wants.
    case shown
    /// The upstream has no such record.
    case gone
    /// These touched fields have other values than the operation was made for; without any, the write may begin.
    case changed([String])
    /// It could not be looked at now. The number is the value of Retry-After.
    case failed(Message, retryAfter: Int?)
    /// The upstream does not know us.
    case refused(Message)
    /// The upstream does not let us look at that address.
    case forbidden(Message)
}

/// The meaning of the end of an attempt for its origin.
public enum OriginSignal: Sendable, Equatable {
    case success
    case failure
    /// The upstream does not know us: a credential is refused, or missing.
    case refusal(Message)
}

/// An operation after an attempt, and the meaning of the attempt for its origin; nil where it has none.
public struct AttemptOutcome: Sendable, Equatable {
    public var operation: Operation
    public var signal: OriginSignal?
}
