// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsClient
import ClaimsModel
import ClaimsTerminal

// The layers over a tab: they take events, and tell what changes in the lists.

extension BrowseModel {
    /// Hands an event to the layers.
    ///
    /// - Returns: whether it was theirs.
    @discardableResult
    mutating func inform(_ event: LayerEvent) -> Bool {
        let area = state.tabArea
        return withStack { stack, context in stack.take(event, in: area, &context) }
    }

    /// Does what a key means for a record or a layer.
    mutating func performInStack(_ action: BrowseAction) {
        var subject = ActionSubject()
        let collection = state.stack.target?.collection ?? state.shownCollection
        subject.target = state.stack.target ?? state.selectedTarget
        subject.collection = collection.flatMap { state.description(of: $0) }
        subject.query = collection.flatMap { state.lists[$0]?.query } ?? ListQuery()
        subject.area = area
        withStack { stack, context in stack.perform(action, on: subject, &context) }
    }

    /// Has the layers decide something, and applies its effects on the lists.
    ///
    /// - Returns: whether the event was theirs.
    @discardableResult
    mutating func withStack(_ decide: (inout LayerStack, inout LayerContext) -> LayerOutcome) -> Bool {
        let geometry = LayerGeometry(state)
        var context = LayerContext(
            collections: state.collections, roles: state.roles, person: state.person, moment: state.moment,
            isConnected: state.link == .connected, lists: state.lists, pageLines: pageLines,
            maxScroll: geometry.maxScroll, collectionLines: geometry.collectionLines,
            isSplit: state.regions.isSplit, requests: state.requests)
        let outcome = decide(&state.stack, &context)
        state.requests = context.requests
        commands += outcome.commands
        if let notice = outcome.notice { state.notice = notice }
        for effect in outcome.effects { apply(effect) }
        return outcome.isHandled
    }

    private var pageLines: Int { max(1, state.size.rows - 5) }

    /// Shows the selected record in the detail, where one is open.
    mutating func followSelection() {
        guard let target = state.selectedTarget, let shown = state.stack.target, shown.collection == target.collection,
            shown.id != target.id
        else { return }
        withStack { stack, context in stack.follow(target, &context) }
    }

    private mutating func apply(_ effect: ListEffect) {
        switch effect {
        case .query(let name, let change): apply(change, to: name)
        case .restored(let name, let change): restore(change, of: name)
        case .entered(let name): entered(name)
        case .complete(let name, let line): complete(line, for: name)
        case .archived(let name, let ids, let isArchived):
            archived(ids, isArchived: isArchived, in: name)
            renewNamesake(name)
        case .deleted(let name, let ids):
            leave(ids, of: name)
            renewNamesake(name)
        case .written(let name, let id, let isNew):
            written(id, isNew: isNew, in: name)
            renewNamesake(name)
        case .step(let distance):
            guard let name = state.shownCollection else { return }
            guard state.hasRecord(at: distance) else {
                state.notice = Notice(kind: .news, text: distance > 0 ? messages.endOfList : messages.startOfList)
                return
            }
            move(name, by: distance)
        case .accept(let name): askRefresh(name, isAsked: true, isAccepted: true)
        case .show(let name): show(.collection(name))
        }
    }

    /// Asks anew for the record that was found by its id, as it was changed here.
    private mutating func renewNamesake(_ name: String) {
        if state.lists[name]?.foundByID != nil { askNamesake(name) }
    }

    /// Takes back what was typed in a line, with the place that it led away from.
    private mutating func restore(_ change: QueryChange, of name: String) {
        guard state.lists[name] != nil else { return }
        state[name].work.heldFilter = nil
        guard let start = state[name].work.lineReturn else { return }
        state[name].work.lineReturn = nil
        self.change(name, to: state[name].query.with(change), at: start)
    }

