// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsClient
import ClaimsProtocol
import ClaimsTerminal

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
