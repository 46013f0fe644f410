// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

public import ClaimsModel

/// The end of an attempt, in the form that the table of outcomes uses.
public enum AttemptEnd: Sendable, Equatable {
    /// No byte of the request left.
    case unsent(Message)
    /// Bytes left, and no whole answer came.
    case unanswered(Message)
    case answered(AttemptAnswer)
    /// No request can be made of the operation in its state. Nothing was sent.
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
    /// The upstream forbids reading that address.
    case forbidden(Message)
}

/// The meaning of the end of an attempt for its origin.
public enum OriginSignal: Sendable, Equatable {
    case success
    case failure
    /// The upstream does not know us: a credential is refused, or missing.
    case refusal(Message)
}

/// An operation after an attempt, and the meaning of the attempt for its origin; nil if it has none.
public struct AttemptOutcome: Sendable, Equatable {
    public var operation: Operation
    public var signal: OriginSignal?
}

/// The request that an operation makes next: the request of its record, or of one of its files.
public enum SendingStep: Sendable, Equatable {
    case record
    /// A file by its index among the operation's files.
    case file(Int)
}

/// The parts of a definition that decide on the outcome of one request.
public struct SendingRules: Sendable, Equatable {
    /// The method and the address of the request.
    public var method: HTTPMethod
    public var url: String
    /// The statuses by which the upstream accepts.
    public var accepted: [Int]
    /// The time for which the upstream performs equal keys only once, in milliseconds; nil if it makes no such promise.
    public var keyLife: Int64?
    /// Whether the answer must bring the id of a new record.
    public var needsID: Bool
    /// Whether each file follows with a request of its own.
    public var sendsFilesApart: Bool

    public init(
        method: HTTPMethod, url: String, accepted: [Int] = [200, 201, 202, 204], keyLife: Int64? = nil,
        needsID: Bool = false, sendsFilesApart: Bool = false
    ) {
        self.method = method
        self.url = url
        self.accepted = accepted
        self.keyLife = keyLife
        self.needsID = needsID
        self.sendsFilesApart = sendsFilesApart
    }
}

extension Operation {
    /// The next request.
    ///
    /// - Parameter sendsFilesApart: whether each file follows with a request of its own.
    public func nextStep(sendsFilesApart: Bool) -> SendingStep {
        if sendsFilesApart, delivery.isRecordSent, delivery.filesSent < values.files.count {
            return .file(delivery.filesSent)
        }
        return .record
    }

    /// The idempotency key of a request: the id of the operation, the number of a later key, the number of a file.
    public func key(_ step: SendingStep) -> String {
        var key = id.text
        if delivery.keyNumber > 1 { key += ".\(delivery.keyNumber)" }
        if case .file(let index) = step { key += "-\(index + 1)" }
        return key
    }
}
