// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsClient
import ClaimsModel
import ClaimsProtocol
import ClaimsTerminal

/// The list of one collection: what is asked, what is shown of the answer, and what is done with each event.
///
/// It owns its rows, its requests and its subscription. The model hands it the events and keys that are its own, with a
/// ``ListContext``, and applies the outcome.
struct ListState: Sendable {
    let collection: String
    /// The question. The rows may still answer the one before: ``answeredQuery``.
    private(set) var query: ListQuery
    /// The question that the rows answer.
    private(set) var answeredQuery: ListQuery
    private(set) var held: HeldRows
    /// The record whose id was searched for, where no text has it; nil without one.
    private(set) var namesake: ListNamesake?
    /// The state of the data, and the refresh that was asked for here.
    var condition: ListCondition
    private var requests = ListRequests()
    private var subscription: ListSubscription
    /// The time after which a question without an answer shows, in nanoseconds.
    static let searchingDelay: UInt64 = 300_000_000

    init(
        collection: String, query: ListQuery = ListQuery(), answeredQuery: ListQuery = ListQuery(),
        held: HeldRows = HeldRows(), condition: ListCondition = ListCondition(), liveness: Liveness = .asking,
        namesake: ListNamesake? = nil
    ) {
        self.collection = collection
        self.query = query
        self.answeredQuery = answeredQuery
        self.held = held
        self.condition = condition
        self.namesake = namesake
        subscription = ListSubscription(liveness)
    }

    var rows: [ListRow] { held.rows }
    var total: Int64 { held.total }
    var phase: ListCondition.Phase { condition.phase }
    var meta: AnswerMeta? { condition.meta }
    var refresh: ListRefresh? { condition.refresh }
    var liveness: Liveness { subscription.liveness }
    /// The number of the subscription to its changes; nil without one.
    var subscriptionNumber: Int64? { subscription.number }

    /// The record whose id is what the list was searched for in vain; nil if it has rows, or there is no such record.
    var foundByID: ListNamesake? {
        held.rows.isEmpty && namesake?.text == answeredQuery.possibleID ? namesake : nil
    }

    /// Whether other rows are on their way, which replace these.
    var isJumping: Bool { requests.jump != nil }
    /// Whether it is not known yet which record is selected, or found.
    var awaitsSelection: Bool { isJumping || requests.awaitsNamesake }
    /// Whether a question has no answer yet.
    var isWaiting: Bool { requests.waitingSince != nil }
    /// The rows that a move still has to go, as they are on their way.
    var owedRows: Int { requests.owed }

    private func geometry(_ context: ListContext) -> ListGeometry {
        held.geometry(of: context.collection, in: context.regions, context.time)
    }

    /// Keeps what was measured of the rows.
    mutating func keepFit(_ context: ListContext) { held.keep(geometry(context).rows?.fit) }

    // MARK: - Time

    /// Asks for all that is due: the rows of the query, the pages around them, their changes.
    mutating func pursue(_ context: inout ListContext) {
        let now = context.moment.monotonic
        if now < requests.retryAt ?? 0 { return }
        requests.endRetry()
        if let id = requests.dueComparison(at: now) { compareRows(from: id, &context) }
        if requests.pursueJump(query, &context) { held.forgetRecent() }
        let wasAwaiting = requests.awaitsRows
        let lines = requests.jump == nil ? geometry(context).lines : 0
        if requests.pursueWindows(held, lines: lines, &context), !wasAwaiting { held.forgetRecent() }
        if let time = subscription.dueAt, now >= time { subscribe(&context) }
        if let since = requests.waitingSince, now >= since + Self.searchingDelay { condition.search() }
    }

    /// The time at which ``pursue(_:)`` has something to do; nil for none.
    func nextWake(at now: UInt64) -> UInt64? {
        if let retryAt = requests.retryAt { return retryAt }
        var times = [subscription.dueAt, requests.typedAt(query), requests.comparisonAt].compactMap(\.self)
        if let since = requests.waitingSince, condition.isResting { times.append(since + Self.searchingDelay) }
        // While a refresh is under way, its seconds count.
        if refresh != nil { times.append(now + 1_000_000_000) }
        return times.min()
    }

