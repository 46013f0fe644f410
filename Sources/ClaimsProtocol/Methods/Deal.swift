// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// The parameters of `deal`: the collection that the random record comes from.
public struct DealParameters: MethodParameters, Equatable {
    /// The name of the collection, or its singular; nil if only one collection has deals.
    public var collection: String?
    /// The language of the line, such as `pl`; nil for the daemon's setting.
    public var language: String?

    public init() {}

    public mutating func visit<Visitor: ParameterVisitor & ~Copyable & ~Escapable>(
        _ visitor: inout Visitor
    ) throws(Visitor.Failure) {
        try visitor.optional(
            Parameter("collection", "A collection whose definition has a deal."), &collection)
    }
}

/// The result of `deal`: a random record, and the line that advertises it.
public enum DealResult: ResultObject {
    public static let record = Member<RecordObject>("record", "The record.")
    public static let message = Member<String>("message", "The line.")
    public static let meta = Member<Meta>.meta

    public static var memberList: [MemberDescription] { describe(.rows, record, message, meta) }
}

extension MethodDescription {
    static let deal = MethodDescription(
        .deal, "deal", summary: "Answers one record at random, with a line that advertises it.",
        polish: "Zwraca losowy rekord z wierszem, który go zachwala.",
        parameters: DealParameters.self, result: DealResult.self)
}
