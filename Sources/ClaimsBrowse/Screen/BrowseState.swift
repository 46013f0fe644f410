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
    var link = LinkState.connecting
    /// The roles that the daemon grants, from hello.
    var roles: Set<String> = []
    /// The collections in the order of their tabs.
    var collections: [CollectionDescription] = []
    /// Whether a collection can be written to, so that there is a tab of the outbox.
    var hasOutbox: Bool { collections.contains { $0.writes != nil } }
    /// The newest answer of status; nil before the first.
    var status: AnswerValue?
    var tab: BrowseTab = .status
    /// The list of each collection that was looked at, by the collection's name.
    var lists: [String: ListState] = [:]
    /// The tabs of the outbox and of the status, and all that opens over a tab.
    var stack = LayerStack()
    var outbox: OutboxState {
        get { stack.outbox }
        set { stack.outbox = newValue }
    }
    var health: HealthState {
        get { stack.health }
        set { stack.health = newValue }
    }
    /// Screens, sheets and questions over the tab, the uppermost last.
    var layers: [BrowseLayer] {
        get { stack.layers }
        set { stack.layers = newValue }
    }
    /// The tags of requests and the UUIDs of operations; tests give it a seed of their own.
    var requests = RequestSource(seed: .random(in: .min ... .max))
    /// The line above the keys; nil for none.
    var notice: Notice?
    var isMouseOn = false

    init(person: BrowsePerson) { self.person = person }

    /// Whether there is room for a detail beside the list.
    var isWide: Bool { size.columns >= ScreenRegions.minSplitColumns }

    /// The tabs in their order.
    var tabs: [BrowseTab] {
        collections.map { .collection($0.name) } + (hasOutbox ? [.outbox] : []) + [.status]
    }
}

/// The connection to the daemon, as a person sees it.
enum LinkState: Equatable, Sendable {
    case connecting
    case connected
    /// The daemon does not answer since a time, in milliseconds since 1970. The connection stands, and what was asked
    /// for may still come.
    case silent(since: Int64)
    /// As ``silent(since:)``, and there is no connection.
    case lost(since: Int64)
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

    /// The record that is selected in the list, or whose id it was searched for; nil where there is none.
    var selectedTarget: RecordTarget? {
        guard let name = shownCollection, let list = lists[name] else { return nil }
        if let row = list.selectedRow { return RecordTarget(collection: name, id: row.id, record: row.record) }
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
        guard let list = shownCollection.flatMap({ lists[$0] }), let selected = list.selected else { return false }
        return list.rows.indices.contains(selected + distance) || (distance > 0 ? list.next : list.previous) != nil
    }

    /// The collection that is shown, or the selected one of the tab of the status; nil where there is none.
    var subjectCollection: String? {
        tab == .status ? health.selectedCollection(collections) : shownCollection
    }

    /// Whether a collection has a source that can be asked for records, as far as the daemon has told it. All of them
    /// together have.
    func hasSource(_ collection: String?) -> Bool {
        typealias Entry = StatusResult.Collection
        let entries = status?[StatusResult.collections] ?? []
        guard let collection, let entry = entries.first(where: { $0[Entry.name] == collection }) else { return true }
        return entry[Entry.ttl] != nil
    }

    /// The lines of a record with all its fields; empty where its collection is not there any more.
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
    /// The line of each collection in the tab of the status; empty where another tab is shown.
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
