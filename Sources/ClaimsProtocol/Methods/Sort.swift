// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// The parameters of `sort`: a sort order and a page.
public struct SortParameters: MethodParameters, Equatable {
    /// The name of the collection, or its singular; nil sorts the records of all collections.
    public var collection: String?
    /// The sort keys; nil for the collection's own order.
    public var by: SortValue?
    /// The filter and the other parameters that select the records.
    public var selection = SelectionParameters()
    /// The size and position of the page, and the members of the answer beside records.
    public var page = PageParameters()

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
        try visitor.optional(
            Parameter("by", "Sort keys or a named order; the collection's order by default."), &by)
        try selection.visit(&visitor)
        try page.visit(&visitor)
    }
}

extension MethodDescription {
    static let sort = MethodDescription(
        .sort, "sort", summary: "Answers a whole collection in an order, page by page.",
        polish: "Zwraca całą kolekcję w wybranym porządku, strona po stronie.",
        parameters: SortParameters.self, result: SearchResult.self, example: { $0.page.limit = 10 })
}
