// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// The parameters of `count`: the records to count.
public struct CountParameters: MethodParameters, Equatable {
    /// The name of the collection, or its singular; nil counts in all collections.
    public var collection: String?
    /// The filter and the other parameters that select the records.
    public var selection = SelectionParameters()

    /// The language of labels and messages, which is part of the selection.
    public var language: String? {
        get { selection.language }
        set { selection.language = newValue }
    }

    public init() {}

    public mutating func visit<Visitor: ParameterVisitor & ~Copyable & ~Escapable>(
        _ visitor: inout Visitor
    ) throws(Visitor.Failure) {
        try visitor.optional(.anyCollection, &collection)
        try selection.visit(&visitor)
    }
}

/// The result of `count`: the exact number of matches, in all and by collection.
public enum CountResult: ResultObject {
    public static let total = Member<Int>.total
    public static let totals = Member<ObjectMap<Int>>.totals
    public static let meta = Member<QueryMeta>.meta

    public static var memberList: [MemberDescription] { describe(.rows, total, totals, meta) }
}

extension MethodDescription {
    static let count = MethodDescription(
        .count, "count", summary: "Counts records exactly.",
        polish: "Dokładnie liczy rekordy.", parameters: CountParameters.self,
        result: CountResult.self, example: { $0.selection.filter = "water" })
}
