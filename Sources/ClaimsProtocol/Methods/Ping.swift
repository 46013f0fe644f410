// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// The parameters of `ping`: none.
public struct PingParameters: MethodParameters, Equatable {

    public init() {}

    /// Reads the parameters of a request. An omitted parameter keeps its default.
    ///
    /// - Throws: `bad_params` for a value of another shape, and for a required parameter that is missing.
    public init(_ arguments: borrowing Arguments) throws(RequestError) {
        // There is nothing to read: whatever the request names is unknown, and refused before.
    }

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
        .ping, summary: "Answers an empty object.", parameters: PingParameters.self,
        result: PingResult.self)
}
