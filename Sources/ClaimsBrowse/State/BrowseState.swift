// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsClient
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
