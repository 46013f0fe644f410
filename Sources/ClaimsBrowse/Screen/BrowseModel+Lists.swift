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

// The changes of a list while it is on the screen.

extension BrowseModel {
    /// Asks for the changes of a list: from now on, or from the clock of its rows after a lost connection.
    mutating func subscribe(_ name: String, _ collection: CollectionDescription) {
        state[name].work.subscribeAt = nil
        guard needsSubscription(state[name]), state[name].work.jump == nil else { return }
        let search = searchParameters(state[name].work.askedQuery, collection)
        var parameters = SubscribeParameters()
        parameters.collection = name
        parameters.feed.filter = search.selection.filter
        parameters.feed.view = search.selection.view
        parameters.feed.archived = search.selection.archived
        parameters.feed.fields = search.page.fields
        parameters.feed.timeZone = search.selection.timeZone
        parameters.since = state[name].work.clock
        let question = state[name].work.question
        state[name].work.subscribing = ask(.subscribe, parameters, for: .subscribe(name, question: question))
    }

    mutating func subscribed(_ name: String, _ answer: AnswerValue, question: Int) {
        guard let number = answer[SubscribeResult.subscription] else { return }
        guard state.lists[name]?.work.question == question else { return endSubscription(number) }
        state[name].work.subscribing = nil
        state[name].work.subscription = number
        state[name].liveness = .live
        if let meta = CollectionMeta(answer["meta"]) { take(meta, of: name) }
        // A subscription from a clock tells all that differs by itself.
        guard state[name].work.clock == nil else { return }
        state[name].work.clock = answer[SubscribeResult.clock]
        state[name].work.knownSequence = answer[SubscribeResult.clock].flatMap(ClockSequence.of) ?? 0
        // Pages that are on their way may be older than the subscription.
        for tag in [state[name].work.forward, state[name].work.backward] { cancel(tag) }
        (state[name].work.forward, state[name].work.backward) = (nil, nil)
        compareRows(name)
    }

    mutating func subscriptionRefused(_ name: String, _ refusal: Refusal, question: Int) {
        guard state.lists[name]?.work.question == question else { return }
        state[name].work.subscribing = nil
        if state[name].work.clock != nil, refusal.kind == ErrorKind.badCursor.rawValue {
            // The clock is of another daemon, or of another version of the view.
            state[name].work.clock = nil
            state[name].work.subscribeAt = state.moment.monotonic
            return
        }
        state[name].liveness = .notLive(refusal.message)
    }

    /// Ends the subscription of a list whose question has changed, or that is not shown any more.
    mutating func unsubscribe(_ name: String) {
        guard state.lists[name] != nil else { return }
        state[name].work.question += 1
        state[name].work.subscribeAt = nil
        state[name].work.subscribing = nil
        state[name].work.clock = nil
        if let number = state[name].work.subscription { endSubscription(number) }
        state[name].work.subscription = nil
    }

    private mutating func endSubscription(_ number: Int64) {
        var parameters = UnsubscribeParameters()
        parameters.subscription = number
        ask(.unsubscribe, parameters, for: .unsubscribe)
    }

    /// Takes a notification: an event of a list, or the progress of a refresh. Any other is passed over.
    mutating func take(notification line: AnswerValue) {
        guard let parameters = line["params"] else { return }
        switch line["method"]?.string {
        case EventNotification.method:
            guard let number = parameters[EventNotification.subscription],
                let name = state.lists.first(where: { $0.value.work.subscription == number })?.key
            else { return }
            take(event: parameters, of: name)
        case ProgressNotification.method: take(progress: parameters)
        default: break
        }
    }

    private mutating func take(event: AnswerValue, of name: String) {
        let kind = event[EventNotification.type].flatMap(EventKind.init(rawValue:))
        switch kind {
        case .changes: take(changes: event, of: name)
        case .freshInstance:
            if event[FreshInstanceEvent.reason] == "definition" { isDescriptionDue = true }
            rebuilt(name)
        case .lagged:
            state[name].work.subscription = nil
            state[name].liveness = .notLive(nil)
        case .ended:
            state[name].work.subscription = nil
            state[name].liveness = .notLive(Refusal(event["error"]).message)
            isDescriptionDue = true
        case .synced, .heartbeat, .state, nil: break
        }
        if let meta = CollectionMeta(event["meta"]) { take(meta, of: name) }
        if let clock = event["clock"]?.string, state[name].work.subscription != nil { state[name].work.clock = clock }
    }

    private mutating func take(changes event: AnswerValue, of name: String) {
        for entry in event[ChangesEvent.changes] {
            state[name].take(entry)
            if let id = entry[FeedEntry.id], state.stack.target?.id == id {
                inform(.changed(collection: name, id: id))
            }
        }
        if state[name].isRebuilt {
            rebuilt(name)
        } else if state[name].rows.isEmpty, !state[name].newer.isEmpty, state[name].work.jump == nil {
            // There is no line that could move.
            jump(ListJump(target: .start), in: name)
        }
    }

    /// Notes that the set was made anew. The rows stay until `g` takes the new one in.
    private mutating func rebuilt(_ name: String) {
        unsubscribe(name)
        if state[name].rows.isEmpty {
            if state[name].work.jump == nil { jump(ListJump(target: .start), in: name) }
        } else {
            state[name].isRebuilt = true
        }
    }
}
