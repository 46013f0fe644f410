// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsModel
import ClaimsPlatform
import ClaimsProtocol
import ClaimsSnapshot
import ClaimsTestSupport
import Testing

@testable import ClaimsServer
@testable import ClaimsStore

/// A peer gets of a collection that its rules hide the answers of a daemon that has no such collection.
///
/// The peer has user 1000 and group 100.
@Suite struct AccessTests {
    /// A hidden collection: its name, and the number of its records.
    private struct Hidden {
        var name = "secrets"
        var singular = "secret"
        var records = 3
        var access = AccessRules([])

        /// The collection as it is served.
        func view() throws -> CollectionView {
            let objects = (0..<records).map {
                #"{"id":"s\#($0)","title":"Secret \#($0)","state":"open","level":9}"#
            }
            let shelf = Shelf.definition
            let definition = Definition(
                name: name, singular: singular, source: Source(), fields: shelf.fields,
                vocabularies: shelf.vocabularies, groups: shelf.groups, groupBy: shelf.groupBy,
                defaultOrder: shelf.defaultOrder, isArchivable: true, deal: LocalizedText("{title}"),
                access: access.resolved(user: { UInt32($0) }, group: { UInt32($0) }))
            let fixture = try SnapshotFixture(objects, definition)
            var row = CollectionRow(number: 9, name: name)
            row.generation = 3
            return CollectionView(
                definition: fixture.definition, snapshot: fixture.snapshot, archive: ArchiveOverlay(),
                condition: CollectionCondition(row: row))
        }

        func shelf() throws -> ServedShelf { try ServedShelf(others: [try view()]) }
    }

    private static func users(_ users: String...) -> AccessRules.Subject { .members(.init(users: users)) }

    /// Rules that hide a collection from the peer.
    private static let hiding: [AccessRules] = [
        AccessRules([]), .mistaken, .closed,
        AccessRules([.init(users("1001", "0")), .init(.members(.init(groups: ["101"])))]),
        AccessRules([.init(users("1000"), rows: .none), .init(.all)]),
        AccessRules([.init(.members(.init(groups: ["100"])), rows: .none), .init(users("1000"))]),
    ]

