// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsPlatform
import ClaimsTestSupport
import Glibc
import Testing

/// Rules of access as a plain evaluation over plain records understands them: the first rule that names a peer holds.
private struct AccessModel {
    typealias Record = [String: JSONValue]

    struct Peer: Hashable {
        let user: Int
        let group: Int
        let groups: [Int]

        func isMember(of group: Int) -> Bool { group != 65_534 && (self.group == group || groups.contains(group)) }
    }

    enum Filter {
        case region(String)
        case amountBelow(Int)

        var text: String {
            switch self {
            case .region(let name): "region=\(name)"
            case .amountBelow(let number): "amount<\(number)"
            }
        }

        func matches(_ record: Record) -> Bool {
            switch self {
            case .region(let name): record["region"]?.string == name
            case .amountBelow(let number): record["amount"]?.integer.map { $0 < Int64(number) } ?? false
            }
        }
    }

    enum Rows {
        case all
        case none
        case filter(Filter)
        case groups([(group: Int, filter: Filter)])
    }

    struct Rule {
        /// Nil: all peers.
        var members: (users: [Int], groups: [Int])?
        var rows = Rows.all
        var fields: [String]?
        var masks: [String: String] = [:]
        var acts: [String]?

        var text: String {
            var parts = [
                members.map { "to: { users: \($0.users), groups: \($0.groups) }" } ?? "to: 'all'"
            ]
            switch rows {
            case .all: break
            case .none: parts.append("rows: false")
            case .filter(let filter): parts.append("rows: '\(filter.text)'")
            case .groups(let list):
                parts.append("rows: { \(list.map { "'\($0.group)': '\($0.filter.text)'" }.joined(separator: ", ")) }")
            }
            if let fields { parts.append("fields: \(fields)") }
            let masks = masks.map { "\($0.key): \($0.value == "hash" ? "{ hash: 'salt' }" : "'\($0.value)'")" }
            if !masks.isEmpty { parts.append("masks: { \(masks.joined(separator: ", ")) }") }
            if let acts { parts.append("may: \(acts)") }
            return "{ \(parts.joined(separator: ", ")) }"
        }

        func names(_ peer: Peer) -> Bool {
            guard let members else { return true }
            return peer.user != 65_534 && members.users.contains(peer.user)
                || members.groups.contains(where: peer.isMember)
        }

        /// The filters any of which selects; nil: all records are shown.
        func filters(for peer: Peer) -> [Filter]? {
            switch rows {
            case .all: nil
            case .none: []
            case .filter(let filter): [filter]
            case .groups(let list): list.filter { peer.isMember(of: $0.group) }.map(\.filter)
            }
        }

        /// `whole`, a mask, or nil for a field that is not shown.
        func sight(of field: String) -> String? {
            if let mask = masks[field] { return mask == "hidden" ? nil : mask }
            return fields?.contains(field) ?? true ? "whole" : nil
        }
    }

    static let fields = ["title", "region", "amount", "born", "place"]
    static let regions = ["north", "south", "west"]

    var rules: [Rule] = []

    var text: String { "{ rules: [ \(rules.map(\.text).joined(separator: ",\n")) ] }" }

    /// The rule that shows a peer records; nil: for it there is no such collection.
    func rule(for peer: Peer) -> Rule? {
        guard let rule = rules.first(where: { $0.names(peer) }), rule.filters(for: peer)?.isEmpty != true else {
            return nil
        }
        return rule
    }