    /// Keeps what was typed in a line.
    private mutating func entered(_ name: String) {
        askTyped(name)
        guard state.lists[name] != nil else { return }
        state[name].work.queryReturn = state[name].work.queryReturn ?? state[name].work.lineReturn
        state[name].work.lineReturn = nil
    }

    /// Asks at once for what was typed.
    mutating func askTyped(_ name: String) {
        guard state.lists[name] != nil else { return }
        state[name].work.jump?.isTyped = false
        guard let filter = state[name].work.heldFilter else { return }
        state[name].work.heldFilter = nil
        keepReturn(name)
        change(name, to: state[name].query.with(.filter(filter)))
    }

    /// Remembers the rows that a line of input leads away from.
    private mutating func keepReturn(_ name: String) {
        state[name].work.lineReturn = state[name].work.lineReturn ?? returnJump(in: name)
    }

    private mutating func apply(_ change: QueryChange, to name: String) {
        state[name].work.heldFilter = nil
        if case .filter(let text) = change, !ListQuery.isComplete(text), isTyping(in: name) {
            state[name].work.heldFilter = text
            return
        }
        let query = state[name].query.with(change)
        guard query != state[name].query else { return }
        if change.isTyped { keepReturn(name) }
        self.change(name, to: query, isTyped: change.isTyped)
    }

    /// Whether the filter of a list is being typed.
    private func isTyping(in name: String) -> Bool {
        guard case .input(let input)? = state.layers.last else { return false }
        return input.purpose == .filter && input.collection == name
    }

    /// Completes the term before the cursor of a filter.
    private mutating func complete(_ line: EditedLine, for name: String) {
        guard let collection = state.description(of: name),
            let completion = FilterCompletion(line.text, cursor: line.cursor, collection)
        else { return }
        state.stack.complete(completion.range, with: completion.replacement, candidates: completion.candidates)
        // The completed text is asked for like a typed one.
        if case .input(let input)? = state.layers.last, input.line.text != state[name].query.filter {
            apply(.filter(input.line.text), to: name)
        }
    }
}

// A change that is made here shows in its list at once.

extension BrowseModel {
    private mutating func archived(_ ids: [String], isArchived: Bool, in name: String) {
        // The number of archived records is another one now.
        statusAt = min(statusAt, state.moment.monotonic)
        guard state.lists[name] != nil else { return }
        switch state[name].answeredQuery.archived {
        case .include: for id in ids { changed(id, in: name) }
        case .exclude where isArchived, .only where !isArchived: leave(ids, of: name)
        case .exclude, .only:
            // It was undone: the record comes back, and is selected.
            if name == state.shownCollection, let id = ids.first { takeIn(name, selecting: id) }
        }
    }

    /// Takes records out of a list; what follows the selected one is selected.
    private mutating func leave(_ ids: [String], of name: String) {
        guard state.lists[name] != nil else { return }
        for id in ids {
            // The feed will tell it, unless it has done so.
            if let index = state[name].index(of: id), state[name].rows[index].isPresent { noteOwn(id, in: name) }
            state[name].removeRow(id)
        }
        if name == state.shownCollection {
            state[name].reveal(state.geometry(of: state[name]))
            followSelection()
        }
    }

    private mutating func written(_ id: String, isNew: Bool, in name: String) {
        guard state.lists[name] != nil else { return }
        if isNew, name == state.shownCollection {
            takeIn(name, selecting: id)
        } else {
            changed(id, in: name)
        }
    }

    /// Notes that a record was changed here, so that its entry of the feed is no news, whether it has come or not.
    private mutating func changed(_ id: String, in name: String) {
        guard let index = state[name].index(of: id) else { return }
        if state[name].rows[index].mark == .updated {
            state[name].rows[index].mark = nil
        } else {
            noteOwn(id, in: name)
        }
    }

    private mutating func noteOwn(_ id: String, in name: String) {
        guard state[name].work.subscription != nil, state[name].work.own.count < ListWork.maxRemembered else { return }
        state[name].work.own.insert(id)
    }
}
