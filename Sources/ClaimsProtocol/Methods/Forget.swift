// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// The parameters of `forget`: the removed collection to erase.
public struct ForgetParameters: MethodParameters, Equatable {
    /// The name of a collection whose definition was removed; required.
    public var collection = ""

    public init() {}

    public mutating func visit<Visitor: ParameterVisitor & ~Copyable & ~Escapable>(
        _ visitor: inout Visitor
    ) throws(Visitor.Failure) {
        try visitor.required(
            Parameter("collection", "The name of a collection whose definition was removed."), &collection)
    }
}

/// The result of `forget`: how much was erased.
public enum ForgetResult: ResultObject {
    public static let records = Member<Int>("records", "How many records the collection had.")
    public static let clock = Member<String>("clock", "The clock of all collections.")

    public static var memberList: [MemberDescription] { describe(records, clock) }
}

extension MethodDescription {
    static let forget = MethodDescription(
        .forget,
        summary: "Erases a removed collection: its records, archive marks and history. Nothing brings them back.",
        role: .admin, hasEffect: true, parameters: ForgetParameters.self, result: ForgetResult.self,
        example: { $0.collection = placeholder })
}
