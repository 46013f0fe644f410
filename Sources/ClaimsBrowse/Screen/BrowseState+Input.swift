// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsClient
import ClaimsProtocol
import ClaimsTerminal

// The subject of an input, by the screen.

/// The rows that an input waits for.
enum InputNeed {
    case nothing
    /// The first list.
    case firstList
    /// The rows that the shown list jumps to.
    case rows
    /// The rows of what was typed, which is asked for at once.
    case typedRows
}

/// The part of the screen that a press of the mouse is about; each has its index.
enum PressTarget {
    case nothing
    case tab(Int)
    /// An entry of the sheet.
    case entry(Int)
    /// A row of the shown list.
    case row(Int)
    /// An operation of the outbox.
    case operation(Int)
    /// A collection of the tab of the status.
    case collection(Int)
}

extension BrowseState {
    /// The rows that an input is about. A filter whose line Enter closes is asked for at once, and the line stays until
    /// it is known to be without a mistake.
    ///
    /// - Parameter isBeginning: whether the first list is not there yet.
    func need(of input: InputEvent, isBeginning: Bool) -> InputNeed {
        guard link == .connected else { return .nothing }
        let action: BrowseAction? = if case .key(let key) = input { BrowseKeys.action(of: key, in: area) } else { nil }
        // Before the first list is there, only what leaves or helps can be done.
        guard !isBeginning else {
            switch action {
            case .back?, .leave?, .help?, .mouse?: return .nothing
            default: return .firstList
            }
        }
        guard let name = shownCollection, lists[name] != nil else { return .nothing }
        switch (layers.last, input) {
        case (nil, .key): return action?.needsRows == true ? .rows : .nothing
        case (.detail?, .key): return action == .followingRecord || action == .precedingRecord ? .rows : .nothing
        case (nil, .wheel): return .rows
        case (nil, .press(let row, _)): return row > 0 ? .rows : .nothing
        case (.input(let line)?, .key(.enter)):
            return line.purpose == .filter && line.problem == nil ? .typedRows : .nothing
        case (.input?, .key(.up)), (.input?, .key(.down)), (.input?, .key(.pageUp)), (.input?, .key(.pageDown)):
            return .rows
        default: return .nothing
        }
    }

    /// The part of the screen at a position.
    func pressTarget(at position: CellPosition) -> PressTarget {
        if position.row == 0 { return pressedTab(at: position.column) }
        let line = position.row - ScreenRegions.rowsAbove
        guard (0..<regions.bodyLines).contains(line) else { return .nothing }
        switch layers.last {
        case .sheet(let sheet)?:
            let layout = sheet.layout(in: regions.bodyLines)
            let index = layout.entry(at: line - regions.bodyLines + layout.lines)
            return sheet.entries.indices.contains(index) ? .entry(index) : .nothing
        case .detail?:
            guard regions.isSplit, position.column < regions.listColumns else { return .nothing }
            return pressedRow(at: position.row)
        case nil: return pressedLine(line)
        default: return .nothing
        }
    }

    /// The tab of a column. What is being typed stays.
    private func pressedTab(at column: Int) -> PressTarget {
        switch layers.last {
        case .input?, .question?, .form?: return .nothing
        case .detail?, .operation?, .help?, .sheet?, .deal?, nil: break
        }
        return tabTitles.tab(at: column, width: regions.size.columns).map { .tab($0) } ?? .nothing
    }

    private func pressedLine(_ line: Int) -> PressTarget {
        switch tab {
        case .collection: return pressedRow(at: line + ScreenRegions.rowsAbove)
        case .outbox: return outboxPage.operation(at: line).map { .operation($0) } ?? .nothing
        case .status:
            let content = statusContent.lines(width: regions.listTextWidth)
            let pressed = line + min(health.scroll, LayerGeometry(self).maxScroll)
            guard let index = content.starts.lastIndex(where: { $0 <= pressed }), pressed < content.rowsEnd else {
                return .nothing
            }
            return .collection(index)
        }
    }

