// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsClient
import ClaimsModel
import ClaimsProtocol
import ClaimsTerminal

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

// The questions of a list, and their times.

extension BrowseModel {
    /// The shortest time between two requests for a query that is being typed, in nanoseconds.
    static let typingInterval: UInt64 = 40_000_000
    /// The time after which a question without an answer shows, in nanoseconds.
    static let searchingDelay: UInt64 = 300_000_000
    /// The time for which a query rests before its changes are asked for, in nanoseconds.
    static let restTime: UInt64 = 500_000_000
    /// The time before a refusal that passes is asked again, in nanoseconds, where the daemon names none.
    static let retryTime: UInt64 = 1_000_000_000
    /// The maximum time before a refusal that passes is asked again, in milliseconds.
    static let maxRetryTime: Int64 = 60_000
    /// The number of rows beyond the view below which the next page is asked for.
    static let margin = 50

    /// Asks for all that is due: the list on the screen, its pages and its changes, the status.
    mutating func pursue() {
        guard state.link == .connected else { return }
        let now = state.moment.monotonic
        if isDescriptionDue { askDescription() }
        if now >= statusAt { askStatus() }
        // Fields and orders that a reload took away must not be asked for.
        guard !pending.values.contains(.describe) else { return }
        guard let name = state.shownCollection, let collection = state.description(of: name) else { return }
        if now < state[name].work.retryAt ?? 0 { return }
        state[name].work.retryAt = nil
        pursueJump(name, collection)
        pursueWindows(name, collection)
        if let time = state[name].work.subscribeAt, now >= time { subscribe(name, collection) }
        if let since = state[name].work.waitingSince, now >= since + Self.searchingDelay,
            case .answered(false) = state[name].phase
        {
            state[name].phase = .answered(isSearching: true)
        }
    }

    /// The time at which something is due, or the screen tells another time.
    var nextWake: UInt64? {
        var times = [state.stack.wakeAt, nextMinute].compactMap(\.self)
        if state.link == .connected {
            if statusAt < .max { times.append(statusAt) }
            // Nothing of a list is due before its collection is described.
            if !pending.values.contains(.describe), let name = state.shownCollection, let list = state.lists[name] {
                times += wakes(of: list)
            }
        }
        return times.min()
    }

    private func wakes(of list: ListState) -> [UInt64] {
        if let retryAt = list.work.retryAt { return [retryAt] }
        var times = [list.work.subscribeAt].compactMap(\.self)
        if let typed = typedAt(list) { times.append(typed) }
        if let since = list.work.waitingSince, case .answered(false) = list.phase {
            times.append(since + Self.searchingDelay)
        }
        // While something is asked, the seconds count.
        if list.refresh != nil { times.append(state.moment.monotonic + 1_000_000_000) }
        return times
    }

    /// The time of the monotonic clock at which an age on the screen is a minute more; nil where none is shown.
    private var nextMinute: UInt64? {
        guard let meta = state.shownCollection.flatMap({ state.lists[$0]?.meta }), let asOf = meta.asOf else {
            return nil
        }
        let minute: Int64 = 60_000
        let (age, overflow) = state.moment.wall.subtractingReportingOverflow(asOf)
        guard !overflow else { return nil }
        let rest = minute - (age % minute + minute) % minute
        return state.moment.monotonic + UInt64(rest) * 1_000_000
    }

    /// The time at which a question that was typed may be sent; nil where none waits.
    private func typedAt(_ list: ListState) -> UInt64? {
        guard let jump = list.work.jump, jump.isTyped, let last = list.work.lastAsked,
            list.work.jumpTag == nil || list.work.askedQuery != list.query
        else { return nil }
        return last + Self.typingInterval
    }

    private mutating func pursueJump(_ name: String, _ collection: CollectionDescription) {
        guard let jump = state[name].work.jump else { return }
        let isUnderWay = state[name].work.jumpTag != nil && state[name].work.askedQuery == state[name].query
        if isUnderWay { return }
        if let time = typedAt(state[name]), state.moment.monotonic < time { return }
        let work = state[name].work
        for tag in [work.jumpTag, work.forward, work.backward, work.comparison, work.namesake] { cancel(tag) }
        let now = state.moment.monotonic
        (state[name].work.staged, state[name].work.namesake) = (nil, nil)
        (state[name].work.forward, state[name].work.backward, state[name].work.comparison) = (nil, nil, nil)
        state[name].work.recent = [:]
        state[name].work.askedQuery = state[name].query
        state[name].work.lastAsked = now
        state[name].work.waitingSince = work.waitingSince ?? now
        var parameters = searchParameters(state[name].query, collection)
        parameters.page.anchor =
            switch jump.target {
            case .start: .start
            case .end: .end
            case .record(let id, _): .id(id)
            case .rank(let rank): .rank(Int64(rank))
            }
        state[name].work.jumpTag = ask(.search, parameters, for: .jump(name))
    }

    /// Asks for the pages after and before the rows, where the view is near their ends.
    private mutating func pursueWindows(_ name: String, _ collection: CollectionDescription) {
        let list = state[name]
        guard list.work.jump == nil, let selected = list.selected else { return }
        let lines = state.geometry(of: list).lines
        let margin = max(Self.margin, 2 * lines)
        if list.work.forward == nil, let next = list.next,
            list.rows.count - max(list.top, selected) < lines + margin || list.work.owed > 0
        {
            state[name].work.forward = askPage(next, of: name, collection, for: .forward(name))
        }
        if list.work.backward == nil, let previous = list.previous,
            min(list.top, selected) < margin || list.work.owed < 0
        {
            state[name].work.backward = askPage(previous, of: name, collection, for: .backward(name))
        }
    }

    /// Asks for the page of a cursor.
    mutating func askPage(
        _ cursor: String, of name: String, _ collection: CollectionDescription, for purpose: RequestPurpose
    ) -> BrowseRequest.Tag {
        if !state[name].work.awaitsRows { state[name].work.recent = [:] }
        var parameters = searchParameters(state[name].work.askedQuery, collection)
        parameters.page.cursor = cursor
        return ask(.search, parameters, for: purpose)
    }

    /// The parameters of a page of the query.
    func searchParameters(_ query: ListQuery, _ collection: CollectionDescription) -> SearchParameters {
        var parameters = SearchParameters()
        parameters.collection = collection.name
        let filter = query.composedFilter.text
        parameters.selection.filter = filter.map { FilterValue($0) }
        parameters.selection.view = query.view
        parameters.selection.archived = query.archived
        // Only a filter has days in it; a view has one of its own.
        if filter != nil || query.view != nil { parameters.selection.timeZone = state.person.zoneName }
        parameters.selection.language = state.person.language
        parameters.page.limit = Int64(ListState.pageRows)
        parameters.page.fields = collection.listedFields
        parameters.page.isGrouped = collection.isGrouped(query)
        parameters.sort = query.order.map { SortValue($0.split(separator: ",").map(String.init)) }
        return parameters
    }
}

extension CollectionDescription {
    /// The fields that a list asks for: those that it shows, and the one of the groups.
    var listedFields: NameList {
        let group = hasGroups ? groupBy : nil
        return NameList(list + [group].compactMap(\.self).filter { !list.contains($0) })
    }

    /// Whether a list of the query is shown in groups.
    func isGrouped(_ query: ListQuery) -> Bool { hasGroups && query.order == nil }
}