    // MARK: - The query

    /// Begins with a query, before anything is asked.
    mutating func begin(with query: ListQuery) { self.query = query }

    /// Asks for the rows from the start.
    mutating func jumpToStart(_ context: inout ListContext) { requests.set(ListJump(target: .start), &context) }

    /// Asks for the list anew around a record, by default the selected one, which stays on its line if possible.
    mutating func reload(selecting id: String? = nil, _ context: inout ListContext) {
        requests.set(held.jump(around: id, geometry(context)), &context)
    }

    /// The jump to the rows that are shown, or that are to be shown next.
    func returnJump(_ context: ListContext) -> ListJump {
        if let jump = requests.jump, !jump.isTyped, case .record = jump.target { return jump }
        return held.jump(geometry(context))
    }

    /// Changes the query. The record of the jump is selected then, if it is there; of a typed query more may come in a
    /// moment.
    mutating func change(
        to query: ListQuery, at start: ListJump = ListJump(target: .start), isTyped: Bool = false,
        _ context: inout ListContext
    ) {
        subscription.change(&context)
        self.query = query
        requests.endRetry()
        var jump = start
        jump.isTyped = isTyped
        requests.set(jump, &context)
        requests.wait(since: context.moment.monotonic)
    }

    /// The typed text is complete, so that it is asked for at once.
    mutating func endTyping() { requests.endTyping() }

    // MARK: - Moves

    /// Does an action that moves within the list.
    mutating func move(_ action: BrowseAction, _ context: inout ListContext) {
        // A further move takes the place of one that only goes elsewhere.
        if requests.dropMove(&context) { rest(context) }
        requests.owe(0, in: held)
        switch action {
        case .nextRecord: move(by: 1, &context)
        case .previousRecord: move(by: -1, &context)
        case .nextPage, .previousPage:
            requests.owe(held.movePage(down: action == .nextPage, geometry(context)), in: held)
        default: go(to: held.destination(of: action, isLive: liveness == .live), &context)
        }
        context.outcome.followsSelection = true
    }

    private mutating func go(to destination: ListMove, _ context: inout ListContext) {
        switch destination {
        case .nowhere: break
        case .reload: reload(&context)
        case .row(let index): held.select(nearest: index, geometry(context))
        case .elsewhere(let target): requests.set(ListJump(target: target, isMove: true), &context)
        }
    }

    /// Moves the selection by so many records.
    mutating func move(by distance: Int, _ context: inout ListContext) {
        requests.owe(held.move(by: distance, geometry(context)), in: held)
        context.outcome.followsSelection = true
    }

    /// Selects a row that is in view.
    mutating func select(_ index: Int, _ context: inout ListContext) {
        held.select(index)
        context.outcome.followsSelection = true
    }

    /// Keeps the selection in view, as after a change of the size.
    mutating func reveal(_ context: ListContext) { held.reveal(geometry(context)) }

    /// Shows a change of records that was made here.
    mutating func show(_ change: LocalChange, _ context: inout ListContext) {
        let isFollowed = subscription.number != nil
        switch change {
        case .archived(let ids, let isArchived):
            switch answeredQuery.archived {
            case .include: for id in ids { held.markOwn(id, isFollowed: isFollowed) }
            case .exclude where isArchived, .only where !isArchived: remove(ids, &context)
            case .exclude, .only:
                // It was undone: the record comes back, and is selected.
                if context.isShown, let id = ids.first { reload(selecting: id, &context) }
            }
        case .deleted(let ids): remove(ids, &context)
        case .written(let id, let isNew):
            if isNew, context.isShown {
                reload(selecting: id, &context)
            } else {
                held.markOwn(id, isFollowed: isFollowed)
            }
        }
        // The record that was found by its id may be another one now.
        if foundByID != nil { askNamesake(&context) }
    }

