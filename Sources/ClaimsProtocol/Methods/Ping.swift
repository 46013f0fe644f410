// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// The parameters of `ping`: none.
public struct PingParameters: MethodParameters, Equatable {
    /// The language of messages, such as `pl`; nil for the daemon's setting.
    public var language: String?

    public init() {}

    public mutating func visit<Visitor: ParameterVisitor & ~Copyable & ~Escapable>(
        _ visitor: inout Visitor
    ) throws(Visitor.Failure) {
    }
}

/// The result of `ping`: an object without members.
public enum PingResult: ResultObject {
    public static let memberList: [MemberDescription] = []
}

extension MethodDescription {
    static let ping = MethodDescription(
        .ping, "ping", summary: "Answers an empty object.",
        polish: "Zwraca pusty obiekt.", parameters: PingParameters.self,
        result: PingResult.self)
}
