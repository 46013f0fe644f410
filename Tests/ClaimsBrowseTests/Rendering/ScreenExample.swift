// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsClient
import ClaimsModel
import ClaimsPlatform
import ClaimsProtocol
import ClaimsTerminal
import ClaimsTestSupport
import Testing

@testable import ClaimsBrowse

/// States of the screen over collections like the shipped ones.
struct ScreenExample {
    let language: String
    var state: BrowseState

    /// A screen of a collection with its records.
    init(_ language: String, _ collection: String = "packs") throws {
        self.language = language
        state = BrowseState(person: BrowsePerson(language: language, zone: .utc, zoneName: "UTC", isColored: true))
        let description = try Self.value(ShippedCollections.description(language))
        let collections = (description["collections"]?.elements ?? []).compactMap { CollectionDescription($0) }
        let status = try Self.value(Self.statusText(language))
        state.daemon = DaemonView(
            link: .connected, roles: ["read", "archive", "write", "admin"], collections: collections, status: status)
        state.moment = BrowseMoment(wall: ShippedCollections.now, monotonic: 0)
        state.tab = .collection(collection)
        state.lists = BrowseLists([collection: try Self.list(collection, state)])
    }

    static func value(_ json: String) throws -> AnswerValue {
        try AnswerDocument(Array(json.split(separator: "\n").joined().utf8)).root
    }

    /// The list of a collection with its records, the second one selected.
    private static func list(_ name: String, _ state: BrowseState) throws -> ListState {
        var list = ListScene(collection: name)
        let collection = try #require(state.description(of: name))
        let records = try value(ShippedCollections.records(name))["records"]?.elements ?? []
        let field = collection.groupBy.flatMap { collection.field($0) }
        list.rows = records.map { record in
            var row = ListRow(id: record["id"]?.text ?? "", record: record)
            row.group = field.flatMap { field in
                record[utf8: field.key].flatMap { collection.code($0.text, of: field)?.group }
            }
            return row
        }
        if !collection.groups.isEmpty {
            // In the order of the groups, as the daemon sends them.
            let keys = collection.groups.map(\.key)
            list.rows = keys.flatMap { key in list.rows.filter { $0.group == key } }
            list.isGrouped = true
            list.groups = collection.groups.map { key, label in
                ListGroup(key: key, label: label, total: Int64(list.rows.count { $0.group == key }))
            }
        }
        list.total = Int64(list.rows.count)
        list.selected = list.rows.isEmpty ? nil : 1
        list.phase = .answered(isSearching: false)
        list.liveness = .live
        list.meta = meta()
        return list.state
    }

    /// The state of data from two minutes ago.
    static func meta(
        _ freshness: String? = "fresh", state: String = "ready", failure: String? = nil, source: String = "upstream"
    ) -> AnswerMeta {
        var meta = AnswerMeta(collection: "packs", state: state)
        meta.freshness = freshness
        meta.source = source
        meta.asOf = ShippedCollections.now - (freshness == "fresh" ? 125_000 : 725_000)
        meta.nextRefresh = ShippedCollections.now + 175_000
        if let failure {
            meta.failure = AnswerMeta.Failure(
                kind: "unreachable", message: failure, at: ShippedCollections.now - 65_000)
        }
        return meta
    }

    /// Why the daemon has no newer data, in the language of the screen.
    var reason: String {
        language == "pl" ? "Serwer odmówił połączenia." : "The server refused the connection."
    }

