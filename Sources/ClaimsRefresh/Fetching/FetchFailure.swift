// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsJSON
public import ClaimsModel
import ClaimsStore
public import ClaimsUpstream

/// The reason why a refresh brought no data. The caller adds the time before it stores or shows the failure; see `at(_:)`.
public struct FetchFailure: Error, Sendable, Equatable {
    public var kind: FailureKind
    /// The finer cause; nil if there is none.
    public var reason: FailureReason?
    /// The status of the HTTP response, if there was one.
    public var status: Int?
    public var message: Message
    /// The time for which the upstream wants no further request, in milliseconds; nil if it does not name one.
    public var retryAfter: Int64?
    /// Whether the refresh was cancelled, which is no failure of the source.
    public var isCancelled = false

    public init(
        _ kind: FailureKind, reason: FailureReason? = nil, status: Int? = nil, _ message: Message,
        retryAfter: Int64? = nil
    ) {
        self.kind = kind
        self.reason = reason
        self.status = status
        self.message = message
        self.retryAfter = retryAfter
    }

    /// Returns the failure with its time, in milliseconds since 1970, for storing and showing.
    public func at(_ time: Int64) -> Failure {
        Failure(kind: kind, reason: reason, status: status, message: message, at: time)
    }
}

// Translations, one for each module below.

extension FetchFailure {
    public init(_ error: StoreError) {
        switch error.code {
        case .storageFull: self.init(.other, reason: .storageFull, Message(.storageFull))
        case .busy: self.init(.other, reason: .storageLocked, Message(.storageLocked))
        default: self.init(.other, Message(.storage, error.message))
        }
    }

    /// A body that cannot be accepted; `root` is the pointer to its array.
    init(_ error: IntakeError, root: JSONPointer) {
        switch error {
        case .notJSON(let error): self.init(.notJSON, Message(.notJSON, MessageArgument.of(error)))
        case .noRoot: self.init(.wrongShape, Message(.pointerMissing, root.text))
        case .rootIsNoArray(let kind):
            if root.tokens.isEmpty {
                self.init(.wrongShape, Message(.rootNotArray, MessageArgument.of(kind)))
            } else {
                self.init(.wrongShape, Message(.pointerNotArray, root.text, MessageArgument.of(kind)))
            }
        case .deletedIsNoArray(let pointer, let kind):
            self.init(.wrongShape, Message(.pointerNotArray, pointer.text, MessageArgument.of(kind)))
        case .tooManyRecords(let limit): self.init(.tooLarge, Message(.tooManyRecords, "\(limit)"))
        case .store(let error): self.init(error)
        case .cancelled:
            self.init(.other, Message(.cancelled))
            isCancelled = true
        }
    }

    /// A request that brought no answer.
    init(_ failure: AccessFailure, _ target: FetchTarget) {
        switch failure {
        case .transfer(let error): self.init(error, target)
        case .credential(let reason, let message, let status):
            self.init(.credential, reason: reason, status: status, message)
        case .token(let error, let url):
            var server = target
            server.url = url
            self.init(error, server)
            message = Message(.tokenFailed, MessageArgument.of(message))
        case .tokenNotJSON(let error):
            let message = Message(.notJSON, MessageArgument.of(error))
            self.init(.notJSON, reason: .token, Message(.tokenFailed, MessageArgument.of(message)))
        case .pause:
            self.init(.timeout, reason: .pause, Message(.pauseTooLong, MessageArgument.seconds(target.limits.pause)))
        }
    }

    /// A transfer that failed.
    init(_ error: HTTPError, _ target: FetchTarget) {
        self.init(
            error.kind, reason: error.cause, status: error.status,
            Message(error, url: target.url, limits: target.limits),
            retryAfter: error.retryAfter.map { Int64($0) * 1000 })
        if message.key == .storageFull { reason = .storageFull }
        isCancelled = error.isCancelled
    }
}

extension FetchFailure {
    /// An answer that is too old to be accepted, by `lag` milliseconds.
    init(older lag: Int64) {
        self.init(.late, reason: .older, Message(.answerOlder, "\(lag / 1000)"))
    }
}

extension FetchFailure {
    /// The same failure without secrets that an upstream has echoed.
    func hiding(_ mask: SecretMask) -> FetchFailure {
        var masked = self
        masked.message = Message(message.key, arguments: message.arguments.map { mask.text($0) })
        // A token server's error that has a secret cannot be shown.
        if let reason, mask.text(reason.rawValue) != reason.rawValue { masked.reason = .token }
        return masked
    }
}

extension FetchFailure {
    /// The failure of a single transfer that belongs to no collection.
    ///
    /// - Parameter url: the address that was asked.
    public static func of(_ error: HTTPError, fetching url: String) -> FetchFailure {
        of(.transfer(error), fetching: url)
    }

    /// The failure of a request that belongs to no collection.
    ///
    /// - Parameter url: the address that was asked.
    public static func of(_ failure: AccessFailure, fetching url: String) -> FetchFailure {
        let fields = [Field(name: "id", type: .id)]
        let definition = Definition(name: "address", source: Source(ReadRequest(url: url)), fields: fields)
        guard let target = SourceRequests(definition, limits: TransferLimits())?.records else {
            return FetchFailure(.invalidURL, Message(.invalidURL, url))
        }
        return FetchFailure(failure, target)
    }

    /// The request was ended by the caller.
    public static var ended: FetchFailure {
        var failure = FetchFailure(.other, Message(.cancelled))
        failure.isCancelled = true
        return failure
    }
}
