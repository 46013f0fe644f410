// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsClient
import ClaimsProtocol
import ClaimsTerminal

/// All that the screen shows: the renderer reads it, and only the model changes it.
struct BrowseState: Sendable {
    var size = ScreenSize.standard
    /// The present time as it was at the last event.
    var moment = BrowseMoment(wall: 0, monotonic: 0)
    /// The language, time zone and colours of the person.
    var person: BrowsePerson
    /// The connection, and what is known of the daemon.
    var daemon = DaemonView()
    var tab: BrowseTab = .status
    var lists = BrowseLists()
    /// The tabs of the outbox and of the status, and all that opens over a tab.
    var stack = LayerStack()
    /// The line above the keys; nil for none.
    var notice: Notice?
    var isMouseOn = false

    init(person: BrowsePerson) { self.person = person }

    var link: LinkState { daemon.link }
    var roles: Set<String> { daemon.roles }
    /// The collections in the order of their tabs.
    var collections: [CollectionDescription] { daemon.collections }
    /// Whether a collection can be written to, so that there is a tab of the outbox.
    var hasOutbox: Bool { collections.contains { $0.writes != nil } }
    /// The newest answer of status; nil before the first.
    var status: AnswerValue? { daemon.status }
    var outbox: OutboxState { stack.outbox }
    var health: HealthState { stack.health }
    /// Screens, sheets and questions over the tab, the uppermost last.
    var layers: [BrowseLayer] { stack.layers }

    /// The list of a collection; a new one where there is none.
    subscript(collection: String) -> ListState { lists[collection] ?? ListState(collection: collection) }

    /// The description of a collection; nil for one that the daemon does not have.
    func description(of collection: String) -> CollectionDescription? {
        collections.first { $0.name == collection }
    }

    /// The collection whose list is shown; nil on another tab.
    var shownCollection: String? {
        if case .collection(let name) = tab { name } else { nil }
    }

    /// As ``shownCollection``, if its list is there.
    var shownList: String? { shownCollection.flatMap { lists[$0] == nil ? nil : $0 } }

    /// Whether the shown list waits for the rows of its question.
    var areRowsAwaited: Bool { shownCollection.flatMap { lists[$0] }?.isWaiting ?? false }

    /// The tab so many further, around the ends.
    func tab(by step: Int) -> BrowseTab {
        guard let index = tabs.firstIndex(of: tab) else { return tab }
        return tabs[(index + step + tabs.count) % tabs.count]
    }

    /// Whether there is room for a detail beside the list.
    var isWide: Bool { size.columns >= ScreenRegions.minSplitColumns }

    /// The tabs in their order.
    var tabs: [BrowseTab] {
        collections.map { .collection($0.name) } + (hasOutbox ? [.outbox] : []) + [.status]
    }
}

// Model and renderer both derive these from the state: the division of the screen, and the contents that scroll.

extension BrowseState {
    var messages: Messages { Messages(person.language) }

    /// The present time in the zone and language of the person, which steps by the minute.
    var time: LocalTime {
        LocalTime(zone: person.zone, now: moment.wall, messages: messages, stepsByMinute: true)
    }

    /// The detail that is shown, even beneath a sheet; nil for none.
    var detail: DetailState? {
        for case .detail(let detail) in layers.reversed() { return detail }
        return nil
    }

    /// The division of the screen.
    var regions: ScreenRegions { ScreenRegions(size, hasDetail: detail != nil) }

    /// The area whose keys count.
    var area: BrowseArea { stack.area ?? tabArea }

    /// The area of the tab that is shown.
    var tabArea: BrowseArea {
        switch tab {
        case .collection: .list
        case .outbox: .outbox
        case .status: .status
        }
    }

    /// The record that is selected in the list, or whose id it was searched for; nil if there is none.
    var selectedTarget: RecordTarget? {
        guard let name = shownCollection, let list = lists[name] else { return nil }
        if let row = list.held.selectedRow { return RecordTarget(collection: name, id: row.id, record: row.record) }
        return list.foundByID.map { RecordTarget(collection: name, id: $0.id, record: $0.record, isWhole: true) }
    }

