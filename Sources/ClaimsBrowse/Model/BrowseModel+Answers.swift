// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsClient
import ClaimsProtocol
import ClaimsTerminal

// The answers to the requests of a list.

extension BrowseModel {
    /// Takes the page that a list jumps to, or asks for the page before it, so that the selection stays on its line.
    mutating func jumpAnswered(_ name: String, _ answer: AnswerValue) {
        state[name].work.jumpTag = nil
        guard let collection = state.description(of: name), let jump = state[name].work.jump else { return }
        let page = ListPage(answer, of: collection, isGrouped: collection.isGrouped(state[name].work.askedQuery))
        noteMeta(answer, of: name)
        guard case .record(let id, let line) = jump.target else { return finishJump(name, [page], anchor: 0) }
        if page.anchored == AnchorMatch.gone.rawValue, let follower = jump.followers.first {
            state[name].work.jump?.target = .record(follower, line: line)
            state[name].work.jump?.followers.removeFirst()
            return
        }
        // A record that was the last of a list has nothing after it, and the end of a list fills the view.
        let isShort = page.next == nil && page.rows.count < state.geometry(of: state[name]).lines
        let needsBefore = line > 0 || isShort || page.rows.first?.id != id
        if page.anchored != AnchorMatch.gone.rawValue, needsBefore, let previous = page.previous {
            state[name].work.staged = page
            state[name].work.jumpTag = askPage(previous, of: name, collection, for: .jumpBefore(name))
        } else {
            finishJump(name, [page], anchor: 0)
        }
    }

    /// Takes the page before the one that a list jumps to.
    mutating func jumpCompleted(_ name: String, _ answer: AnswerValue) {
        state[name].work.jumpTag = nil
        guard let collection = state.description(of: name), let staged = state[name].work.staged else { return }
        state[name].work.staged = nil
        let page = ListPage(answer, of: collection, isGrouped: collection.isGrouped(state[name].work.askedQuery))
        finishJump(name, [page, staged], anchor: 1)
    }

    /// Shows the pages of a jump.
    ///
    /// - Parameter anchor: the index of the page that begins at the target.
    private mutating func finishJump(_ name: String, _ pages: [ListPage], anchor: Int) {
        guard let jump = state[name].work.jump, let collection = state.description(of: name) else { return }
        let asked = state[name].work.askedQuery
        let (first, target) = (pages[0], pages[anchor])
        let before = anchor > 0 ? first.rows.count : 0
        state[name].replace(with: pages)
        state[name].firstRank = first.rank ?? max(0, (target.rank ?? 0) - before)
        state[name].total = state[name].shownTotal(of: target)
        state[name].work.knownSequence = pages.map(\.sequence).min() ?? 0
        state[name].groups = target.groups
        state[name].isGrouped = collection.isGrouped(asked)
        state[name].answeredQuery = asked
        state[name].phase = .answered(isSearching: false)
        let geometry = state.geometry(of: state[name])
        state[name].settle(jump.target, following: target.rows, geometry)
        // While typing goes on, the rows of the query before stay until the next ones come.
        if asked == state[name].query {
            state[name].work.jump = nil
            state[name].work.waitingSince = nil
            rest(name)
        }
        if !state[name].work.awaitsRows { state[name].work.recent = [:] }
        if state.isWide { followSelection() }
        askNamesake(name)
    }

    /// Asks whether the text that a list was searched for in vain is the id of a record.
    mutating func askNamesake(_ name: String) {
        cancel(state[name].work.namesake)
        state[name].work.namesake = nil
        guard state[name].rows.isEmpty, case .answered = state[name].phase,
            let id = state[name].answeredQuery.possibleID
        else { return }
        var parameters = DetailParameters()
        parameters.collection = name
        parameters.id = RecordID(id)
        parameters.language = state.person.language
        state[name].work.namesake = ask(.detail, parameters, for: .namesake(name, id: id))
    }

    mutating func namesakeAnswered(_ name: String, id: String, _ record: AnswerValue?) {
        guard state.lists[name] != nil else { return }
        state[name].work.namesake = nil
        state[name].namesake = record.map { ListNamesake(text: id, record: $0) }
    }

    /// Whether the changes of a list are not told, and not asked for.
    func needsSubscription(_ list: ListState) -> Bool {
        list.work.subscription == nil && list.work.subscribing == nil
    }