    /// Removes records that have left the list; the one after the selected record is selected.
    private mutating func remove(_ ids: [String], _ context: inout ListContext) {
        for id in ids { held.remove(id, isFollowed: subscription.number != nil) }
        guard context.isShown else { return }
        held.reveal(geometry(context))
        context.outcome.followsSelection = true
    }

    // MARK: - The connection

    /// Goes on after a new connection: the subscription goes on from its clock.
    mutating func resume(_ context: inout ListContext) {
        guard !isJumping else { return }
        switch phase {
        case .loading, .refused: jumpToStart(&context)
        case .answered:
            guard subscription.isNeeded, !held.isRebuilt else { return }
            subscription.resume(at: context.moment.monotonic)
        }
    }

    /// Keeps what is shown, and forgets what was under way on the lost connection.
    mutating func lose() {
        condition.endRefresh()
        subscription.lose(isComparing: requests.isComparing)
        requests.lose()
        held.forgetRecent()
    }

    /// Keeps what the next view of the list begins with: another tab is shown.
    mutating func hide(_ context: inout ListContext) {
        end(&context)
        requests.lose()
        held.forgetRecent()
        requests.dropJump()
        held.dropHiddenWindows(lines: geometry(context).lines)
    }

    /// Gives up all that is under way.
    mutating func end(_ context: inout ListContext) {
        subscription.end(&context)
        requests.cancelAll(&context)
    }

    // MARK: - Answers

    /// Reads the answer to a question.
    mutating func handle(_ answer: AnswerValue, to question: ListQuestion, _ context: inout ListContext) {
        requests.close(question)
        switch question {
        case .subscription(let query): subscribed(answer, query: query, &context)
        case .namesake(let id):
            namesake = answer[DetailResult.record].map { ListNamesake(text: id, record: $0) }
        case .jump, .pageBeforeJump, .pageAfter, .pageBefore, .comparison:
            guard let collection = context.collection else { return }
            condition.read(answer)
            let isGrouped = collection.isGrouped(requests.askedQuery)
            handle(ListPage(answer, of: collection, isGrouped: isGrouped), to: question, &context)
        }
    }

    private mutating func handle(_ page: ListPage, to question: ListQuestion, _ context: inout ListContext) {
        switch question {
        case .jump where isJumping:
            let wasAwaiting = requests.awaitsRows
            let landing = requests.landed(on: page, lines: geometry(context).lines, &context)
            if requests.awaitsRows, !wasAwaiting { held.forgetRecent() }
            if let landing { show(landing, &context) }
        case .pageBeforeJump: if let landing = requests.landed(before: page) { show(landing, &context) }
        case .pageAfter, .pageBefore:
            let isForward = question == .pageAfter
            if isForward { held.append(page) } else { held.prepend(page) }
            forgetRecent()
            if let owed = requests.settleDebt(isForward: isForward) { move(by: owed, &context) }
        case .comparison(let id): compared(page, from: id, &context)
        case .jump, .namesake, .subscription: break
        }
    }

    /// Shows the pages of a jump.
    private mutating func show(_ landing: ListRequests.Landing, _ context: inout ListContext) {
        guard let jump = requests.jump, let collection = context.collection else { return }
        let asked = requests.askedQuery
        let (regions, time) = (context.regions, context.time)
        held.replace(
            with: landing.pages, anchor: landing.anchor, jump.target, isGrouped: collection.isGrouped(asked)
        ) { $0.geometry(of: collection, in: regions, time) }
        answeredQuery = asked
        condition.answered()
        // While typing goes on, the rows of the query before stay until the next ones come.
        if asked == query {
            requests.endJump()
            rest(context)
        }
        forgetRecent()
        if context.isWide { context.outcome.followsSelection = true }
        askNamesake(&context)
    }

    /// Forgets the entries of the feed that were kept for rows under way, if none are.
    private mutating func forgetRecent() {
        if !requests.awaitsRows { held.forgetRecent() }
    }

