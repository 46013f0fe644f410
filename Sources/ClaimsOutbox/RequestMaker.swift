// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

public import ClaimsJSON
public import ClaimsModel
public import ClaimsUpstream

/// Makes the requests of operations by the definitions in force. Calls may be made on any thread, and do not block.
public protocol RequestMaker: Sendable {
    /// The origin that an operation goes to; nil if no request can be made of it.
    func origin(of operation: Operation) -> String?

    /// The same for many operations, by the current definitions.
    func origins() -> (Operation) -> String?

    /// The next request of an operation.
    ///
    /// - Parameter base: the record's object that the upstream has just shown; nil if it was not inspected.
    func request(of operation: Operation, over base: [UInt8]?) -> Preparation

    /// The request that inspects the record first; nil if the definition wants none.
    func inspection(of operation: Operation) -> OutgoingRequest?

    /// Compares the record's object that the upstream has just shown with an operation.
    ///
    /// - Parameter earlier: the operations before it in its lane.
    func finding(_ object: [UInt8], for operation: Operation, after earlier: [Operation]) -> MatchFinding

    /// The interval of a collection's refreshes in milliseconds; nil for one without a source.
    func interval(of collection: String) -> Int64?
}

extension RequestMaker {
    public func origins() -> (Operation) -> String? { { origin(of: $0) } }
}

/// A request of an operation, or the reason why there is none.
public enum Preparation: Sendable {
    case ready(OutgoingRequest)
    /// It refers to a new record that the upstream has not accepted yet.
    case waits(for: OperationID)
    /// It waits for a person, who sees the reason.
    case held(OperationReason, Message)
}

/// A request that is ready but for its credential.
public struct OutgoingRequest: Sendable {
    public var rules: SendingRules
    public var step: SendingStep
    public var headers: [(name: String, value: String)]
    /// How the request authenticates; nil if it does not.
    public var auth: Authentication?
    /// The authorities and the certificate of the connection, as far as they are not the system's.
    public var tls: TLSOptions?
    public var body: HTTPWriteRequest.Body
    public var limits: TransferLimits
    /// The given values with the ids that the upstream has given to the records that they refer to; nil if they are the
    /// same as the operation's.
    public var given: JSONObject?
    /// The id of a new record in an answer; nil if it has none.
    public var newID: @Sendable (HTTPWriteAnswer) -> String?

    public init(
        _ rules: SendingRules, step: SendingStep = .record, headers: [(name: String, value: String)] = [],
        auth: Authentication? = nil, tls: TLSOptions? = nil, body: HTTPWriteRequest.Body = .none,
        limits: TransferLimits = TransferLimits(),
        newID: @escaping @Sendable (HTTPWriteAnswer) -> String? = { _ in nil }
    ) {
        self.rules = rules
        self.step = step
        self.headers = headers
        self.auth = auth
        self.tls = tls
        self.body = body
        self.limits = limits
        self.newID = newID
    }
}