    static func random(_ random: inout SeededGenerator, _ peers: [Peer]) -> AccessModel {
        func filter() -> Filter {
            random.oneIn(2) ? .region(random.pick(regions)) : .amountBelow(Int.random(in: 1..<9, using: &random))
        }
        var rules: [Rule] = []
        for _ in 0..<Int.random(in: 1...5, using: &random) {
            var rule = Rule()
            rule.members = (
                (0..<Int.random(in: 0...3, using: &random)).map { _ in random.pick(peers).user },
                (0..<Int.random(in: 1...3, using: &random)).map { _ in Int.random(in: 7000..<7006, using: &random) }
            )
            switch Int.random(in: 0..<6, using: &random) {
            case 0: break
            case 1: rule.rows = .none
            case 2, 3: rule.rows = .filter(filter())
            default:
                rule.rows = .groups(
                    (7000..<7004).filter { _ in random.oneIn(2) }.map { ($0, filter()) } + [(7005, filter())])
            }
            if random.oneIn(2) { rule.fields = fields.filter { _ in !random.oneIn(3) } }
            for (field, masks) in [
                ("title", ["last4", "hash", "hidden"]), ("born", ["year", "hash"]), ("place", ["hash", "last4"]),
            ]
            where random.oneIn(3) { rule.masks[field] = random.pick(masks) }
            if random.oneIn(2) { rule.acts = ["archive", "create", "update"].filter { _ in random.oneIn(2) } }
            rules.append(rule)
        }
        if random.oneIn(2) {
            var last = Rule()
            last.rows = random.oneIn(2) ? .all : .filter(filter())
            rules.append(last)
        }
        return AccessModel(rules: rules)
    }
}