    /// Asks whether the text that the list was searched for in vain is the id of a record.
    private mutating func askNamesake(_ context: inout ListContext) {
        let mayBeID = held.rows.isEmpty && condition.isAnswered
        requests.askNamesake(mayBeID ? answeredQuery.possibleID : nil, &context)
    }

    /// Reads the rows once more, which may have changed between the first answer and the subscription.
    private mutating func compared(_ page: ListPage, from id: String, _ context: inout ListContext) {
        if page.anchored == AnchorMatch.gone.rawValue {
            // The answer begins elsewhere: it says nothing about the rows but that this one went.
            held.markGone(id)
            compareRows(&context)
        } else if let rest = held.compare(with: page, from: id) {
            compareRows(from: rest, &context)
        }
        forgetRecent()
    }

    /// Asks for the rows once more, from one of them on, or from the first that is still in the set.
    private mutating func compareRows(from id: String? = nil, _ context: inout ListContext) {
        guard context.collection != nil, !isJumping else { return }
        if held.rows.isEmpty { return jumpToStart(&context) }
        guard let anchor = id ?? held.rows.first(where: \.isPresent)?.id else { return }
        forgetRecent()
        requests.compare(from: anchor, rows: held.rows.count, &context)
    }

    // MARK: - Changes

    /// Waits until the query has rested, if its changes are not reported yet.
    private mutating func rest(_ context: ListContext) {
        if subscription.isNeeded, !held.isRebuilt { subscription.rest(from: context.moment.monotonic) }
    }

    /// Asks for the changes of the list: from now on, or from the clock of its rows after a lost connection.
    private mutating func subscribe(_ context: inout ListContext) {
        subscription.clearDue()
        if subscription.isNeeded, !isJumping { subscription.ask(requests.askedQuery, &context) }
    }

    private mutating func subscribed(_ answer: AnswerValue, query: Int, _ context: inout ListContext) {
        let start = subscription.begin(answer, for: query, &context)
        if case .outdated = start { return }
        if let meta = AnswerMeta(answer["meta"]) { update(meta, &context) }
        guard case .begun(let sequence) = start else { return }
        held.follow(from: sequence)
        // Pages that are on their way may be older than the subscription.
        requests.cancelWindows(&context)
        compareRows(&context)
    }

    /// Takes over the state of the collection, and asks for its records if there are some at last.
    mutating func update(_ meta: AnswerMeta, _ context: inout ListContext) {
        if condition.update(meta), !isJumping { jumpToStart(&context) }
    }

    /// Handles an event of the subscription.
    mutating func handle(_ event: FeedEvent, _ context: inout ListContext) {
        guard subscription.accept(event) else { return }
        switch event.kind {
        case .changes(let entries, _):
            for entry in entries {
                held.apply(entry, isAwaitingRows: requests.awaitsRows)
                if let id = entry[FeedEntry.id] { context.outcome.changedIDs.append(id) }
            }
            if held.isRebuilt {
                rebuilt(&context)
            } else if held.rows.isEmpty, !held.newer.isEmpty, !isJumping {
                // There is no line that could move.
                jumpToStart(&context)
            }
        case .freshInstance(let reason):
            if reason == "definition" { context.outcome.needsDescription = true }
            rebuilt(&context)
        case .lagged: subscription.stop(nil)
        case .ended(let refusal):
            subscription.stop(refusal.message)
            context.outcome.needsDescription = true
        case .synced, .heartbeat, .state, .unknown: break
        }
        if let meta = AnswerMeta(event.meta) { update(meta, &context) }
    }

    /// Records that the set was made anew. The rows stay until `g` shows the new one.
    private mutating func rebuilt(_ context: inout ListContext) {
        subscription.end(&context)
        if !held.rows.isEmpty { return held.markRebuilt() }
        if !isJumping { jumpToStart(&context) }
    }

    // MARK: - Refusals

