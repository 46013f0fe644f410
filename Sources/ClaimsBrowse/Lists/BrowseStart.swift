// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsClient
import ClaimsModel
import ClaimsProtocol
import ClaimsTerminal

/// The collection and the query that browse begins with, from the command line.
struct BrowseStart: Sendable {
    /// The name of a collection or its singular; nil for the first one.
    var collection: String?
    var query = ListQuery()
}

// The beginning that the command line asks for: a mistake in it is reported before anything is shown.

extension BrowseStart {
    /// The collection and the query that the command line names.
    init(_ context: CommandContext) {
        let invocation = context.invocation
        collection = invocation.selector?.name
        query.filter = FilterComposer.conjunction(FilterComposer.compose(invocation.terms), invocation.filter) ?? ""
        query.view = invocation.view
        query.order = invocation.sort.isEmpty ? nil : invocation.sort.joined(separator: ",")
        query.archived = invocation.archived ?? .exclude
        context.filter = query.filter.isEmpty ? nil : query.filter
    }

    /// Has the daemon read the collection, the filter, the view and the order.
    ///
    /// - Throws: its refusal, where one of them is unknown. Any other, such as that no data has come yet, is shown later.
    func check(_ context: CommandContext, on connection: ClientConnection) throws(CommandError) {
        guard collection != nil || query.isSelective || query.order != nil else { return }
        do throws(ClientError) {
            var parameters = SearchParameters()
            if let collection {
                parameters.collection = collection
            } else {
                parameters.collection = try firstCollection(connection)
            }
            parameters.selection.filter = context.filter.map { FilterValue($0) }
            parameters.selection.view = query.view
            parameters.selection.timeZone = context.zoneParameter
            parameters.selection.language = context.language
            parameters.page.limit = 1
            parameters.sort = query.order.map { SortValue($0.split(separator: ",").map(String.init)) }
            _ = try connection.call(.search, parameters)
        } catch {
            if case .refused(let refusal) = error, ExitCode(kind: refusal.kind) != .usage { return }
            throw .client(error)
        }
    }

    /// The collection that is shown where none is named; nil if there is none.
    private func firstCollection(_ connection: ClientConnection) throws(ClientError) -> String? {
        let answer = try connection.call(.describe, DescribeParameters())
        return answer[DescribeResult.collections].first?[DescribeResult.CollectionEntry.name]
    }
}
