// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// The parameters of `cancel`: the request to cancel.
public struct CancelParameters: MethodParameters, Equatable {
    /// The id of a request in flight on the same connection; required.
    public var request: RequestID = 0
    /// The language of messages, such as `pl`; nil for the daemon's setting.
    public var language: String?

    public init() {}

    public mutating func visit<Visitor: ParameterVisitor & ~Copyable & ~Escapable>(
        _ visitor: inout Visitor
    ) throws(Visitor.Failure) {
        try visitor.required(Parameter("request", "The id of that request."), &request)
    }
}

/// The result of `cancel`: an object without members.
public enum CancelResult: ResultObject {
    public static let memberList: [MemberDescription] = []
}

extension MethodDescription {
    static let cancel = MethodDescription(
        .cancel, "cancel", summary: "Cancels a request of this connection that is still in flight.",
        polish: "Anuluje żądanie tego połączenia, na które nie ma jeszcze odpowiedzi.",
        hasEffect: true, isOfConnection: true, parameters: CancelParameters.self, result: CancelResult.self,
        exampleID: 2,
        example: { $0.request = 1 })
}