    /// Decides what becomes of a question that is refused.
    mutating func handle(_ refusal: Refusal, to question: ListQuestion, _ context: inout ListContext) {
        requests.close(question)
        switch question {
        case .jump, .pageBeforeJump: jumpRefused(refusal, &context)
        case .pageAfter, .pageBefore:
            requests.dropWindows()
            // A cursor that is not valid any more leads back to the record that is selected.
            if refusal.kind == ErrorKind.badCursor.rawValue {
                reload(&context)
            } else {
                requests.retry(after: refusal, context)
            }
        case .comparison(let id): requests.postponeComparison(from: id, after: refusal, context)
        case .namesake: namesake = nil
        case .subscription(let query): subscription.refused(refusal, for: query, at: context.moment.monotonic)
        }
    }

    private mutating func jumpRefused(_ refusal: Refusal, _ context: inout ListContext) {
        requests.dropStaged()
        let kind = ErrorKind(rawValue: refusal.kind)
        switch kind {
        // A mistake in a filter counts only where its text stands still.
        case .badFilter?, .unknownCollection?, .badCursor?, .busy?, .noData?: break
        default: interruptKeys(&context)
        }
        switch kind {
        case .badFilter?: filterRefused(refusal, &context)
        case .badSort? where query.order != nil: drop(\.order, refusal, &context)
        case .badParams? where query.view != nil:
            // The view went with a reload.
            drop(\.view, refusal, &context)
            context.outcome.needsDescription = true
        case .unknownCollection?:
            context.outcome.needsDescription = true
            requests.retry(after: refusal, context)
        // The definition changed while pages came.
        case .badCursor?, .busy?: requests.retry(after: refusal, context)
        case .noData?:
            show(refusal)
            // The fetch of the first records is joined, to show how far it is.
            context.outcome.joinsRefresh = meta?.state == "loading" && refresh == nil
        case .badSort?: show(refusal)
        default: if !keepRows(refusal, &context) { show(refusal) }
        }
    }

    /// Asks without a part of the query that is refused.
    private mutating func drop(
        _ part: WritableKeyPath<ListQuery, String?>, _ refusal: Refusal, _ context: inout ListContext
    ) {
        var query = query
        query[keyPath: part] = nil
        change(to: query, &context)
        context.outcome.notice = Notice(kind: .wrong, text: context.messages.refused(refusal))
    }

    /// Drops the keys that wait, and those that come before it is seen why; but for what is typed into a line, which
    /// answers nothing.
    private func interruptKeys(_ context: inout ListContext) {
        context.outcome.dropsKeys = true
        if requests.jump?.isTyped != true { context.outcome.interruptsKeys = true }
    }

    /// Keeps the rows if they answer the same question, and says why there are no newer ones.
    private mutating func keepRows(_ refusal: Refusal, _ context: inout ListContext) -> Bool {
        guard answeredQuery == query, !held.rows.isEmpty else { return false }
        requests.endJump()
        condition.answered()
        context.outcome.notice = Notice(kind: .wrong, text: context.messages.refused(refusal))
        return true
    }

    /// Shows a mistake in the filter under its line. Without that line the filter is taken out, with a notice.
    private mutating func filterRefused(_ refusal: Refusal, _ context: inout ListContext) {
        let asked = requests.askedQuery
        // The text that was typed since is asked next.
        guard asked == query else { return }
        interruptKeys(&context)
        requests.endWait()
        condition.endSearch()
        if context.isTypingFilter {
            requests.endJump()
            context.outcome.inputProblem = InputProblem(refusal, in: asked)
            return
        }
        guard !asked.filter.isEmpty else { return show(refusal) }
        var mended = query
        mended.filter = ""
        change(to: mended, &context)
        context.outcome.needsDescription = true
        context.outcome.notice = Notice(
            kind: .wrong, text: context.messages.filterGone(asked.filter, because: refusal.message))
    }

    /// Shows that there is nothing to show, and why.
    private mutating func show(_ refusal: Refusal) {
        requests.endJump()
        held.removeAll()
        condition.refused(refusal)
    }
}
