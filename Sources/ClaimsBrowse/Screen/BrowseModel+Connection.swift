// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsClient
import ClaimsModel
import ClaimsProtocol
import ClaimsTerminal

// The connection, what the daemon tells of itself, and what a reload changed.

extension BrowseModel {
    /// The time between two questions for the status, in nanoseconds.
    static let statusInterval: UInt64 = 5_000_000_000

    /// The time between two questions for the description of the collections, in nanoseconds: a reload may change
    /// labels or what can be written, and nothing tells of it.
    static let descriptionInterval: UInt64 = 30_000_000_000

    /// Asks for all that is needed on a new connection.
    mutating func connect() {
        state.link = .connected
        pending = [:]
        var hello = HelloParameters()
        hello.client = "claimsctl browse"
        ask(.hello, hello, for: .hello)
        askDescription()
        askStatus()
        inform(.connected)
    }

    /// Keeps what is shown, and forgets what was under way.
    mutating func lose() {
        switch state.link {
        case .lost: break
        case .silent(let since): state.link = .lost(since: since)
        case .connecting, .connected: state.link = .lost(since: state.moment.wall)
        }
        pending = [:]
        keys.removeAll()
        for name in state.lists.keys {
            state[name].work.lost()
            state[name].refresh = nil
            if state[name].liveness == .live { state[name].liveness = .asking }
        }
        inform(.lost)
    }

    /// The time of day of a time of the monotonic clock, in milliseconds since 1970.
    func wallTime(of time: UInt64) -> Int64 {
        let passed = state.moment.monotonic > time ? state.moment.monotonic - time : 0
        return state.moment.wall - Int64(clamping: passed / 1_000_000)
    }

    mutating func askStatus() {
        statusAt = .max
        var parameters = StatusParameters()
        parameters.language = state.person.language
        ask(.status, parameters, for: .status)
    }

    mutating func askDescription() {
        isDescriptionDue = false
        guard !pending.values.contains(.describe) else { return }
        var parameters = DescribeParameters()
        parameters.language = state.person.language
        ask(.describe, parameters, for: .describe)
    }

    mutating func takeStatus(_ answer: AnswerValue) {
        state.status = answer
        statusAt = state.moment.monotonic + Self.statusInterval
        let entries = answer[StatusResult.collections]
        for entry in entries {
            guard let name = entry[StatusResult.Collection.name], state.lists[name] != nil,
                let meta = CollectionMeta(entry[StatusResult.Collection.meta])
            else { continue }
            take(meta, of: name)
        }
        // A reload shows here first.
        let names = Set(entries.compactMap { $0[StatusResult.Collection.name] })
        if names != Set(state.collections.map(\.name)) || state.moment.monotonic >= describeAt {
            isDescriptionDue = true
        }
    }

    /// Takes the state of a collection, and asks for its records where there are some at last.
    mutating func take(_ meta: CollectionMeta, of name: String) {
        state[name].meta = meta
        // Records that are withheld do not stay on the screen: the next answer says why there are none.
        if meta.state == "withheld", case .answered = state[name].phase, state[name].work.jump == nil {
            return jump(ListJump(target: .start), in: name)
        }
        guard case .refused(let refusal) = state[name].phase, refusal.kind == ErrorKind.noData.rawValue,
            meta.hasData, state[name].work.jump == nil
        else { return }
        jump(ListJump(target: .start), in: name)
    }

    /// Takes the description of the collections: after a start, a lost connection or a reload.
    mutating func takeDescription(_ answer: AnswerValue) {
        describeAt = state.moment.monotonic + Self.descriptionInterval
        let source = answer.source
        // Only the connection is new: the list subscribes again.
        if source == describedSource, start == nil { return resume() }
        describedSource = source
        let old = state.collections
        state.collections = answer[DescribeResult.collections].compactMap { CollectionDescription($0) }
        var notes: [String] = []
        for name in state.lists.keys.sorted() {
            guard let collection = state.description(of: name) else {
                notes.append(messages.collectionGone(old.first { $0.name == name }?.title ?? name))
                end(name)
                continue
            }
            notes += mend(name, for: collection)
        }
        if let start {
            self.start = nil
            begin(start)
        } else if state.tabs.contains(state.tab) {
            resume()
        } else {
            let gone = old.firstIndex { .collection($0.name) == state.tab } ?? 0
            show(state.tabs[min(gone, state.tabs.count - 1)])
        }
        if !notes.isEmpty { state.notice = Notice(kind: .news, text: notes.joined(separator: " · ")) }
    }

    private mutating func begin(_ start: BrowseStart) {
        let wanted = state.collections.first { $0.name == start.collection || $0.singular == start.collection }
        guard let collection = wanted ?? state.collections.first else { return show(.status) }
        state[collection.name].query = start.query
        show(.collection(collection.name))
        if wanted == nil, let name = start.collection {
            state.notice = Notice(kind: .wrong, text: messages.unknownCollection(name))
        }
    }

    /// Goes on with the shown list: its subscription goes on from its clock.
    private mutating func resume() {
        guard let name = state.shownCollection, state[name].work.jump == nil else { return }
        switch state[name].phase {
        case .loading, .refused: jump(ListJump(target: .start), in: name)
        case .answered:
            guard needsSubscription(state[name]), !state[name].isRebuilt else { return }
            state[name].liveness = .asking
            state[name].work.subscribeAt = state.moment.monotonic
        }
    }