    private func pressedRow(at row: Int) -> PressTarget {
        guard let list = shownCollection.flatMap({ lists[$0] }) else { return .nothing }
        return list.held.index(atScreenRow: row, geometry(of: list)).map { .row($0) } ?? .nothing
    }

    /// The collection whose held data is to be accepted, with the numbers of its records: the shown one, or the selected
    /// one of the tab of the status, or else the first one there. Nil if nothing is held.
    var heldCollection: (name: String, records: Int64, before: Int64)? {
        typealias Entry = StatusResult.Collection
        let entries = (status?[StatusResult.collections] ?? []).filter { $0[Entry.held] != nil }
        let shown = subjectCollection
        let other = shownCollection == nil ? entries.first : nil
        guard let entry = entries.first(where: { $0[Entry.name] == shown }) ?? other,
            let name = entry[Entry.name], let held = entry[Entry.held]
        else { return nil }
        return (name, held[StatusResult.Held.after] ?? 0, held[StatusResult.Held.before] ?? 0)
    }

    /// The part of the screen that an action is about.
    var actionSubject: ActionSubject {
        let collection = stack.target?.collection ?? shownCollection
        return ActionSubject(
            target: stack.target ?? selectedTarget, collection: collection.flatMap { description(of: $0) },
            query: collection.flatMap { lists[$0]?.query } ?? ListQuery(), area: area)
    }

    /// All that a list reads for a decision.
    func listContext(of name: String, _ requests: RequestBook) -> ListContext {
        var context = ListContext(
            name: name, collection: description(of: name), person: person, moment: moment, regions: regions, time: time,
            requests: requests)
        context.isWide = isWide
        context.isShown = name == shownCollection
        if case .input(let input)? = layers.last {
            context.isTypingFilter = input.purpose == .filter && input.collection == name
        }
        return context
    }

    /// All that a layer reads for a decision.
    func layerContext(requests: RequestSource) -> LayerContext {
        let geometry = LayerGeometry(self)
        return LayerContext(
            collections: collections, roles: roles, person: person, moment: moment, isConnected: link == .connected,
            lists: lists, pageLines: max(1, size.rows - 5), maxScroll: geometry.maxScroll,
            collectionLines: geometry.collectionLines, isSplit: regions.isSplit, requests: requests)
    }

    /// The notice about the outcomes of a refresh.
    func refreshNotice(of outcomes: [AnswerValue]) -> Notice {
        // Its times do not step by the minute.
        let time = LocalTime(zone: person.zone, now: moment.wall, messages: messages)
        let summaries = outcomes.map { outcome in
            let collection = outcome[RefreshResult.Outcome.collection] ?? ""
            return RefreshSummary(outcome, title: description(of: collection)?.title ?? collection)
        }
        return messages.refreshed(summaries, time)
    }

    /// The time of day of a time of the monotonic clock, in milliseconds since 1970.
    func wallTime(of time: UInt64) -> Int64 {
        let passed = moment.monotonic > time ? moment.monotonic - time : 0
        return moment.wall - Int64(clamping: passed / 1_000_000)
    }

    /// The time at which something is due, or the screen shows another time.
    ///
    /// - Parameter isDescribing: whether the description of the collections is on its way; nothing of a list is due
    ///   before it.
    func nextWake(isDescribing: Bool) -> UInt64? {
        var times = [stack.wakeAt, nextMinute]
        if link == .connected {
            times.append(daemon.nextTime)
            if !isDescribing, let name = shownList { times.append(self[name].nextWake(at: moment.monotonic)) }
        }
        return times.compactMap(\.self).min()
    }

    /// The time of the monotonic clock at which an age on the screen is a minute more; nil if none is shown.
    private var nextMinute: UInt64? {
        guard let meta = shownCollection.flatMap({ lists[$0]?.meta }), let asOf = meta.asOf else { return nil }
        let minute: Int64 = 60_000
        let (age, overflow) = moment.wall.subtractingReportingOverflow(asOf)
        guard !overflow else { return nil }
        let rest = minute - (age % minute + minute) % minute
        return moment.monotonic + UInt64(rest) * 1_000_000
    }
}
