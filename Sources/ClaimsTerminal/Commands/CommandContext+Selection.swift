// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsClient
import ClaimsModel
import ClaimsPlatform
public import ClaimsProtocol

extension CommandContext {
    /// The records that the command line is about, as the parameters of a query.
    ///
    /// Records the filter, so that an error can point into it. The text of `--filter` stays as it is.
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
                    hint: TranslatedText(
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

// Hints that name selectors which exist.

extension CommandContext {
    /// The words that stand for a selector in a hint.
    private static let placeholder = "--collection NAME"
    /// How long the daemon may take to list its collections for a hint.
    private static let maxHintTime: Duration = .milliseconds(250)
    /// The number of cells that a notice shows of an argument.
    private static let maxShownArgument = 200
    /// The number of selectors that a hint names.
    private static let maxNamed = 8

    /// The hint with a selector in place of ``placeholder``: the one of the line, or else one that the daemon knows; the
    /// others follow.
    func namingSelectors(_ hint: String) -> String {
        guard hint.range(of: Self.placeholder) != nil else { return hint }
        if let selector = invocation.selector {
            return hint.substituting(Self.placeholder, with: Escaping.line(selector.argument))
        }
        let described = collections()
        let suitable = described.filter(invocation.verb.suits)
        let known = (suitable.isEmpty ? described : suitable).map { "--\(Escaping.line($0.singular))" }
        guard let first = known.first else { return hint }
        let shown = known.prefix(Self.maxNamed).joined(separator: ", ") + (known.count > Self.maxNamed ? ", …" : "")
        return hint.substituting(Self.placeholder, with: first) + "; " + messages.selectors(shown)
    }

    /// The question whether another selector is meant than one that no collection has: as an option, as it was written.
    /// Nil if none is near, or the daemon does not answer at once.
    func nearestSelector(to name: String) -> TranslatedText? {
        // It has answered on this connection a moment ago.
        let known = openConnection.map { collections(on: $0) } ?? collections()
        let near = Suggestion.nearest(name, among: known.flatMap { [$0.singular, $0.name] })
        let meant = near.flatMap { near in known.first { $0.singular == near } ?? known.first { $0.name == near } }
        return meant.map { Suggestion.question("--\($0.singular)") }
    }

    /// Tells of arguments whose value has a further condition in it, which may be meant as one.
    ///
    /// Only fields of the collections that are asked make a condition. Where the daemon does not answer at once, nothing
    /// is told.
    func warnOfInnerConditions(_ terms: [Term]) {
        guard beginsConditionSearch() else { return }
        let suspects = terms.compactMap { term -> (argument: String, inner: [FilterComposer.InnerCondition])? in
            guard case .argument(let text) = term else { return nil }
            let inner = FilterComposer.innerConditions(text)
            return inner.isEmpty ? nil : (text, inner)
        }
        if suspects.isEmpty { return }
        let known = collections(invocation.selector?.name)
        for (argument, inner) in suspects {
            guard let condition = inner.first(where: { part in known.contains { $0.field(part.field) != nil } }) else {
                continue
            }
            // The beginning of a long one says which it is.
            let shown = Fitting.truncate(argument, to: Self.maxShownArgument)
            notice(messages.innerCondition(condition.text, in: ShellWord.quoted(shown)))
        }
    }

    /// The daemon's collections, or the one of a name; none if it does not answer at once.
    private func collections(_ name: String? = nil) -> [CollectionDescription] {
        do throws(ClientError) {
            let connection = try quietConnection(
                socket: invocation.socket, host: invocation.host,
                timeout: invocation.host == nil ? Self.maxHintTime : CompleteCommand.maxHostTime)
            return collections(name, on: connection)
        } catch {
            return []
        }
    }

    private func collections(_ name: String? = nil, on connection: ClientConnection) -> [CollectionDescription] {
        do throws(ClientError) {
            var parameters = DescribeParameters()
            parameters.collection = name
            return CollectionDescription.all(in: try connection.answer(to: connection.request(.describe, parameters)))
        } catch {
            return []
        }
    }
}

extension Verb {
    /// Whether the verb can do something in a collection, so that a hint may name it.
    fileprivate func suits(_ collection: CollectionDescription) -> Bool {
        switch self {
        case .archive, .unarchive: collection.offers.isArchivable
        case .deal: collection.offers.hasDeals
        case .add: collection.writes?.action("create") != nil
        case .edit: collection.writes?.action("update") != nil
        case .delete: collection.writes?.action("delete") != nil
        case .act: collection.writes != nil
        default: true
        }
    }
}
