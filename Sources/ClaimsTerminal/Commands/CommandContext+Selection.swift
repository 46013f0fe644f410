// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import ClaimsPlatform
public import ClaimsProtocol

extension CommandContext {
    /// The records that the command line is about, as the parameters of a query.
    ///
    /// Notes the filter, so that an error can point into it. The text of `--filter` stays as it is.
    public func selection(filteredBy terms: [Term]) -> SelectionParameters {
        warnOfInnerConditions(terms)
        filter = FilterComposer.conjunction(FilterComposer.compose(terms), invocation.filter)
        var selection = SelectionParameters()
        selection.filter = filter.map { FilterValue($0) }
        selection.view = invocation.view
        selection.archived = invocation.archived ?? .exclude
        selection.maxAge = invocation.maxAge?.duration.wholeMilliseconds
        // Only a filter has days in it; a view has one of its own.
        selection.timeZone = filter == nil && invocation.view == nil ? nil : zoneParameter
        return selection
    }
}

extension CommandContext {
    /// The collection that the line selects, for a verb that works on one.
    ///
    /// - Parameter example: a line that selects one.
    func requiredCollection(_ example: String) throws(CommandError) -> String {
        guard let selector = invocation.selector else {
            throw .usage(.needsCollection(invocation.verb.word, example))
        }
        return selector.name
    }
}

/// Sort keys as people write them.
enum SortKeys {
    /// The keys that the terms of `sort` name.
    static func read(_ terms: [Term]) throws(UsageError) -> [String] {
        var keys: [String] = []
        for term in terms {
            if case .argument(let text) = term, FilterComposer.isFilter(text) {
                let filter = FilterComposer.expression(text)
                throw UsageError(
                    en: "'\(text)' is a filter, and 'sort' shows all records",
                    pl: "„\(text)” to filtr, a „sort” pokazuje wszystkie rekordy",
                    hint: ErrorText(
                        en: "to filter them too: --filter '\(filter)'",
                        pl: "aby je też przefiltrować: --filter '\(filter)'"
                    ))
            }
            keys += ArgumentParser.list(term.text).map(key)
        }
        return keys
    }

    /// `name:desc` is another way to write `-name`.
    static func key(_ text: String) -> String {
        if text.hasSuffix(":desc") {
            let name = String(text.dropLast(5))
            return name.hasPrefix("-") ? String(name.dropFirst()) : "-" + name
        }
        return text.hasSuffix(":asc") ? String(text.dropLast(4)) : text
    }
}