    /// Whether a record, an operation or a collection is selected or open, so that something can be done with it.
    var hasSubject: Bool {
        if !layers.isEmpty { return true }
        return switch tab {
        case .collection: selectedTarget != nil
        case .outbox: outbox.selectedOperation != nil
        case .status: !collections.isEmpty
        }
    }

    /// Whether the shown list has a record so many after the selected one, here or on a page that is not here yet.
    func hasRecord(at distance: Int) -> Bool {
        guard let list = shownCollection.flatMap({ lists[$0] }), let selected = list.held.selected else { return false }
        return list.rows.indices.contains(selected + distance)
            || (distance > 0 ? list.held.next : list.held.previous) != nil
    }

    /// The collection that is shown, or the selected one of the tab of the status; nil if there is none.
    var subjectCollection: String? {
        tab == .status ? health.selectedCollection(collections) : shownCollection
    }

    /// Whether a collection has a source that can be asked for records, as far as the daemon has said so. All of them
    /// together have.
    func hasSource(_ collection: String?) -> Bool {
        typealias Entry = StatusResult.Collection
        let entries = status?[StatusResult.collections] ?? []
        guard let collection, let entry = entries.first(where: { $0[Entry.name] == collection }) else { return true }
        return entry[Entry.ttl] != nil
    }

    /// The lines that the records of a list take on the screen.
    func geometry(of list: ListState) -> ListGeometry {
        list.held.geometry(of: description(of: list.collection), in: regions, time)
    }

    /// The lines of a record with all its fields; empty if its collection is not there any more.
    func lines(of detail: DetailState) -> [StyledLine] {
        guard let collection = description(of: detail.collection) else { return [] }
        return DetailContent(state: detail, collection: collection, time: time).lines(width: regions.detailWidth)
    }

    /// The lines of an operation of the outbox.
    func lines(of layer: OperationLayer) -> [StyledLine] {
        outboxContent.lines(of: layer, width: regions.detailWidth)
    }

    /// The lines of the help.
    func lines(of help: HelpState) -> [StyledLine] {
        let shown = shownCollection.flatMap { description(of: $0) }
        return HelpContent(area: help.area, collection: shown, roles: roles, messages: messages)
            .lines(width: regions.detailWidth)
    }

    /// The lines of a form below its heading.
    func content(of form: FormState) -> FormContent {
        FormContent(state: form, collection: description(of: form.collection), time: time)
    }

    /// The titles of the tabs.
    var tabTitles: TabTitles {
        TabTitles(tabs, current: tab, collections: collections, status: status, messages)
    }

    var outboxContent: OutboxContent { OutboxContent(state: outbox, collections: collections, time: time) }

    /// The page of the outbox that has the selected operation.
    var outboxPage: OutboxPage { OutboxPage(outboxContent, regions, selected: outbox.selected ?? 0) }

    var statusContent: StatusContent {
        StatusContent(
            status: status, health: health, collections: collections, time: time, plots: person.plots, unit: person.unit
        )
    }
}

/// The lines of the uppermost layer, or of a tab without a list, as far as they do not fit on the screen.
struct LayerGeometry {
    /// The maximum first line that is shown, so that nothing scrolls past its end.
    let maxScroll: Int
    /// The line of each collection in the tab of the status; empty if another tab is shown.
    let collectionLines: [Int]

    init(_ state: BrowseState) {
        var lines = Self.lines(of: state)
        if state.layers.isEmpty, state.tab == .status {
            let content = state.statusContent.lines(width: state.regions.listTextWidth)
            collectionLines = content.starts
            lines = content.lines.count
        } else {
            collectionLines = []
        }
        maxScroll = max(0, lines - state.regions.bodyLines)
    }

    private static func lines(of state: BrowseState) -> Int {
        let regions = state.regions
        switch state.layers.last {
        case .detail(let detail)?: return state.lines(of: detail).count
        case .operation(let layer)?: return state.lines(of: layer).count
        case .help(let help)?: return state.lines(of: help).count
        // The heading of a form stays in view.
        case .form(let form)?: return state.content(of: form).lines(width: regions.listTextWidth).lines.count + 1
        default: return 0
        }
    }
}
