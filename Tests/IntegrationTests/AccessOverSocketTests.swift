// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsJSON
import ClaimsModel
import ClaimsPlatform
import ClaimsTestSupport
import Glibc
import Testing

extension OtherPeer {
    /// Holds an operation, once it is not being sent.
    fileprivate func hold(_ ops: String) throws {
        let deadline = SystemClock.monotonic &+ LineClient.timeout.wholeNanoseconds
        while try request("outbox", #"{"action":"hold",\#(ops)}"#).at("result", "changed")?.array?.count != 1 {
            guard SystemClock.monotonic < deadline else { throw TestFailure("it is not held") }
        }
    }

    /// The number of boats that it sees; nil: for it there are none.
    fileprivate func boats() throws -> Int64? {
        let answer = try request("count", #"{"collection":"boats"}"#)
        if answer.errorKind == "unknown_collection" { return nil }
        return try #require(answer.at("result", "total")?.integer)
    }
}

extension Site {
    /// Two collections, of which one has these rules, and a socket that every user can open.
    fileprivate static func boats(_ access: String) throws -> Site {
        let site = try Site([:])
        for name in ["boats", "cars"] {
            try site.upstream.folder.write("\(name).json", #"[{"id":"1","name":"a"},{"id":"2","name":"b"}]"#)
        }
        try site.configureBoats(access)
        try site.daemon.configure(
            "collections.d/cars.json5",
            "{ source: { url: '\(site.upstream.url("cars.json"))', interval: '1h' }, \(fields) }")
        try site.daemon.reload()
        let client = try site.daemon.connect()
        for name in ["boats", "cars"] {
            _ = try client.request("refresh", #"{"collection":"\#(name)","wait":true}"#)
        }
        try site.openSocket()
        return site
    }

    private static let fields =
        "archive: true, fields: { id: { type: 'id', from: ['/id'] }, name: { type: 'text', from: ['/name'] } }"

    /// Writes the definition of boats; a reload takes it into force.
    fileprivate func configureBoats(_ access: String, _ rest: String = "") throws {
        try daemon.configure(
            "collections.d/boats.json5",
            """
            { source: { url: '\(upstream.url("boats.json"))', interval: '1h' }, \(Self.fields),
              access: \(access)\(rest) }
            """)
    }

    /// Loses what the stopped daemon knows.
    fileprivate func loseState() throws {
        for folder in ["state", "cache"] { try Directory.remove(daemon.folder(folder)) }
    }

    /// Lets every user open the socket.
    func openSocket() throws {
        guard unsafe chmod(daemon.folder.path, 0o755) == 0, unsafe chmod(daemon.socket, 0o666) == 0 else {
            throw TestFailure("the socket cannot be opened to all")
        }
    }
}

/// Rules of access, for peers that are other users: only root can be these.
@Suite(.enabled(if: geteuid() == 0)) struct AccessOverSocketTests {
    @Test func `a collection is seen by user, by first group and by further group, as the kernel names them`() throws {
        // The users and groups of every Debian: games is 5 and 60, mail is 8.
        let site = try Site.boats(
            """
            { rules: [ { to: { users: [1007] }, rows: false }, { to: { users: ['games'], groups: ['mail', 2000] } } ] }
            """)
        #expect(try site.daemon.connect().request("count", #"{"collection":"boats"}"#).at("result", "total") == 2)
        let expected: [(peer: OtherPeer, boats: Int64?)] = [
            (try OtherPeer(site, user: 5, group: 60), 2), (try OtherPeer(site, user: 1001, group: 8), 2),
            (try OtherPeer(site, user: 1001, group: 9, groups: [7, 8]), 2),
            (try OtherPeer(site, user: 1001, group: 9, groups: [2000]), 2),
            (try OtherPeer(site, user: 1001, group: 9, groups: [7]), nil),
            (try OtherPeer(site, user: 1007, group: 8, groups: [2000]), nil),
            (try OtherPeer(site, user: 65_534, group: 65_534), nil),
        ]
        for (peer, boats) in expected {
            #expect(try peer.boats() == boats)
            #expect(try peer.request("count", #"{"collection":"cars"}"#).at("result", "total")?.integer == 2)
        }
    }

    @Test func `rules that change hold on open connections, for repeated requests and for subscriptions`() throws {
        let shown = "{ rules: [ { to: { users: [1001] } } ] }"
        let site = try Site.boats(shown)
        let (peer, subscriber) = (
            try OtherPeer(site, user: 1001, group: 1001), try OtherPeer(site, user: 1001, group: 1001)
        )
        let record = #"{"collection":"boats","id":"1"}"#
        for _ in 0..<5 { #expect(try peer.request("detail", record)["result"] != nil) }
        #expect(try subscriber.request("subscribe", #"{"collection":"boats"}"#)["result"] != nil)
        try site.configureBoats("{ rules: [ { to: { users: [1001] }, rows: false }, { to: 'all' } ] }")
        try site.daemon.reload()
        #expect(try peer.request("detail", record).errorKind == "unknown_collection")
        let last = try subscriber.receive()
        #expect(last.at("params", "error", "data", "kind")?.string == "unknown_collection", "\(last)")
        #expect(try subscriber.request("subscribe", #"{"collection":"boats"}"#).errorKind == "unknown_collection")
        try site.configureBoats(shown)
        try site.daemon.reload()
        for _ in 0..<5 { #expect(try peer.request("detail", record)["result"] != nil) }
    }

    @Test func `a subscription tells what a rule shows, and begins anew where the rule changes`() throws {
        let site = try Site.boats("{ rules: [ { to: { users: [1001] }, rows: 'name=a' } ] }")
        let peer = try OtherPeer(site, user: 1001, group: 1001)
        #expect(try peer.boats() == 1)
        #expect(try peer.request("detail", #"{"collection":"boats","id":"2"}"#).errorKind == "not_found")
        try peer.send("subscribe", #"{"collection":"boats","initial":true}"#)
        #expect(try peer.event("synced")["total"]?.integer == 1)
        // One record leaves the rows, and another comes in.
        try site.serve("boats", #"[{"id":"1","name":"b"},{"id":"2","name":"a"},{"id":"3","name":"b"}]"#)
        let changes = try #require(try peer.event("changes")["changes"]?.array)
        #expect(changes.compactMap { $0["op"]?.string }.sorted() == ["added", "removed"])
        #expect(changes.compactMap { $0["reason"]?.string } == ["gone"])
        #expect(changes.compactMap { $0["id"]?.string }.sorted() == ["1", "2"])
        try site.configureBoats("{ rules: [ { to: { users: [1001] }, rows: { '1001': 'name=b', mail: 'name=x' } } ] }")
        try site.daemon.reload()
        #expect(try peer.event("fresh_instance")["reason"] == "filter")
        #expect(try peer.event("synced")["total"]?.integer == 2)
        #expect(try peer.boats() == 2)
    }

    @Test func `a writer changes records of its rows only, and sees its own operations`() throws {
        let site = try Site.boats("{ rules: [ { to: { users: [1001] }, rows: 'name=a' } ] }")
        try site.daemon.configure("claimsd.json5", "{ roles: { write: { users: [1001, 1002] } } }")
        try site.daemon.configure(
            "collections.d/notes.json5",
            """
            { fields: { id: { type: 'id', from: ['/id'] }, place: { type: 'text', from: ['/place'] },
                        boat: { type: 'text', from: ['/boat'] } },
              writes: { to: 'local', create: {}, update: {}, delete: {}, fields: { place: {}, boat: { refs: 'boats' } } },
              access: { rules: [ { to: { users: [1001] }, rows: 'place=here' }, { to: { users: [1002] } } ] } }
            """)
        try site.daemon.reload()
        let peer = try OtherPeer(site, user: 1001, group: 1001)
        let other = try OtherPeer(site, user: 1002, group: 1002)
        func submit(_ peer: OtherPeer, _ rest: String) throws -> JSONValue {
            try peer.request("submit", #"{"collection":"notes",\#(rest)}"#)
        }
        let mine = try submit(peer, #""action":"create","fields":{"place":"here"}"#)
        let id = try #require(mine.at("result", "id")?.string)
        #expect(try submit(peer, #""action":"create","fields":{"place":"there"}"#).errorKind == "not_allowed")
        #expect(
            try submit(peer, #""action":"update","id":"\#(id)","fields":{"place":"there"}"#).errorKind == "not_allowed")
        let theirs = try submit(other, #""action":"create","fields":{"place":"there"}"#)
        let hidden = try #require(theirs.at("result", "id")?.string)
        for action in [#""update","fields":{"place":"here"}"#, #""delete""#] {
            #expect(try submit(peer, #""action":\#(action),"id":"\#(hidden)""#).errorKind == "not_found")
        }
        // A reference to a record that it does not see is one to nothing; of a collection that it does not see, too.
        for (boat, kind) in [("1", nil), ("2", "invalid"), ("7", "invalid")] as [(String, String?)] {
            let answer = try submit(
                peer, #""action":"update","id":"\#(id)","fields":{"boat":"\#(boat)"},"dry_run":true"#)
            #expect(answer.errorKind == kind, "\(answer)")
        }
        #expect(
            try submit(other, #""action":"create","fields":{"place":"x","boat":"1"}"#).errorKind == "invalid")
        let operations = try peer.request("outbox", #"{"action":"list"}"#).at("result", "operations")?.array
        #expect(operations?.compactMap { $0["id"]?.string } == [id])
        #expect(try other.request("outbox", #"{"action":"list"}"#).at("result", "total")?.integer == 2)
        let named = try peer.request(
            "outbox", #"{"action":"get","ops":["\#(try #require(theirs.at("result", "op")?.string))"]}"#)
        #expect(named.at("result", "operations") == [] && named.at("result", "missing")?.array?.count == 1)
        #expect(try peer.request("count", #"{"collection":"notes"}"#).at("result", "total")?.integer == 1)
        #expect(try other.request("count", #"{"collection":"notes"}"#).at("result", "total")?.integer == 2)
    }

    @Test func `fields are hidden and masked, and whoever does not see one does not write it`() throws {
        let site = try Site.boats(
            "{ rules: [ { to: { users: [1001] }, fields: [], masks: { name: { hash: 'salt' } } } ] }")
        let peer = try OtherPeer(site, user: 1001, group: 1001)
        // The credential is not there, so that the field is hidden.
        let record = #"{"collection":"boats","id":"1"}"#
        #expect(try peer.request("detail", record).at("result", "record") == ["id": "1"])
        try site.daemon.configure("credentials/salt", "grain")
        guard unsafe chmod(site.daemon.folder("config/credentials/salt"), 0o600) == 0 else {
            throw TestFailure("the credential cannot be kept from others")
        }
        try site.daemon.reload()
        let masked = FieldMask.hash(key: Array("grain".utf8)).shown("a")
        for _ in 0..<4 {
            #expect(try peer.request("detail", record).at("result", "record", "name")?.string == masked)
        }
        #expect(try site.daemon.connect().request("detail", record).at("result", "record", "name") == "a")
        // Everybody can compute the hashes of an empty key.
        try site.daemon.configure("credentials/salt", "")
        guard unsafe chmod(site.daemon.folder("config/credentials/salt"), 0o600) == 0 else {
            throw TestFailure("the credential cannot be kept from others")
        }
        try site.daemon.reload()
        #expect(try peer.request("detail", record).at("result", "record") == ["id": "1"])
        try site.daemon.configure("claimsd.json5", "{ roles: { write: { users: [1001] } } }")
        try site.daemon.configure(
            "collections.d/notes.json5",
            """
            { fields: { id: { type: 'id', from: ['/id'] }, place: { type: 'text', from: ['/place'] },
                        iban: { type: 'text', from: ['/iban'] }, grade: { type: 'text', from: ['/grade'] } },
              writes: { to: 'local', create: { set: { grade: 'new' } }, update: {}, delete: {},
                        actions: { raise: { when: 'grade=new', fields: ['place'] } },
                        fields: { place: {}, iban: {}, grade: {} } },
              access: { rules: [ { to: { users: [1001] }, fields: ['place'], masks: { iban: 'last4' } } ] } }
            """)
        try site.daemon.reload()
        func submit(_ rest: String) throws -> JSONValue {
            try peer.request("submit", #"{"collection":"notes",\#(rest)}"#)
        }
        func problem(_ answer: JSONValue) -> String? {
            answer.at("error", "data", "errors")?.array?.first?["kind"]?.string
        }
        let made = try submit(#""action":"create","fields":{"place":"here"}"#)
        let id = try #require(made.at("result", "id")?.string, "\(made)")
        #expect(made.at("result", "record") == ["id": .string(id), "place": "here"])
        #expect(made.at("result", "changed") == ["place"])
        let update = #""action":"update","id":"\#(id)""#
        #expect(problem(try submit(update + #","fields":{"grade":"x"}"#)) == "unknown")
        #expect(problem(try submit(update + #","fields":{"iban":"x"}"#)) == "not_writable")
        #expect(problem(try submit(update + #","fields":{"place":"x"},"expect":{"grade":"new"}"#)) == "unknown")
        #expect(problem(try submit(update + #","fields":{"place":"x"},"expect":{"iban":"x"}"#)) == "not_writable")
        #expect(try submit(update + #","fields":{"place":"there"}"#).at("result", "changed") == ["place"])
        // The condition of the action reads a field that is hidden.
        #expect(try submit(#""action":"raise","id":"\#(id)","fields":{"place":"x"}"#).errorKind == "not_allowed")
        let operations = try peer.request("outbox", #"{"action":"list"}"#)
        #expect(!"\(operations)".contains("grade"))
    }

    @Test func `files are refused where the field that lists them is hidden`() throws {
        let site = try Site.boats("null")
        try site.daemon.configure("claimsd.json5", "{ roles: { write: { users: [1001, 1002] } } }")
        try site.daemon.configure(
            "collections.d/notes.json5",
            """
            { fields: { id: { type: 'id', from: ['/id'] }, place: { type: 'text', from: ['/place'] },
                        files: { type: 'json', from: ['/files'] } },
              writes: { to: 'local', create: {}, update: {}, delete: {}, fields: { place: {} },
                        attachments: { field: 'files' } },
              access: { rules: [ { to: { users: [1001] }, fields: ['place'] }, { to: { users: [1002] } } ] } }
            """)
        try site.daemon.reload()
        for (user, isRefused) in [(1001, true), (1002, false)] {
            let peer = try OtherPeer(site, user: user, group: user)
            let data = Base64.encode(Array("%PDF-1.7\n".utf8))
            let upload = try peer.request(
                "attach", #"{"collection":"notes","name":"scan.pdf","size":9,"data":"\#(data)"}"#)
            #expect((upload["result"] == nil) == isRefused, "\(upload)")
            let file = upload.at("result", "upload")?.string ?? "0192f0c1-2b3d-7a54-8c1e-6f0a9d3b5e71"
            let made = try peer.request(
                "submit", #"{"collection":"notes","action":"create","fields":{"place":"here"},"attach":["\#(file)"]}"#)
            #expect((made.errorKind == "invalid") == isRefused, "\(upload) \(made)")
        }
    }

    @Test func `an author is not shown what an administrator has given in fields that it does not see`() throws {
        let site = try Site.boats("null")
        try site.daemon.configure("claimsd.json5", "{ roles: { write: { users: [1001] } } }")
        try site.daemon.configure(
            "collections.d/jobs.json5",
            """
            { source: { url: 'http://127.0.0.1:9/jobs.json', interval: '1h' },
              fields: { id: { type: 'id', from: ['/id'] }, place: { type: 'text', from: ['/place'] },
                        secret: { type: 'text', from: ['/secret'] }, iban: { type: 'text', from: ['/iban'] } },
              writes: { to: 'upstream', fields: { place: {}, secret: {}, iban: {} },
                        create: { url: '\(site.upstream.url("jobs"))', id: '/id' } },
              access: { rules: [ { to: { users: [1001] }, fields: ['place'], masks: { iban: 'last4' } } ] } }
            """)
        try site.upstream.misbehave("jobs", #"[{"method":"POST","fault":"status","status":422}]"#)
        try site.daemon.reload()
        let peer = try OtherPeer(site, user: 1001, group: 1001)
        let answer = try peer.request(
            "submit", #"{"collection":"jobs","action":"create","fields":{"place":"here"}}"#)
        let ops = #""ops":["\#(try #require(answer.at("result", "op")?.string, "\(answer)"))"]"#
        // The upstream has rejected it: it waits for a person.
        let waited = try peer.request("outbox", #"{"action":"wait",\#(ops)}"#)
        #expect(waited.at("result", "operations", "0", "state") == "rejected", "\(waited)")
        let corrected = try site.daemon.connect().request(
            "outbox", #"{"action":"retry","fields":{"secret":"x","iban":"PL0000111122"},\#(ops)}"#)
        #expect(corrected.at("result", "changed")?.array?.count == 1, "\(corrected)")
        let shown = try peer.request("outbox", #"{"action":"get",\#(ops)}"#).at("result", "operations", "0")
        #expect(shown?["values"] == ["place": "here", "iban": "…1122"])
        #expect(shown?["fields"] == ["place", "iban"])
    }

    @Test func `may narrows the roles, for the next request`() throws {
        let site = try Site.boats("{ rules: [ { to: { users: [1001] }, may: [] } ] }")
        try site.daemon.configure("claimsd.json5", "{ roles: { archive: { users: [1001] } } }")
        try site.daemon.reload()
        let peer = try OtherPeer(site, user: 1001, group: 1001)
        let boat = #"{"collection":"boats","ids":["1"]}"#
        #expect(try peer.request("archive", boat).errorKind == "forbidden")
        try site.configureBoats("{ rules: [ { to: { users: [1001] }, may: ['archive'] } ] }")
        try site.daemon.reload()
        #expect(try peer.request("archive", boat).at("result", "changed") == ["1"])
    }

    @Test func `access tells each its own part, and an administrator that of others`() throws {
        let site = try Site.boats("{ rules: [ { to: { groups: [1007] }, may: [] }, { to: { users: [1001] } } ] }")
        let peer = try OtherPeer(site, user: 1001, group: 1001, groups: [1007])
        let own = try #require(peer.request("access").at("result"))
        #expect(own["uid"]?.integer == 1001)
        #expect(own["groups"] == [1001, 1007])
        let boats = own["collections"]?.array?.first { $0["collection"]?.string == "boats" }
        #expect(boats?["sees"]?.string == "whole")
        #expect(boats?["rule"] == 1)
        #expect(boats?["rows"] == nil)
        #expect(try peer.request("access", #"{"user":"root"}"#).errorKind == "forbidden")
        let root = try site.daemon.connect()
        let other = try root.request("access", #"{"user":"4211"}"#)
        let hidden = other.at("result", "collections")?.array?.first { $0["collection"]?.string == "boats" }
        #expect(hidden?["sees"]?.string == "none")
        #expect(try root.request("access").at("result", "user")?.string == "root")
        #expect(try root.request("access", #"{"user":"no-such-user"}"#).errorKind == "not_found")
    }

    @Test func `an author decides about its operations as far as the rules in force go`() throws {
        let site = try Site.boats("{ rules: [ { to: { users: [1001] }, rows: 'name=a' } ] }")
        try site.daemon.configure("claimsd.json5", "{ roles: { write: { users: [1001] } } }")
        func configureJobs(_ access: String) throws {
            try site.daemon.configure(
                "collections.d/jobs.json5",
                """
                { source: { url: 'http://127.0.0.1:9/jobs.json', interval: '1h' },
                  fields: { id: { type: 'id', from: ['/id'] }, place: { type: 'text', from: ['/place'] } },
                  writes: { to: 'upstream', fields: { place: {} }, create: { url: 'http://127.0.0.1:9/jobs', id: '/id' } },
                  access: { rules: [ { to: { users: [1001] }, \(access) } ] } }
                """)
            try site.daemon.reload()
        }
        try configureJobs("rows: 'place=here'")
        let peer = try OtherPeer(site, user: 1001, group: 1001)
        let answer = try peer.request(
            "submit", #"{"collection":"jobs","action":"create","fields":{"place":"here"}}"#)
        let operation = try #require(answer.at("result", "op")?.string, "\(answer)")
        let ops = #""ops":["\#(operation)"]"#
        // The id may be one of a record that it does not see.
        #expect(
            try peer.request("outbox", #"{"action":"resolve","as":"done","id":"7",\#(ops)}"#).errorKind == "forbidden")
        try peer.hold(ops)
        try configureJobs("rows: 'place=here', may: []")
        let refused = try peer.request("outbox", #"{"action":"retry",\#(ops)}"#)
        #expect(refused.at("result", "refused")?.array?.count == 1, "\(refused)")
        try configureJobs("rows: 'place=there', may: ['create']")
        let hidden = try peer.request("outbox", #"{"action":"retry",\#(ops)}"#)
        #expect(hidden.at("result", "refused")?.array?.count == 1, "\(hidden)")
        #expect(try peer.request("outbox", #"{"action":"drop",\#(ops)}"#).at("result", "changed")?.array?.count == 1)
    }

    @Test(arguments: [
        "[]", "{ rules: {} }", "{ rule: [] }", "{ rules: [ {} ] }", "{ rules: [ { to: 'everyone' } ] }",
        "{ rules: [ { to: 'all', row: false } ] }", "{ rules: [ { to: 'all', may: ['archiv'] } ] }",
        "{ rules: [ { to: 'all' }, { to: { users: [7] } } ] }", "{ rules: [ { to: { users: 7 } } ] }",
        "{ rules: [ { to: 'all', rows: 'nam=a' } ] }", "{ rules: [ { to: 'all', rows: 'water' } ] }",
        "{ rules: [ { to: 'all', rows: { games: 'name>' } } ] }", "'closed'",
    ])
    func `a mistake in rules closes one collection, through reload, restart and with the state lost`(
        mistake: String
    ) throws {
        let site = try Site.boats("null")
        let peer = try OtherPeer(site, user: 1001, group: 1001)
        #expect(try peer.boats() == 2)
        try site.configureBoats(mistake)
        try site.daemon.reload()
        #expect(try peer.boats() == nil)
        #expect(try peer.request("count", #"{"collection":"cars"}"#).at("result", "total")?.integer == 2)
        let status = try site.daemon.connect().request("status")
        #expect(status.at("result", "problems")?.array?.contains { $0["collection"]?.string == "boats" } == true)
        // Nobody else is told of the mistake.
        #expect(try peer.request("status").at("result", "problems") == [])
        for isLost in [false, true] {
            try site.daemon.stop()
            if isLost { try site.loseState() }
            try site.daemon.start()
            try site.openSocket()
            let late = try OtherPeer(site, user: 1001, group: 1001)
            #expect(try late.boats() == nil)
            #expect(
                try late.request("describe").at("result", "collections")?.array?.contains {
                    $0["name"]?.string == "boats"
                } == false)
        }
        try site.configureBoats("{ rules: [ { to: { users: [1001] } } ] }")
        try site.daemon.reload()
        let last = try OtherPeer(site, user: 1001, group: 1001)
        #expect(try last.request("describe", #"{"collection":"boats"}"#)["result"] != nil)
    }

    @Test func `rules that were good stay in force, whatever is wrong with the file next`() throws {
        let site = try Site.boats("{ rules: [ { to: { users: [1001] } } ] }")
        let (mine, others) = (
            try OtherPeer(site, user: 1001, group: 1001), try OtherPeer(site, user: 1002, group: 1002)
        )
        for (access, rest) in [("{ rules: [ { to: 'al' } ] }", ""), ("null", ", titel: 'x'"), ("{", "")] {
            try site.configureBoats(access, rest)
            try site.daemon.reload()
            #expect(try mine.boats() == 2 && others.boats() == nil)
        }
    }

    @Test func `with the default closed, definitions without rules are seen by nobody else`() throws {
        let site = try Site.boats("null")
        try site.daemon.configure("claimsd.json5", "{ access: { default: 'closed' } }")
        try site.daemon.reload()
        let peer = try OtherPeer(site, user: 1001, group: 1001)
        #expect(try peer.boats() == nil && peer.request("describe").at("result", "collections") == [])
        try site.configureBoats("{ rules: null }")
        try site.daemon.reload()
        #expect(try peer.boats() == 2)
        // Settings that cannot be read open nothing, with the state lost either.
        try site.daemon.configure("claimsd.json5", "{ access: ")
        try site.daemon.stop()
        try site.loseState()
        try site.daemon.start()
        try site.openSocket()
        let late = try OtherPeer(site, user: 1001, group: 1001)
        let names = try late.request("describe").at("result", "collections")?.array?.compactMap { $0["name"]?.string }
        #expect(names == ["boats"])
    }
}