/// Two collections under the same random rules, one of an upstream and one that is written here, for twenty peers.
@Suite(.enabled(if: geteuid() == 0)) struct AccessModelTests {
    private typealias Peer = AccessModel.Peer
    private typealias Record = AccessModel.Record

    private static let peers: [Peer] =
        (0..<18).map {
            Peer(user: 7100 + $0, group: 7000 + $0 % 6, groups: $0 % 3 == 0 ? [] : [7000 + ($0 * 5 + 1) % 6])
        }
        + [Peer(user: 65_534, group: 65_534, groups: []), Peer(user: 7118, group: 65_534, groups: [7002, 7005])]

    /// The served records by id, and the archive marks.
    private struct Collection {
        var records: [String: Record] = [:]
        var archived: Set<String> = []
    }

    private final class World {
        let site: Site
        var random: SeededGenerator
        var model = AccessModel()
        var collections = ["boats": Collection(), "notes": Collection()]
        /// The records of the upstream.
        var upstream: [String: Record] = [:]
        var nextID = 1
        /// The hashes that were shown, by value.
        var hashes: [String: String] = [:]
        private var open: [Peer: OtherPeer] = [:]

        init(seed: Int) throws {
            random = SeededGenerator(seed: UInt64(seed))
            site = try Site([:])
            let users = AccessModelTests.peers.map(\.user).filter { $0 != 65_534 }
            try site.daemon.configure(
                "claimsd.json5", "{ roles: { archive: { users: \(users) }, write: { users: \(users) } } }")
            try site.daemon.configure("credentials/salt", "grain")
            guard unsafe chmod(site.daemon.folder("config/credentials/salt"), 0o600) == 0 else {
                throw TestFailure("the credential cannot be kept from others")
            }
            for _ in 0..<12 { addUpstream() }
            try write()
            try obey()
            try refresh()
            try site.openSocket()
        }

        func record() -> Record {
            var record: Record = [
                "title": .string(
                    "title \(random.pick(["a", "bb", "ccc"])) Łódź \(Int.random(in: 0..<4, using: &random))"),
                "region": .string(random.pick(AccessModel.regions)),
                "amount": .number("\(Int.random(in: 0..<10, using: &random))"),
                "born": .string(
                    "19\(Int.random(in: 50..<53, using: &random))-03-1\(Int.random(in: 0..<9, using: &random))"),
            ]
            if !random.oneIn(3) { record["place"] = .string(random.pick(["hill", "a long valley"])) }
            return record
        }

        func addUpstream() {
            upstream["\(nextID)"] = record()
            nextID += 1
        }

        func write() throws {
            let objects = upstream.map { id, record in
                String(
                    decoding: JSONValue.object(
                        JSONObject(record.map { .init($0.key, $0.value) } + [.init("id", .string(id))])
                    ).compactBytes, as: UTF8.self)
            }
            try site.upstream.folder.write("boats.json", "[\(objects.joined(separator: ","))]")
        }

        func refresh() throws {
            let answer = try site.daemon.connect().request(
                "refresh", #"{"collection":"boats","wait":true,"force":true,"accept":true}"#)
            try #require(answer["result"] != nil, "\(answer)")
            collections["boats"]?.records = upstream
        }

        /// Other rules come into force.
        func obey() throws {
            model = AccessModel.random(&random, AccessModelTests.peers)
            let fields = AccessModel.fields.map { name in
                let type = ["amount": "integer", "born": "date"][name] ?? "text"
                return "\(name): { type: '\(type)', from: ['/\(name)'] }"
            }.joined(separator: ", ")
            for (name, rest) in [
                ("boats", "source: { url: '\(site.upstream.url("boats.json"))', interval: '1h' }, archive: true"),
                (
                    "notes",
                    "archive: true, writes: { to: 'local', create: {}, update: {}, delete: {}, fields: { \(AccessModel.fields.map { "\($0): {}" }.joined(separator: ", ")) } }"
                ),
            ] {
                try site.daemon.configure(
                    "collections.d/\(name).json5",
                    "{ \(rest), fields: { id: { type: 'id', from: ['/id'] }, \(fields) }, access: \(model.text) }")
            }
            try site.daemon.reload()
        }

        func restart(isKilled: Bool) throws {
            open = [:]
            if isKilled { site.daemon.kill() } else { _ = try site.daemon.stop() }
            try site.daemon.start()
            try site.openSocket()
        }

        func connection(of peer: Peer) throws -> OtherPeer {
            if let known = open[peer] { return known }
            let made = try OtherPeer(site, user: peer.user, group: peer.group, groups: peer.groups)
            open[peer] = made
            return made
        }

        // MARK: What the model says

        func shown(_ name: String, to peer: Peer) -> (rule: AccessModel.Rule, ids: Set<String>)? {
            guard let rule = model.rule(for: peer), let collection = collections[name] else { return nil }
            let filters = rule.filters(for: peer)
            let ids = collection.records.filter { record in filters?.contains { $0.matches(record.value) } ?? true }
                .keys
            return (rule, Set(ids))
        }

        /// Checks a record that was shown, member by member.
        func check(_ given: JSONValue?, _ id: String, of name: String, _ rule: AccessModel.Rule) {
            guard let record = collections[name]?.records[id] else {
                Issue.record("\(id) is nowhere")
                return
            }
            #expect(given?["id"]?.string == id)
            for field in AccessModel.fields {
                let (value, told) = (record[field], given?[field])
                let text = value?.string ?? value?.number ?? ""
                switch rule.sight(of: field) {
                case nil: #expect(told == nil, "\(field) of \(id)")
                case "whole"?: #expect((told == .null ? nil : told) == value, "\(field) of \(id)")
                case _ where value == nil: #expect(told == nil || told == .null)
                case "year"?: #expect(told?.string == String(text.prefix(4)))
                case "last4"?:
                    #expect(
                        told?.string == "…"
                            + (text.unicodeScalars.count < 8 ? "" : String(text.unicodeScalars.suffix(4))))
                default:
                    let hash = told?.string ?? ""
                    #expect(hash.utf8.count == 32 && hashes[text] ?? hash == hash)
                    hashes[text] = hash
                }
            }
        }
    }

    private func ask(_ peer: Peer, about name: String, in world: World) throws {
        let connection = try world.connection(of: peer)
        let shown = world.shown(name, to: peer)
        let access = try connection.request("access")
        let entry = access.at("result", "collections")?.array?.first { $0["collection"]?.string == name }
        guard let (rule, ids) = shown else {
            for (method, rest) in [
                ("count", ""), ("search", ""), ("detail", #","id":"1""#), ("archive", #","ids":["1"]"#),
            ] {
                let answer = try connection.request(method, #"{"collection":"\#(name)"\#(rest)}"#)
                let kind = peer.user == 65_534 && method == "archive" ? "forbidden" : "unknown_collection"
                #expect(answer.errorKind == kind, "\(peer) \(method): \(answer)")
            }
            #expect(entry == nil, "\(peer): \(access)")
            return
        }
        let isWhole = rule.filters(for: peer) == nil && AccessModel.fields.allSatisfy { rule.sight(of: $0) == "whole" }
        #expect(entry?["sees"]?.string == (isWhole ? "whole" : "limited"), "\(peer): \(access)")
        let archived = world.collections[name]?.archived ?? []
        let records = world.collections[name]?.records ?? [:]
        // Details of all ids that ever were, so that most are answered on the fast path.
        for id in (1..<world.nextID).map(String.init) + ["nowhere"] + (name == "notes" ? Array(records.keys) : []) {
            let answer = try connection.request("detail", #"{"collection":"\#(name)","id":"\#(id)"}"#)
            guard ids.contains(id) else {
                #expect(answer.errorKind == "not_found", "\(peer) \(id): \(answer)")
                continue
            }
            world.check(answer.at("result", "record"), id, of: name, rule)
            #expect((answer.at("result", "record", "archived") == true) == archived.contains(id))
        }
        let whole = AccessModel.fields.filter { rule.sight(of: $0) == "whole" }
        var filters: [AccessModel.Filter?] = [nil]
        if whole.contains("region") { filters.append(.region(world.random.pick(AccessModel.regions))) }
        if whole.contains("amount") { filters.append(.amountBelow(Int.random(in: 0..<10, using: &world.random))) }
        let filter = world.random.pick(filters)
        let expected = ids.subtracting(archived).filter { id in filter.map { $0.matches(records[id] ?? [:]) } ?? true }
        let select = #""collection":"\#(name)","filter":"\#(filter?.text ?? "")""#
        #expect(try connection.request("count", "{\(select)}").at("result", "total")?.integer == Int64(expected.count))
        var found: [String] = []
        var cursor = ""
        repeat {
            let page = try connection.request("search", #"{\#(select),"limit":3\#(cursor)}"#)
            #expect(page.at("result", "total")?.integer == Int64(expected.count), "\(peer): \(page)")
            for record in page.at("result", "records")?.array ?? [] {
                let id = record["id"]?.string ?? ""
                found.append(id)
                world.check(record, id, of: name, rule)
            }
            cursor = page.at("result", "next")?.string.map { #","cursor":"\#($0)""# } ?? ""
        } while !cursor.isEmpty && found.count <= records.count
        #expect(found.count == expected.count && Set(found) == expected, "\(peer) \(select)")
        if whole.contains("region") {
            let facets = try connection.request("facets", #"{"collection":"\#(name)","fields":["region"]}"#)
            var counts: [String: Int64] = [:]
            for value in facets.at("result", "facets", "region")?.array ?? [] {
                if let name = value["value"]?.string { counts[name] = value["count"]?.integer }
            }
            let regions = ids.subtracting(archived).compactMap { records[$0]?["region"]?.string }
            #expect(counts == Dictionary(regions.map { ($0, 1) }, uniquingKeysWith: +), "\(peer): \(facets)")
        }
        for field in AccessModel.fields where !whole.contains(field) {
            let refused = try connection.request("count", #"{"collection":"\#(name)","filter":"\#(field).any"}"#)
            #expect(refused.errorKind == "bad_filter", "\(peer) \(field): \(refused)")
        }
    }

    private func archive(_ peer: Peer, in world: World) throws {
        let name = world.random.pick(["boats", "notes"])
        let ids = (world.collections[name]?.records.keys).map { $0.sorted() } ?? []
        guard let (rule, shown) = world.shown(name, to: peer), peer.user != 65_534, !ids.isEmpty else { return }
        let id = world.random.pick(ids)
        let isArchiving = world.random.oneIn(2)
        let answer = try world.connection(of: peer).request(
            isArchiving ? "archive" : "unarchive", #"{"collection":"\#(name)","ids":["\#(id)"]}"#)
        guard rule.acts?.contains("archive") ?? true else {
            #expect(answer.errorKind == "forbidden", "\(answer)")
            return
        }
        #expect((answer.at("result", "missing")?.array?.isEmpty == false) == !shown.contains(id), "\(peer): \(answer)")
        guard shown.contains(id) else { return }
        if isArchiving {
            world.collections[name]?.archived.insert(id)
        } else {
            world.collections[name]?.archived.remove(id)
        }
    }

    private func write(_ peer: Peer, in world: World) throws {
        guard let (rule, shown) = world.shown("notes", to: peer), peer.user != 65_534 else { return }
        let fields = world.record().filter { rule.sight(of: $0.key) == "whole" }
        guard !fields.isEmpty else { return }
        let ids = (world.collections["notes"]?.records.keys).map { $0.sorted() } ?? []
        let id = ids.isEmpty || world.random.oneIn(3) ? nil : world.random.pick(ids)
        let text = String(
            decoding: JSONValue.object(JSONObject(fields.map { .init($0.key, $0.value) })).compactBytes, as: UTF8.self)
        let rest = id.map { #""action":"update","id":"\#($0)""# } ?? #""action":"create""#
        let answer = try world.connection(of: peer).request(
            "submit", #"{"collection":"notes",\#(rest),"fields":\#(text)}"#)
        guard rule.acts?.contains(id == nil ? "create" : "update") ?? true else {
            #expect(answer.errorKind == "forbidden", "\(answer)")
            return
        }
        if let id, !shown.contains(id) {
            #expect(answer.errorKind == "not_found", "\(answer)")
            return
        }
        let record = (id.flatMap { world.collections["notes"]?.records[$0] } ?? [:]).merging(fields) { $1 }
        guard rule.filters(for: peer)?.contains(where: { $0.matches(record) }) ?? true else {
            #expect(answer.errorKind == "not_allowed", "\(answer)")
            return
        }
        let made = try #require(answer.at("result", "id")?.string, "\(answer)")
        world.collections["notes"]?.records[made] = record
    }

    private func forget(in world: World) throws {
        guard let id = world.collections["boats"]?.records.keys.sorted().first else { return }
        // The records of the upstream come back.
        world.upstream[id] = nil
        try world.write()
        let answer = try world.site.daemon.connect().request("forget", #"{"collection":"boats","ids":["\#(id)"]}"#)
        #expect(answer.at("result", "records")?.integer == 1, "\(answer)")
        world.collections["boats"]?.records[id] = nil
        world.collections["boats"]?.archived.remove(id)
    }

    @Test(arguments: 0..<3) func `twenty peers get what a plain evaluation of the rules gives, whatever happens`(
        seed: Int
    ) throws {
        let world = try World(seed: seed)
        for step in 0..<24 {
            switch step % 8 {
            case 0: try world.obey()
            case 1, 5:
                for _ in 0..<3 { world.addUpstream() }
                for id in world.upstream.keys.sorted() where world.random.oneIn(3) {
                    world.upstream[id] = world.record()
                }
                try world.write()
                try world.refresh()
            case 2, 6:
                for _ in 0..<6 { try write(world.random.pick(Self.peers), in: world) }
            case 3:
                for _ in 0..<4 { try archive(world.random.pick(Self.peers), in: world) }
            case 4: try forget(in: world)
            default: try world.restart(isKilled: step > 8)
            }
            for _ in 0..<3 {
                try ask(world.random.pick(Self.peers), about: world.random.pick(["boats", "notes"]), in: world)
            }
        }
        for peer in Self.peers { try ask(peer, about: "boats", in: world) }
    }
}