    private static func statusText(_ language: String) -> String {
        let reason = language == "pl" ? "Serwer odmówił połączenia." : "The server refused the connection."
        func entry(_ name: String, _ title: String, _ total: Int, _ meta: String, _ more: String = "") -> String {
            #"{"name":"\#(name)","title":"\#(title)","total":\#(total),"archived":0\#(more),"meta":{"collection":"\#(name)",\#(meta)}}"#
        }
        let fresh =
            #""state":"ready","freshness":"fresh","as_of":"2026-11-20T08:11:00.000Z","next_refresh":"2026-11-20T08:16:00.000Z""#
        let stale =
            #""state":"ready","freshness":"stale","as_of":"2026-11-20T08:01:00.000Z","#
            + #""last_error":{"kind":"unreachable","message":"\#(reason)","at":"2026-11-20T08:12:00.000Z"},"#
            + #""next_refresh":"2026-11-20T08:13:30.000Z""#
        let titles =
            language == "pl"
            ? ["Szkody", "Kraje", "Dokumenty", "Paczki", "Sterowniki"]
            : ["Claims", "Countries", "Documents", "Packs", "Units"]
        let hint =
            language == "pl"
            ? "wpisz source.url w /etc/claimsd/collections.d/documents.json5, potem: systemctl reload claimsd"
            : "write source.url into /etc/claimsd/collections.d/documents.json5, then: systemctl reload claimsd"
        // A collection without a source has none.
        let ttl = #","ttl_ms":30000"#
        let entries = [
            entry("claims", titles[0], 1204, fresh, ttl),
            entry("countries", titles[1], 249, #""state":"ready","freshness":"bundle""#, ttl),
            entry("documents", titles[2], 0, #""state":"unconfigured""#, #","hint":"\#(hint)""#),
            entry("packs", titles[3], 5, fresh, ttl), entry("units", titles[4], 4, stale, ttl),
        ]
        return #"{"version":"0.3.0","collections":[\#(entries.joined(separator: ","))],"#
            + #""outbox":{"queued":1,"accepted":0,"stuck":1},"problems":[]}"#
    }

    // MARK: - Changes

    /// Changes the list that is shown.
    mutating func list(_ change: (inout ListScene) throws -> Void) rethrows {
        guard case .collection(let name) = state.tab, let shown = state.lists[name] else { return }
        var list = ListScene(shown)
        try change(&list)
        state.lists = BrowseLists([name: list.state])
    }

    /// Changes what is known of the daemon.
    mutating func daemon(
        link: LinkState? = nil, roles: Set<String>? = nil, collections: [CollectionDescription]? = nil,
        status: AnswerValue? = nil
    ) {
        state.daemon = DaemonView(
            link: link ?? state.link, roles: roles ?? state.roles, collections: collections ?? state.collections,
            status: status ?? state.status)
    }

    /// Opens layers in place of those that are open.
    mutating func open(_ layers: [BrowseLayer]) {
        state.stack = LayerStack(layers, outbox: state.outbox, health: state.health)
    }

    /// The entry of `status` of a collection, with a member more.
    mutating func addStatus(_ name: String, _ member: String) throws {
        let text = Self.statusText(language).replacing(
            #"{"name":"\#(name)","#, with: #"{"name":"\#(name)",\#(member),"#)
        daemon(status: try Self.value(text))
    }

    /// A refusal without data.
    func noData(_ state: String, failure: String? = nil, hint: String? = nil) throws -> Refusal {
        let error = failure.map {
            #","last_error":{"kind":"unreachable","message":"\#($0)","at":"2026-11-20T08:12:00.000Z"}"#
        }
        let next = #","next_refresh":"2026-11-20T08:13:30.000Z""#
        let data = try Self.value(
            #"{"meta":{"collection":"packs","state":"\#(state)"\#(error ?? "")\#(state == "failed" ? next : "")}}"#)
        return Refusal(kind: "no_data", message: failure ?? "packs has no data", hint: hint, data: data)
    }

    /// The detail of a record.
    mutating func openDetail(_ json: String, answer: String? = nil, history: String? = nil) throws {
        guard case .collection(let name) = state.tab else { return }
        let record = try Self.value(json)
        let detail = DetailState(
            RecordTarget(collection: name, id: record["id"]?.text ?? "", record: record),
            answer: try answer.map { try Self.value($0) }, history: try history.map { try Self.value($0) })
        open(state.layers + [.detail(detail)])
    }

    /// The screen at a size.
    func frame(columns: Int, rows: Int) -> Frame {
        var state = state
        state.size = ScreenSize(columns: columns, rows: rows)
        return BrowseRenderer.frame(of: state)
    }
}

/// A list as a scene shows it.
struct ListScene {
    let collection: String
    var query = ListQuery()
    var answeredQuery = ListQuery()
    var phase = ListCondition.Phase.loading
    var meta: AnswerMeta?
    var refresh: ListRefresh?
    var rows: [ListRow] = []
    var firstRank = 0
    var total: Int64 = 0
    var groups: [ListGroup] = []
    var isGrouped = false
    var top = 0
    var selected: Int?
    var newer: Set<String> = []
    var isRebuilt = false
    var liveness = Liveness.asking
    var namesake: ListNamesake?

    init(collection: String) { self.collection = collection }

    init(_ list: ListState) {
        collection = list.collection
        (query, answeredQuery, phase, meta, refresh) = (
            list.query, list.answeredQuery, list.phase, list.meta, list.refresh
        )
        (rows, firstRank, total, groups, isGrouped) = (
            list.rows, list.held.firstRank, list.total, list.held.groups, list.held.isGrouped
        )
        (top, selected, newer, isRebuilt) = (list.held.top, list.held.selected, list.held.newer, list.held.isRebuilt)
        (liveness, namesake) = (list.liveness, list.namesake)
    }

    var state: ListState {
        ListState(
            collection: collection, query: query, answeredQuery: answeredQuery,
            held: HeldRows(
                rows: rows, firstRank: firstRank, total: total, groups: groups, isGrouped: isGrouped, top: top,
                selected: selected, newer: newer, isRebuilt: isRebuilt),
            condition: ListCondition(phase, meta: meta, refresh: refresh), liveness: liveness, namesake: namesake)
    }
}

extension String {
    fileprivate func replacing(_ text: String, with other: String) -> String {
        var result = ""
        var rest = self[...]
        while !rest.isEmpty {
            if rest.hasPrefix(text) {
                result += other
                rest = rest.dropFirst(text.count)
            } else {
                result.append(rest.removeFirst())
            }
        }
        return result
    }
}
