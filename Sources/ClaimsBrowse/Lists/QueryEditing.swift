// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import ClaimsTerminal

/// The changes that a person makes to the query of the shown list, and the rows that they led away from.
struct QueryEditing: Sendable {
    /// The filter that was typed and is asked for with Enter, as its last term is a lone name so far.
    private var heldFilter: String?
    /// The rows that were shown before the line of input changed the query; nil before it does.
    private var lineReturn: ListJump?
    /// The rows that were shown before the search and the filter; nil if there is neither.
    private var queryReturn: ListJump?

    /// Applies a change that a sheet or the line of input makes.
    mutating func apply(_ change: QueryChange, to list: inout ListState, _ context: inout ListContext) {
        heldFilter = nil
        if case .filter(let text) = change, !ListQuery.isComplete(text), context.isTypingFilter {
            heldFilter = text
            return
        }
        let query = list.query.with(change)
        guard query != list.query else { return }
        if change.isTyped { keepReturn(list, context) }
        self.change(&list, to: query, isTyped: change.isTyped, &context)
    }

    /// Takes back what was typed in a line, with the rows that it led away from.
    mutating func restore(_ change: QueryChange, of list: inout ListState, _ context: inout ListContext) {
        heldFilter = nil
        guard let start = lineReturn else { return }
        lineReturn = nil
        self.change(&list, to: list.query.with(change), at: start, &context)
    }

    /// Keeps what was typed in a line.
    mutating func enter(_ list: inout ListState, _ context: inout ListContext) {
        askTyped(&list, &context)
        queryReturn = queryReturn ?? lineReturn
        lineReturn = nil
    }

    /// Asks at once for what was typed.
    mutating func askTyped(_ list: inout ListState, _ context: inout ListContext) {
        list.endTyping()
        guard let filter = heldFilter else { return }
        heldFilter = nil
        keepReturn(list, context)
        change(&list, to: list.query.with(.filter(filter)), &context)
    }

    /// Clears the search, the filter or the view.
    ///
    /// - Returns: false if there is none.
    mutating func clear(_ list: inout ListState, _ context: inout ListContext) -> Bool {
        guard list.query.isSelective else { return false }
        // If nothing was found, the records before the search come back.
        let found = list.rows.isEmpty ? queryReturn : nil
        change(&list, to: list.query.cleared, at: found ?? list.returnJump(context), &context)
        return true
    }

    /// Shows archived records too, or only these, or none.
    mutating func changeArchivedMode(of list: inout ListState, _ context: inout ListContext) {
        guard let collection = context.collection else { return }
        guard collection.offers.isArchivable else {
            context.outcome.notice = Notice(kind: .wrong, text: context.messages.notArchivable)
            return
        }
        var query = list.query
        query.archived = query.archived.next
        change(&list, to: query, at: list.returnJump(context), &context)
        context.outcome.notice = Notice(kind: .done, text: context.messages.archivedMode(query.archived))
    }

    /// Forgets the rows that a query led away from: another list is shown.
    mutating func end() { self = QueryEditing() }

    private mutating func change(
        _ list: inout ListState, to query: ListQuery, at start: ListJump = ListJump(target: .start),
        isTyped: Bool = false, _ context: inout ListContext
    ) {
        // A refusal may have taken the query out.
        if !list.query.isSelective || !query.isSelective { queryReturn = nil }
        list.change(to: query, at: start, isTyped: isTyped, &context)
    }

    /// Remembers the rows that a line of input leads away from.
    private mutating func keepReturn(_ list: ListState, _ context: ListContext) {
        lineReturn = lineReturn ?? list.returnJump(context)
    }
}
