// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

public import ClaimsJSON

/// The parameters of `search` and `sort` that a command line comes to. Pure.
public struct ListRequest: Equatable, Sendable {
    public var method: String
    public var collection: String?
    public var filter: String?
    public var sort: [String] = []
    public var limit: Int
    public var cursor: String?
    public var fields: [String] = []
    public var facets: [String] = []
    public var isGrouped = false
    public var view: String?
    public var archived: ArchivedMode?
    public var maxAge: Int64?
    public var zone: String?
    public var language: String?

    /// Reads the command line; `zone` and `language` are the user's.
    ///
    /// - Parameter limit: How many records a page may have.
    public init(
        _ invocation: Invocation, limit: Int, zone: @autoclosure () -> String?, language: String?
    ) throws(UsageError) {
        method = invocation.verb == .sort ? "sort" : "search"
        collection = invocation.selector?.name
        var terms = invocation.terms
        if invocation.verb == .sort {
            sort = try Self.keys(of: terms)
            terms = []
        } else {
            sort = invocation.sort.map(Self.key)
        }
        if let filter = invocation.filter { terms.append(.argument(filter)) }
        filter = FilterComposer.compose(terms)
        self.limit = limit
        fields = invocation.fields
        facets = invocation.facets
        isGrouped = invocation.isGrouped
        view = invocation.view
        archived = invocation.archived
        maxAge = invocation.maxAge
        // Only a filter has days in it; a view has one of its own.
        self.zone = filter == nil && view == nil ? nil : zone()
        self.language = language
    }

    private static func keys(of terms: [Term]) throws(UsageError) -> [String] {
        var keys: [String] = []
        for term in terms {
            if case .argument(let text) = term, FilterComposer.isFilter(text) {
                throw UsageError(
                    "'\(text)' is a filter, and 'sort' shows all records",
                    hint: "to filter them too: --filter '\(text)'")
            }
            keys += ArgumentParser.list(term.text).map(key)
        }
        return keys
    }

    /// `name:desc` is another way to write `-name`.
    public static func key(_ text: String) -> String {
        if text.hasSuffix(":desc") {
            let name = String(text.dropLast(5))
            return name.hasPrefix("-") ? String(name.dropFirst()) : "-" + name
        }
        return text.hasSuffix(":asc") ? String(text.dropLast(4)) : text
    }

    /// Writes the members of `params`.
    public func write(to writer: inout JSONWriter) {
        if let collection { writer.member("collection", collection) }
        if let filter { writer.member("filter", filter) }
        if !sort.isEmpty { writer.list(method == "sort" ? "by" : "sort", sort) }
        writer.member("limit", limit)
        if let cursor { writer.member("cursor", cursor) }
        if !fields.isEmpty { writer.list("fields", fields) }
        if !facets.isEmpty { writer.list("facets", facets) }
        if isGrouped { writer.member("group", true) }
        if let view { writer.member("view", view) }
        if let archived { writer.member("archived", archived.rawValue) }
        if let maxAge { writer.member("max_age_ms", maxAge) }
        if let zone { writer.member("time_zone", zone) }
        if let language { writer.member("lang", language) }
    }
}