    /// Ends what a collection that is gone has under way.
    private mutating func end(_ name: String) {
        unsubscribe(name)
        for tag in state[name].work.tags { cancel(tag) }
        state.lists[name] = nil
    }

    /// Takes out of a query what a reload took away.
    ///
    /// - Returns: the texts of the notice about it.
    private mutating func mend(_ name: String, for collection: CollectionDescription) -> [String] {
        var notes: [String] = []
        var query = state[name].query
        if let view = query.view, !collection.offers.views.contains(where: { $0.name == view }) {
            query.view = nil
            notes.append(messages.viewGone(view))
        }
        if let order = query.order, !collection.hasOrder(order) {
            query.order = nil
            notes.append(messages.orderGone(order))
        }
        if query != state[name].query { change(name, to: query) }
        return notes
    }
}

extension CollectionDescription {
    /// Whether the text is an order of the collection: a named one, or fields, each maybe with `-` before it.
    func hasOrder(_ text: String) -> Bool {
        text.split(separator: ",").allSatisfy { part in
            let key = part.hasPrefix("-") ? String(part.dropFirst()) : String(part)
            return offers.orders.contains { $0.name == key } || field(key) != nil
        }
    }
}

extension BrowseModel {
    /// The texts in the person's language.
    var messages: Messages { state.messages }
}

// Refreshes that are asked for here.

extension BrowseModel {
    /// Requests a refresh after a key; one that is under way is enough.
    ///
    /// - Parameter name: the collection; nil for all.
    mutating func refresh(_ name: String?) {
        guard state.link == .connected else {
            state.notice = Notice(kind: .wrong, text: messages.notConnected)
            return
        }
        if let name, state[name].refresh != nil {
            state.notice = Notice(kind: .news, text: messages.refreshing)
            return
        }
        askRefresh(name, isAsked: true)
    }

    /// Sends a refresh, and notes that it runs.
    ///
    /// - Parameters:
    ///   - name: the collection; nil for all.
    ///   - isAsked: whether a notice tells the outcome.
    ///   - isAccepted: whether what the guard holds is taken.
    mutating func askRefresh(_ name: String?, isAsked: Bool, isAccepted: Bool = false) {
        var parameters = RefreshParameters()
        parameters.collection = name
        parameters.isWaiting = true
        parameters.isWatching = true
        parameters.isAccepted = isAccepted
        parameters.language = state.person.language
        ask(.refresh, parameters, for: .refresh(name, isAsked: isAsked))
        for collection in name.map({ [$0] }) ?? Array(state.lists.keys) {
            state[collection].refresh = state[collection].refresh ?? ListRefresh(since: state.moment.wall)
        }
        // Elsewhere the second row tells it.
        if isAsked, name == nil || name != state.shownCollection {
            state.notice = Notice(kind: .news, text: messages.refreshing)
        }
    }

    /// Takes a notification about how far a refresh is.
    mutating func take(progress: AnswerValue) {
        guard let name = progress[RefreshProgressNotification.collection], state.lists[name]?.refresh != nil
        else { return }
        state[name].refresh?.progress = RefreshProgress(progress)
    }

    /// Takes the outcome of a refresh.
    mutating func refreshed(_ name: String?, _ answer: AnswerValue, isAsked: Bool) {
        endRefresh(name)
        let outcomes = answer[RefreshResult.collections]
        for outcome in outcomes {
            guard let collection = outcome[RefreshResult.Outcome.collection], state.lists[collection] != nil,
                let meta = CollectionMeta(outcome["meta"])
            else { continue }
            take(meta, of: collection)
        }
        statusAt = min(statusAt, state.moment.monotonic)
        guard isAsked else { return }
        let time = LocalTime(zone: state.person.zone, now: state.moment.wall, messages: messages)
        let summaries = outcomes.map { outcome in
            let collection = outcome[RefreshResult.Outcome.collection] ?? ""
            return RefreshSummary(outcome, title: state.description(of: collection)?.title ?? collection)
        }
        state.notice = messages.refreshed(summaries, time)
    }

    mutating func refreshRefused(_ name: String?, _ refusal: Refusal, isAsked: Bool) {
        endRefresh(name)
        if isAsked { state.notice = Notice(kind: .wrong, text: messages.refused(refusal)) }
    }

    private mutating func endRefresh(_ name: String?) {
        for collection in name.map({ [$0] }) ?? Array(state.lists.keys) where state.lists[collection] != nil {
            state[collection].refresh = nil
        }
    }

    /// Asks whether what the guard holds is to be taken: in the shown collection, or in the selected one of the tab of
    /// the status, or else in the first one there.
    mutating func accept() {
        typealias Entry = StatusResult.Collection
        let entries = (state.status?[StatusResult.collections] ?? []).filter { $0[Entry.held] != nil }
        let shown = state.subjectCollection
        let other = state.shownCollection == nil ? entries.first : nil
        guard let entry = entries.first(where: { $0[Entry.name] == shown }) ?? other,
            let name = entry[Entry.name], let held = entry[Entry.held]
        else {
            state.notice = Notice(kind: .news, text: messages.nothingHeld)
            return
        }
        withStack { stack, context in
            stack.askToAccept(
                name, records: held[StatusResult.Held.after] ?? 0, insteadOf: held[StatusResult.Held.before] ?? 0,
                &context)
        }
    }
}
