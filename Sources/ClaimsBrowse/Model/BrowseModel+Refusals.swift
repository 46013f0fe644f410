// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsClient
import ClaimsProtocol
import ClaimsTerminal

// Requests of a list that are refused.

extension BrowseModel {
    /// Decides what becomes of a list whose question is refused.
    mutating func jumpRefused(_ name: String, _ refusal: Refusal) {
        state[name].work.jumpTag = nil
        state[name].work.staged = nil
        let kind = ErrorKind(rawValue: refusal.kind)
        switch kind {
        // A mistake in a filter counts only where its text stands still.
        case .badFilter?, .unknownCollection?, .badCursor?, .busy?, .noData?: break
        default: interruptKeys(of: name)
        }
        switch kind {
        case .badFilter?: filterRefused(name, refusal)
        case .badSort?:
            var query = state[name].query
            guard query.order != nil else { return show(refusal, in: name) }
            query.order = nil
            change(name, to: query)
            state.notice = Notice(kind: .wrong, text: messages.refused(refusal))
        case .badParams? where state[name].query.view != nil:
            // The view went with a reload.
            var query = state[name].query
            query.view = nil
            change(name, to: query)
            state.notice = Notice(kind: .wrong, text: messages.refused(refusal))
            isDescriptionDue = true
        case .unknownCollection?:
            isDescriptionDue = true
            retry(name, after: refusal)
        // The definition changed while pages came.
        case .badCursor?, .busy?: retry(name, after: refusal)
        case .noData?:
            show(refusal, in: name)
            watchLoading(name)
        default: if !keepRows(name, refusal) { show(refusal, in: name) }
        }
    }

    /// Drops the keys that wait, and those that come before it is seen why; but for what is typed into a line, which
    /// answers nothing.
    private mutating func interruptKeys(of name: String) {
        keys.removeAll()
        if state[name].work.jump?.isTyped != true { hasInterrupted = true }
    }

    /// Keeps the rows where they answer the same question, and tells why there are no newer ones.
    private mutating func keepRows(_ name: String, _ refusal: Refusal) -> Bool {
        guard state[name].answeredQuery == state[name].query, !state[name].rows.isEmpty else { return false }
        state[name].work.jump = nil
        state[name].work.waitingSince = nil
        state[name].phase = .answered(isSearching: false)
        state.notice = Notice(kind: .wrong, text: messages.refused(refusal))
        return true
    }

    /// Shows a mistake in the filter under its line. Without that line the filter is taken out, with a notice.
    private mutating func filterRefused(_ name: String, _ refusal: Refusal) {
        let query = state[name].work.askedQuery
        // The text that was typed since is asked next.
        guard query == state[name].query else { return }
        interruptKeys(of: name)
        state[name].work.waitingSince = nil
        if case .answered = state[name].phase { state[name].phase = .answered(isSearching: false) }
        if case .input(let input)? = state.layers.last, input.purpose == .filter, input.collection == name {
            state[name].work.jump = nil
            state.stack.report(InputProblem(refusal, in: query))
            return
        }
        guard !query.filter.isEmpty else { return show(refusal, in: name) }
        var mended = state[name].query
        mended.filter = ""
        change(name, to: mended)
        isDescriptionDue = true
        state.notice = Notice(kind: .wrong, text: messages.filterGone(query.filter, because: refusal.message))
    }

    /// Shows that there is nothing to show, and why.
    private mutating func show(_ refusal: Refusal, in name: String) {
        state[name].work.jump = nil
        state[name].work.waitingSince = nil
        if let meta = CollectionMeta(refusal.data?["meta"]) { state[name].meta = meta }
        state[name].replace(with: [])
        state[name].total = 0
        state[name].groups = []
        state[name].phase = .refused(refusal)
    }

    /// Joins the fetch of a collection whose first records are on their way, to tell how far it is.
    private mutating func watchLoading(_ name: String) {
        guard state[name].meta?.state == "loading", state[name].refresh == nil else { return }
        askRefresh(name, isAsked: false)
    }
}

extension InputProblem {
    /// The mistake in the filter of a query, with the position in the filter as it was typed.
    init(_ refusal: Refusal, in query: ListQuery) {
        let size = query.filter.utf8.count
        let offset = query.composedFilter.filterOffset
        let range = refusal.position.map { position in
            let sent = query.composedFilter.text?.utf8.count ?? 0
            let start = max(0, min(min(max(0, position), sent) - offset, size))
            return start..<start + max(0, min(refusal.length ?? 0, size - start))
        }
        self.init(message: refusal.message, hint: refusal.hint, range: range)
    }
}
