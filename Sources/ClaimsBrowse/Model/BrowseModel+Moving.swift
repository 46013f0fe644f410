// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

// Moves within a list, and the queries that lead to another one.

extension BrowseModel {
    /// Does an action that moves within the shown list.
    mutating func move(_ action: BrowseAction, in name: String) {
        // A further move takes the place of one that only goes elsewhere.
        if state[name].work.jump?.isMove == true {
            cancel(state[name].work.jumpTag)
            (state[name].work.jump, state[name].work.jumpTag, state[name].work.staged) = (nil, nil, nil)
            state[name].work.waitingSince = nil
            rest(name)
        }
        state[name].work.owed = 0
        switch action {
        case .nextRecord: move(name, by: 1)
        case .previousRecord: move(name, by: -1)
        case .nextPage, .previousPage:
            let geometry = state.geometry(of: state[name])
            note(owed: state[name].movePage(down: action == .nextPage, geometry), in: name)
        case .first: goToFirst(name)
        case .last: goToLast(name)
        case .previousGroup: goToPreviousGroup(name)
        case .nextGroup: goToNextGroup(name)
        default: break
        }
        followSelection()
    }

    /// Moves the selection by so many records.
    mutating func move(_ name: String, by distance: Int) {
        let geometry = state.geometry(of: state[name])
        note(owed: state[name].move(by: distance, geometry), in: name)
        followSelection()
    }

    /// Remembers the rows that a move still has to go, where the list goes on there.
    private mutating func note(owed: Int, in name: String) {
        let goesOn = owed > 0 ? state[name].next != nil : state[name].previous != nil
        state[name].work.owed = owed != 0 && goesOn ? owed : 0
    }

    private mutating func goToFirst(_ name: String) {
        if state[name].hasNews { return takeIn(name) }
        guard state[name].liveness == .live, state[name].previous == nil else {
            return jump(ListJump(target: .start, isMove: true), in: name)
        }
        select(0, in: name)
    }

    private mutating func goToLast(_ name: String) {
        guard state[name].next != nil else { return select(state[name].rows.count - 1, in: name) }
        jump(ListJump(target: .end, isMove: true), in: name)
    }

    private mutating func select(_ index: Int, in name: String) {
        guard !state[name].rows.isEmpty else { return }
        state[name].selected = max(0, min(index, state[name].rows.count - 1))
        state[name].reveal(state.geometry(of: state[name]))
    }

    /// Selects the first record of the next group.
    private mutating func goToNextGroup(_ name: String) {
        let list = state[name]
        guard list.isGrouped, let selected = list.selected else { return }
        let group = list.rows[selected].group
        if let index = list.rows[selected...].firstIndex(where: { $0.group != group }) {
            select(index, in: name)
        } else if list.next != nil, let rank = list.rank(ofGroup: group, offset: 1) {
            jump(ListJump(target: .rank(rank), isMove: true), in: name)
        }
    }

    /// Selects the first record of the group; there already, that of the group before.
    private mutating func goToPreviousGroup(_ name: String) {
        let list = state[name]
        guard list.isGrouped, let selected = list.selected else { return }
        var group = list.rows[selected].group
        var start = list.startOfGroup(at: selected)
        let begins = start > 0 || list.previous == nil || list.firstRank == list.rank(ofGroup: group, offset: 0)
        if start == selected, begins {
            if start > 0 {
                group = list.rows[start - 1].group
                start = list.startOfGroup(at: start - 1)
            } else {
                guard list.previous != nil, let rank = list.rank(ofGroup: group, offset: -1) else { return }
                return jump(ListJump(target: .rank(rank), isMove: true), in: name)
            }
        }
        if start > 0 || list.previous == nil {
            select(start, in: name)
        } else if let rank = list.rank(ofGroup: group, offset: 0) {
            jump(ListJump(target: .rank(rank), isMove: true), in: name)
        }
    }

    /// Sets what the list shows next, in place of what was under way.
    mutating func jump(_ jump: ListJump, in name: String) {
        // A question that was typed waits for its time, and the answer to the one before may come meanwhile.
        if !jump.isTyped {
            cancel(state[name].work.jumpTag)
            state[name].work.jumpTag = nil
            state[name].work.staged = nil
        }
        // A move does not give up the rows of another question.
        let isMove = jump.isMove && state[name].work.jump?.isMove ?? true
        state[name].work.jump = jump
        state[name].work.jump?.isMove = isMove
        state[name].work.owed = 0
    }

    /// Asks for the list anew around a record, which stays on its line if that is possible.
    ///
    /// - Parameter id: the record to select; the selected one by default.
    mutating func takeIn(_ name: String, selecting id: String? = nil) {
        jump(ListJump.around(id, in: state[name], state.geometry(of: state[name])), in: name)
    }

    /// The jump to the rows that are shown, or that are to be shown next.
    func returnJump(in name: String) -> ListJump {
        if let jump = state[name].work.jump, !jump.isTyped, case .record = jump.target { return jump }
        return ListJump.around(nil, in: state[name], state.geometry(of: state[name]))
    }

    /// Changes the query of a list.
    ///
    /// - Parameters:
    ///   - start: the record that is selected then if it is there; the first one by default.
    ///   - isTyped: whether more of it may come in a moment.
    mutating func change(
        _ name: String, to query: ListQuery, at start: ListJump = ListJump(target: .start), isTyped: Bool = false
    ) {
        unsubscribe(name)
        state[name].query = query
        state[name].liveness = .asking
        state[name].work.retryAt = nil
        if !query.isSelective { state[name].work.queryReturn = nil }
        var jump = start
        jump.isTyped = isTyped
        self.jump(jump, in: name)
        state[name].work.waitingSince = state[name].work.waitingSince ?? state.moment.monotonic
    }

    /// Keeps the selection of the shown list in view, as after a change of the size.
    mutating func revealSelection() {
        guard let name = state.shownCollection, state.lists[name] != nil else { return }
        state[name].reveal(state.geometry(of: state[name]))
    }
}

extension ListState {
    /// The index of the first row of the group that a row stands under, as far as rows are held.
    func startOfGroup(at index: Int) -> Int {
        rows[..<index].lastIndex { $0.group != rows[index].group }.map { $0 + 1 } ?? 0
    }

    /// The rank of the first record of a group, or of one near it; nil where there is none.
    ///
    /// - Parameter offset: 0 for the group itself, 1 for the next one, -1 for the one before.
    func rank(ofGroup key: String?, offset: Int) -> Int? {
        guard let index = groups.firstIndex(where: { $0.key == key }), groups.indices.contains(index + offset) else {
            return nil
        }
        return groups[..<(index + offset)].reduce(0) { $0 &+ Int(clamping: $1.total) }
    }
}

extension ListJump {
    /// The jump to the rows around a record, on the line where it is; to the first ones where there is none.
    static func around(_ id: String?, in list: ListState, _ geometry: ListGeometry) -> ListJump {
        guard let selected = list.selected else {
            return ListJump(target: id.map { .record($0, line: 0) } ?? .start)
        }
        let line = list.lines(from: list.top, to: selected, geometry)
        let row = list.rows[selected]
        let followers = list.rows[(selected + 1)...].lazy.filter(\.isPresent).prefix(maxFollowers).map(\.id)
        let wanted = id ?? list.work.renamed[row.id] ?? row.id
        return ListJump(target: .record(wanted, line: line), followers: Array(followers))
    }
}
