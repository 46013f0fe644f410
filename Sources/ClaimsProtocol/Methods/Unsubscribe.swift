// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// The parameters of `unsubscribe`: the subscription to end.
public struct UnsubscribeParameters: MethodParameters, Equatable {
    /// The number of a subscription of the same connection; required.
    public var subscription: Int64 = 0
    /// The language of messages, such as `pl`; nil for the daemon's setting.
    public var language: String?

    public init() {}

    public mutating func visit<Visitor: ParameterVisitor & ~Copyable & ~Escapable>(
        _ visitor: inout Visitor
    ) throws(Visitor.Failure) {
        try visitor.required(
            Parameter(
                "subscription", "The number that subscribe has answered on this connection.", range: .fixed(1 ... .max)),
            &subscription)
    }
}

/// The result of `unsubscribe`: an object without members.
public enum UnsubscribeResult: ResultObject {
    public static let memberList: [MemberDescription] = []
}

extension MethodDescription {
    static let unsubscribe = MethodDescription(
        .unsubscribe, "unsubscribe", summary: "Ends a subscription of this connection; no event of it follows.",
        polish: "Kończy subskrypcję tego połączenia; nie przyjdzie z niej już żadne zdarzenie.",
        isOfConnection: true, parameters: UnsubscribeParameters.self, result: UnsubscribeResult.self, exampleID: 2,
        example: { $0.subscription = 1 })
}
