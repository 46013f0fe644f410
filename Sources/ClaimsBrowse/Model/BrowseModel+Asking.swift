// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsClient
import ClaimsModel
import ClaimsProtocol
import ClaimsTerminal

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
