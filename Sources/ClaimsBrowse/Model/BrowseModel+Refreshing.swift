// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsClient
import ClaimsModel
import ClaimsProtocol
import ClaimsTerminal

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