    /// Waits until the query has rested, where its changes are not told yet.
    mutating func rest(_ name: String) {
        guard needsSubscription(state[name]), !state[name].isRebuilt else { return }
        state[name].liveness = .asking
        state[name].work.clock = nil
        state[name].work.subscribeAt = state.moment.monotonic + Self.restTime
    }

    /// Takes the page after or before the rows.
    mutating func windowAnswered(_ name: String, _ answer: AnswerValue, isForward: Bool) {
        if isForward { state[name].work.forward = nil } else { state[name].work.backward = nil }
        guard let collection = state.description(of: name) else { return }
        noteMeta(answer, of: name)
        let page = ListPage(answer, of: collection, isGrouped: collection.isGrouped(state[name].work.askedQuery))
        if isForward { state[name].append(page) } else { state[name].prepend(page) }
        if !state[name].work.awaitsRows { state[name].work.recent = [:] }
        let owed = state[name].work.owed
        guard owed != 0, (owed > 0) == isForward else { return }
        state[name].work.owed = 0
        move(name, by: owed)
    }

    /// A cursor that the daemon does not take any more leads back to the record that is selected.
    mutating func windowRefused(_ name: String, _ refusal: Refusal) {
        (state[name].work.forward, state[name].work.backward) = (nil, nil)
        if refusal.kind == ErrorKind.badCursor.rawValue {
            takeIn(name)
        } else {
            retry(name, after: refusal)
        }
    }

    /// Takes the rows once more, which may have changed between the first answer and the subscription.
    mutating func compared(_ name: String, _ answer: AnswerValue, from id: String) {
        state[name].work.comparison = nil
        guard let collection = state.description(of: name) else { return }
        noteMeta(answer, of: name)
        let page = ListPage(answer, of: collection, isGrouped: collection.isGrouped(state[name].work.askedQuery))
        if page.anchored == AnchorMatch.gone.rawValue {
            // The answer begins elsewhere: it says nothing about the rows but that this one went.
            if let index = state[name].index(of: id), state[name].rows[index].isPresent {
                state[name].rows[index].mark = .removed(reason: "gone")
            }
            compareRows(name)
        } else {
            let rest = state[name].compare(with: page, from: id)
            if rest == id {
                // So much is new that the rows are a small part of it.
                state[name].isRebuilt = true
            } else if let rest {
                compareRows(name, from: rest)
            }
            if page.anchored == AnchorMatch.exact.rawValue, state[name].rows.first?.id == id, let rank = page.rank {
                state[name].firstRank = rank
            }
        }
        if !state[name].work.awaitsRows { state[name].work.recent = [:] }
    }

    /// Asks for the rows once more, from one of them on, or from the first that is still in the set.
    mutating func compareRows(_ name: String, from id: String? = nil) {
        guard let collection = state.description(of: name), state[name].work.jump == nil else { return }
        if state[name].rows.isEmpty { return jump(ListJump(target: .start), in: name) }
        guard let anchor = id ?? state[name].rows.first(where: \.isPresent)?.id else { return }
        if !state[name].work.awaitsRows { state[name].work.recent = [:] }
        var parameters = searchParameters(state[name].work.askedQuery, collection)
        parameters.page.anchor = .id(anchor)
        parameters.page.limit = Int64(min(PageParameters.maxLimit, max(ListState.pageRows, state[name].rows.count)))
        state[name].work.comparison = ask(.search, parameters, for: .comparison(name, from: anchor))
    }

    private func retryTime(after refusal: Refusal) -> UInt64 {
        let wanted = refusal.retryAfter.map { UInt64(clamping: min($0, Self.maxRetryTime)) * 1_000_000 }
        return state.moment.monotonic + max(wanted ?? Self.retryTime, Self.typingInterval)
    }

    mutating func retry(_ name: String, after refusal: Refusal) {
        state[name].work.retryAt = retryTime(after: refusal)
    }

    func noteMeta(of answer: AnswerValue) -> CollectionMeta? { CollectionMeta(answer[SearchResult.meta]) }

    private mutating func noteMeta(_ answer: AnswerValue, of name: String) {
        if let meta = noteMeta(of: answer) { state[name].meta = meta }
    }
}
