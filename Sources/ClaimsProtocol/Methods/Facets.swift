// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// The parameters of `facets`: the fields to count, and the records to count them over.
public struct FacetsParameters: MethodParameters, Equatable {
    /// The name of the collection, or its singular; required.
    public var collection = ""
    /// The names of the fields whose values are counted; required.
    public var fields: NameList = []
    /// The filter and the other parameters that select the records.
    public var selection = SelectionParameters()

    public static var fields: Parameter<NameList> { Parameter("fields", "Fields whose values are counted.") }

    /// The language of labels and messages, which is part of the selection.
    public var language: String? {
        get { selection.language }
        set { selection.language = newValue }
    }

    public init() {}

    public mutating func visit<Visitor: ParameterVisitor & ~Copyable & ~Escapable>(
        _ visitor: inout Visitor
    ) throws(Visitor.Failure) {
        try visitor.required(.collection, &collection)
        try visitor.required(Self.fields, &fields)
        try selection.visit(&visitor)
    }
}

/// The result of `facets`: for each field its values, each with the number of matches that have it.
public enum FacetsResult: ResultObject {
    public static let facets = Member<ObjectMap<[FacetValue]>>(
        "facets", "For each field its values with label and count, in the field's order.")
    public static let total = Member<Int>.total
    public static let meta = Member<QueryMeta>.meta

    public static var memberList: [MemberDescription] { describe(.rows, facets, total, meta) }
}

extension MethodDescription {
    static let facets = MethodDescription(
        .facets, "facets", summary: "Counts the values of fields over all matches.",
        polish: "Liczy wartości pól we wszystkich pasujących rekordach.",
        parameters: FacetsParameters.self, result: FacetsResult.self,
        example: { parameters in
            parameters.collection = placeholder
            parameters.fields = ["status"]
        })
}
