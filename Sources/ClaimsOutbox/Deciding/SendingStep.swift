// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

public import ClaimsModel

/// The request that an operation makes next: that of its record, or that of one of its files.
public enum SendingStep: Sendable, Equatable {
    case record
    /// A file by its index among the operation's files.
    case file(Int)
}

/// The parts of a definition that decide on the outcome of one request.
public struct SendingRules: Sendable, Equatable {
    /// The method and the address of the request.
    public var method: String
    public var url: String
    /// The statuses by which the upstream says yes.
    public var accepted: [Int]
    /// How long the upstream does equal keys once, in milliseconds; nil where it makes no such promise.
    public var keyLife: Int64?
    /// Whether the answer must bring the id of a new record.
    public var needsID: Bool
    /// Whether each file follows with a request of its own.
    public var sendsFilesApart: Bool

    public init(
        method: String, url: String, accepted: [Int] = [200, 201, 202, 204], keyLife: Int64? = nil,
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