    /// Requests of every kind that name a collection or nothing; NAME stands for one.
    private static let requests: [(method: String, params: String)] = {
        let spanning = [
            ("hello", "{}"), ("describe", "{}"), ("search", "{}"), ("search", #"{"filter":"secret"}"#), ("count", "{}"),
            ("sort", #"{"by":"-level"}"#), ("deal", "{}"), ("changes", "{}"), ("refresh", "{}"), ("refreshes", "{}"),
            ("outbox", #"{"action":"list"}"#),
        ]
        let named = [
            ("describe", ""), ("search", ""), ("count", ""), ("sort", #","by":"level""#), ("detail", #","id":"s1""#),
            ("detail", #","id":"s1","lang":"pl""#), ("facets", #","fields":"state""#), ("deal", ""),
            ("explain", #","filter":"open","id":"s1""#), ("history", #","id":"s1""#), ("changes", ""),
            ("subscribe", ""), ("subscribe", #","initial":true"#), ("archive", #","ids":["s1"]"#),
            ("archive", #","ids":["s1"],"dry_run":true"#), ("unarchive", #","filter":"open""#),
            ("submit", #","action":"update","id":"s1","fields":{"title":"x"}"#),
            ("submit", #","action":"create","fields":{"title":"x"},"dry_run":true"#),
            ("attach", #","name":"a.pdf","size":3,"data":"AAAA""#),
            ("fetch_attachment", #","id":"s1","sha256":"\#(String(repeating: "0", count: 64))""#),
            ("quarantine", #","action":"list""#), ("quarantine", #","action":"get","entry":1"#),
            ("refresh", ""), ("refreshes", ""), ("outbox", #","action":"list""#), ("search", #","stream":true"#),
        ]
        return spanning + named.map { ($0, #"{"collection":"NAME"\#($1)}"#) }
    }()

    /// An answer or an error, as text.
    private func answer(_ shelf: ServedShelf, _ method: String, _ params: String, _ roles: RoleSet) async -> String {
        do {
            let result = try await shelf.ask(method, params, roles: roles).compactBytes
            // The epoch of each store is random.
            let epoch = #""clock":"[0-9a-f]+\."#
            return String(decoding: result, as: UTF8.self).replacing(try Regex(epoch), with: #""clock":"E."#)
        } catch {
            guard let error = error as? RequestError else { return "\(error)" }
            return String(decoding: error.line(id: [0x31], in: "en"), as: UTF8.self)
        }
    }

    // MARK: - No such collection

    @Test(arguments: hiding) func `hidden collections that differ in all give the same answers`(
        rules: AccessRules
    ) async throws {
        let worlds = [
            try Hidden(access: rules).shelf(),
            try Hidden(name: "hoard", singular: "treasure", records: 0, access: rules).shelf(),
        ]
        for (method, params) in Self.requests {
            for name in ["secrets", "secret", "secretz", "hoard", "treasures", "shelf"] {
                let params = params.replacing("NAME", with: name)
                let first = await answer(worlds[0], method, params, [.read, .archive, .write])
                let second = await answer(worlds[1], method, params, [.read, .archive, .write])
                // A deal is random.
                if method == "deal", name == "shelf" { continue }
                #expect(first == second, "\(method) \(params)")
                #expect(!first.contains("Secret") && !first.contains("hoard\"") || params.contains("hoard"))
            }
        }
    }

    @Test func `figures of the daemon are for those who see everything, and for administrators`() async throws {
        let shelf = try Hidden().shelf()
        let mine = try await shelf.ask("status", roles: [.read])
        #expect(mine["memory_bytes"] == .null && mine["disk_bytes"] == .null && mine["hosts"] == [])
        #expect((mine["collections"]?.array ?? []).compactMap { $0["name"]?.string } == ["notes", "shelf"])
        let admins = try await shelf.ask("status", roles: .all)
        #expect(admins["disk_bytes"]?.integer ?? 0 > 0)
        #expect(
            (admins["collections"]?.array ?? []).compactMap { $0["name"]?.string } == ["notes", "secrets", "shelf"])
        let whole = try await ServedShelf().ask("status", roles: [.read])
        #expect(whole["disk_bytes"]?.integer ?? 0 > 0)
    }

    // MARK: - An administrator

    @Test func `an administrator sees definition and figures of each collection, and records by rule only`()
        async throws
    {
        let shelf = try Hidden().shelf()
        let described = try await shelf.ask("describe", #"{"collection":"secrets"}"#)
        #expect(described["collections"]?.array?.first?["name"]?.string == "secrets")
        let forbidden = Self.requests.filter { method, params in
            params.contains("NAME") && !["describe", "refresh", "refreshes", "submit", "attach"].contains(method)
        }
        for (method, params) in forbidden {
            let refusal = await shelf.refusal(method, params.replacing("NAME", with: "secrets"))
            #expect(refusal == .forbidden, "\(method) \(params)")
        }
        #expect(await shelf.refusal("try", #"{"collection":"secret"}"#) == .forbidden)
        #expect(await shelf.refusal("forget", #"{"collection":"secrets","ids":["s1"]}"#) == .forbidden)
        let found = try await shelf.ask("count")
        #expect(found["totals"]?["secrets"] == nil && found["total"]?.integer == 8)
    }

    // MARK: - Who sees it

    @Test(arguments: [
        AccessRules(nil), AccessRules([.init(.all)]), AccessRules([.init(users("1000"))]),
        AccessRules([.init(users("7")), .init(.members(.init(groups: ["100"])))]),
    ]) func `a peer that a rule shows a collection gets all of it`(rules: AccessRules) async throws {
        let (ruled, open) = (try Hidden(access: rules).shelf(), try Hidden(access: AccessRules(nil)).shelf())
        for (method, params) in Self.requests where method != "deal" {
            let params = params.replacing("NAME", with: "secrets")
            let roles: RoleSet = [.read, .archive]
            let given = await answer(ruled, method, params, roles)
            #expect(given == (await answer(open, method, params, roles)), "\(method) \(params)")
        }
        #expect(try await ruled.ask("count", roles: [.read])["totals"]?["secrets"]?.integer == 3)
    }

    @Test func `no rule limits root and the daemon's user`() throws {
        let policy = RolePolicy(ownUser: 900)
        let definition = try Hidden().view().definition
        for (user, sight) in [(0, .whole), (900, .whole), (901, .none)] as [(UInt32, Sight)] {
            let peer = Peer(
                PeerCredentials(pid: 1, uid: user, gid: 5, groups: []), by: policy,
                requester: Requester(process: 1, connection: 1))
            #expect(peer.sight(of: definition) == sight)
        }
    }

    @Test func `rules that change hold for the next answer`() async throws {
        let shelf = try Hidden(access: AccessRules(nil)).shelf()
        let closed = try Hidden().view().definition.access
        let stamp = { () -> ServedCollection? in
            shelf.context.served.enter(ServedShelf.peer([.read]))
            _ = try? shelf.context.served.collection(named: "secrets")
            let stamp = shelf.context.served.scopeStamp
            shelf.publisher.redefine("secrets") { $0.with(closed) }
            shelf.context.served.refresh()
            return shelf.context.served.collection(at: 1, stamp)
        }
        #expect(stamp() == nil)
        let record = #"{"collection":"secrets","id":"s1"}"#
        #expect(await shelf.refusal("detail", record, roles: [.read]) == .unknownCollection)
        shelf.publisher.redefine("secrets") { $0.with(AccessRules(nil)) }
        shelf.context.served.refresh()
        #expect(try await shelf.ask("detail", record, roles: [.read])["record"] != nil)
    }

    @Test func `what a connection keeps of its scope holds on its loop only`() throws {
        let shelf = try Hidden().shelf()
        let peer = ServedShelf.peer([.read])
        let (first, second) = (
            shelf.context.served, ServedCatalog(shelf.context.configuration, shelf.publisher)
        )
        first.enter(peer)
        _ = try first.collection(named: "shelf")
        let stamp = first.scopeStamp
        #expect(first.collection(at: 1, stamp) != nil && second.collection(at: 1, stamp) == nil)
        // Another peer has the scope of that number on the other loop.
        second.enter(ServedShelf.peer(.all))
        _ = try second.collection(named: "shelf")
        #expect(second.collection(at: 1, stamp) == nil)
    }

    @Test func `a scope stays, however many peers with other credentials come`() throws {
        let shelf = try Hidden().shelf()
        let served = shelf.context.served
        served.enter(ServedShelf.peer([.read]))
        _ = try served.collection(named: "shelf")
        let stamp = served.scopeStamp
        for user in 2_000..<2_600 as Range<UInt32> {
            served.enter(
                Peer(
                    PeerCredentials(pid: 1, uid: user, gid: 5, groups: []), roles: [.read], scopes: [],
                    requester: Requester(process: 1, connection: 1)))
        }
        #expect(served.collection(at: 1, stamp) != nil)
    }

    @Test func `a problem is told where all collections are seen that it names`() throws {
        let shelf = try Hidden().shelf()
        let served = shelf.context.served
        func problem(_ rival: String?) -> ConfigurationProblem {
            ConfigurationProblem(
                location: ConfigurationLocation(file: "shelf.json5"), message: "x", collection: "shelf", rival: rival)
        }
        let problems = [problem(nil), problem("secrets")]
        served.enter(ServedShelf.peer([.read]))
        #expect(served.seen.visible(problems) == [problems[0]])
        served.enter(ServedShelf.peer(.all))
        #expect(served.seen.visible(problems) == problems)
    }

    // MARK: - What it may do

    @Test func `may narrows what roles give, and names the rule to administrators alone`() async throws {
        let rules = AccessRules([.init(Self.users("7")), .init(.all, acts: ["update"])])
        let shelf = try Hidden(access: rules).shelf()
        for (roles, number) in [([.read, .archive], nil), (.all, 2)] as [(RoleSet, Int64?)] {
            do {
                _ = try await shelf.ask("archive", #"{"collection":"secrets","ids":["s1"]}"#, roles: roles)
                Issue.record("it was archived")
            } catch let error as RequestError {
                #expect(error.kind == .forbidden)
                let line = try JSONValue.parse(error.line(id: nil, in: "en"))
                #expect(line["error"]?["data"]?["rule"]?.integer == number)
            }
        }
        #expect(await shelf.refusal("archive", #"{"collection":"secrets","ids":["s1"]}"#, roles: [.read]) == .forbidden)
    }
}
