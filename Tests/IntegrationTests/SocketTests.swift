// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsPlatform
import ClaimsTestSupport
import Testing

@Suite struct SocketTests {
    private func start(_ settings: String = "{}") throws -> DaemonProcess {
        let daemon = try DaemonProcess(site: ["claimsd.json5": settings])
        try daemon.start()
        return daemon
    }

    private func kind(_ line: String?) throws -> String? {
        try JSONValue.parse(try #require(line)).errorKind
    }

    @Test func `what is no JSON is answered without an id, and the connection lives on`() throws {
        let daemon = try start()
        let client = try daemon.connect()
        for line in ["hello", "{", #"{"id":1,,}"#, "\u{1}", #"{"id":1}{"id":2}"#, "[1,2", "nul", #""\ud800""#] {
            try client.send(line)
            let answer = try JSONValue.parse(try #require(try client.receive()))
            #expect(answer.errorKind == "parse_error", "\(line)")
            #expect(answer["id"]?.isNull == true)
        }
        #expect(try client.request("ping")["result"] != nil)
    }

    @Test func `blank lines are ignored and carriage returns tolerated`() throws {
        let daemon = try start()
        let client = try daemon.connect()
        try client.send(bytes: Array("\n\r\n  \n{\"id\":7,\"method\":\"ping\"}\r\n".utf8))
        #expect(try client.receive() == #"{"jsonrpc":"2.0","id":7,"result":{}}"#)
    }

    @Test func `a last line without a newline is answered when the client has said that nothing follows`() throws {
        let daemon = try start()
        for before in ["", #"{"id":6,"method":"ping"}"# + "\n"] {
            let client = try daemon.connect()
            try client.send(bytes: Array((before + #"{"id":7,"method":"ping"}"#).utf8))
            client.finishSending()
            if !before.isEmpty { #expect(try client.receive() == #"{"jsonrpc":"2.0","id":6,"result":{}}"#) }
            #expect(try client.receive() == #"{"jsonrpc":"2.0","id":7,"result":{}}"#)
            #expect(try client.receive() == nil)
        }
        let client = try daemon.connect()
        try client.send(bytes: Array(#"{"id":7,"method":"pi"#.utf8))
        client.finishSending()
        #expect(try kind(client.receive()) == "parse_error")
        #expect(try client.receive() == nil)
    }

    @Test func `a request that has a member twice is refused, however it is spelled`() throws {
        let daemon = try start()
        let client = try daemon.connect()
        for (line, id) in [
            (#"{"id":1,"method":"ping","method":"ping"}"#, "1"),
            (#"{"id":1,"id":2,"method":"ping"}"#, "null"),
            (#"{"id":1,"method":"count","params":{"collection":"units","coll\u0065ction":"packs"}}"#, "1"),
            (#"{"id":1,"method":"count","params":{"collection":"units","collection":"units"}}"#, "1"),
            (#"{"id":1,"method":"count","params":{"filter":[{"a":1,"a":2}]}}"#, "1"),
        ] {
            try client.send(line)
            let answer = try JSONValue.parse(try #require(try client.receive()))
            #expect(answer.errorKind == "invalid_request", "\(line): \(answer)")
            #expect(answer["id"].map { String(decoding: $0.compactBytes, as: UTF8.self) } == id)
        }
        #expect(try client.request("ping")["result"] != nil)
    }

    @Test func `the id is echoed as it came`() throws {
        let daemon = try start()
        let client = try daemon.connect()
        for id in ["0", "-12", "12345678901234567890123", #""a\u0041\"b""#, #""""#] {
            try client.send(#"{"id":\#(id),"method":"ping"}"#)
            #expect(try client.receive() == #"{"jsonrpc":"2.0","id":\#(id),"result":{}}"#)
        }
    }

    @Test func `a line that is too long is refused and skipped, whatever is in it`() throws {
        let daemon = try start(#"{ limits: { line: "4K" } }"#)
        let client = try daemon.connect()
        try client.send(String(repeating: "x", count: 100_000))
        #expect(try kind(client.receive()) == "too_large")
        #expect(try client.request("ping")["result"] != nil)
    }

    @Test func `a thousand requests at once are all answered in turn`() throws {
        let daemon = try start()
        let client = try daemon.connect()
        let lines = (0..<1_000).map { #"{"id":\#($0),"method":"ping"}"# }.joined(separator: "\n") + "\n"
        try client.send(bytes: Array(lines.utf8))
        for number in 0..<1_000 {
            #expect(try client.receive() == #"{"jsonrpc":"2.0","id":\#(number),"result":{}}"#)
        }
    }

    @Test func `requests that come by ones and by hundreds are answered in turn, whoever serves them`() throws {
        let daemon = try start()
        let clients = try (0..<12).map { _ in try daemon.connect() }
        var next = Array(repeating: 0, count: clients.count)
        for round in 0..<24 {
            for (index, client) in clients.enumerated() {
                let count = (round + index) % 3 == 0 ? 150 : 1
                let lines = (next[index]..<next[index] + count).map { #"{"id":\#($0),"method":"ping"}"# + "\n" }
                try client.send(bytes: Array(lines.joined().utf8))
            }
            for (index, client) in clients.enumerated() {
                for _ in 0..<((round + index) % 3 == 0 ? 150 : 1) {
                    #expect(try client.receive() == #"{"jsonrpc":"2.0","id":\#(next[index]),"result":{}}"#)
                    next[index] += 1
                }
            }
        }
        for client in clients { #expect(try client.request("count", #"{"collection":"countries"}"#)["result"] != nil) }
    }

    @Test func `a client that stops sending still gets its answers`() throws {
        let daemon = try start()
        let client = try daemon.connect()
        try client.send(#"{"id":1,"method":"ping"}"#)
        client.finishSending()
        #expect(try client.receive() != nil)
        #expect(try client.receive() == nil)
    }

    @Test func `a nest of brackets is refused without harm`() throws {
        let daemon = try start()
        let client = try daemon.connect()
        try client.send(String(repeating: "[", count: 100_000))
        #expect(try kind(client.receive()) == "parse_error")
        try client.send(
            #"{"id":1,"method":"search","params":{"filter":\#(String(repeating: #"["not","#, count: 60))"a"\#(String(repeating: "]", count: 60))}}"#
        )
        #expect(try kind(client.receive()) == "bad_filter")
        #expect(try client.request("ping")["result"] != nil)
    }

    @Test func `hello tells who serves and what the peer may do`() throws {
        let daemon = try start()
        let answer = try daemon.connect().request(
            "hello", #"{"client":"test/1","protocol":[1,3],"want":["streaming"]}"#)
        #expect(answer.at("result", "server", "name")?.string == "claimsd")
        #expect(answer.at("result", "protocol")?.integer == 1)
        #expect(
            answer.at("result", "you", "roles")?.array?.compactMap(\.string) == ["read", "archive", "write", "admin"])
        #expect(answer.at("result", "limits", "line")?.integer == 1 << 20)
        #expect(answer.at("result", "epoch")?.string?.isEmpty == false)
    }

    @Test func `a version nobody speaks and a capability nobody has are refused`() throws {
        let daemon = try start()
        let client = try daemon.connect()
        #expect(try client.request("hello", #"{"protocol":[2,3]}"#).errorKind == "bad_params")
        #expect(try client.request("hello", #"{"require":["telepathy"]}"#).errorKind == "bad_params")
    }

    @Test func `an id in flight may not be used again, and its request can be cancelled`() throws {
        let upstream = try UpstreamProcess(["units.json": "[]"])
        try upstream.misbehave("units.json", #"{"fault":"hang"}"#)
        let daemon = try DaemonProcess(site: [
            "collections.d/units.json5": Site.definition(upstream.url("units.json"))
        ])
        try daemon.start()
        let client = try daemon.connect()
        try client.send(#"{"id":"r","method":"refresh","params":{"collection":"units","wait":true}}"#)
        try client.send(#"{"id":"r","method":"ping"}"#)
        #expect(try kind(client.receive()) == "invalid_request")
        try client.send(#"{"id":2,"method":"cancel","params":{"request":"r"}}"#)
        let lines = [try #require(try client.receive()), try #require(try client.receive())]
        let answers = try lines.map { try JSONValue.parse($0) }
        #expect(answers.contains { $0["id"]?.string == "r" && $0.errorKind == "cancelled" })
        #expect(answers.contains { $0["id"]?.integer == 2 && $0["result"] != nil })
        try client.send(#"{"id":3,"method":"cancel","params":{"request":"r"}}"#)
        #expect(try kind(client.receive()) == "not_found")
    }

    @Test func `one connection too many is told so, unless an idle one can make room`() throws {
        let daemon = try start(#"{ limits: { clients_per_user: 3 } }"#)
        let clients = try (0..<3).map { _ in try daemon.connect() }
        for client in clients { _ = try client.request("ping") }
        let newcomer = try daemon.connect()
        #expect(try newcomer.request("ping")["result"] != nil)
        #expect(try clients[0].receive() == nil)
        #expect(try clients[2].request("ping")["result"] != nil)
    }

    @Test func `describe tells methods and collections with everything a client needs`() throws {
        let daemon = try start()
        let client = try daemon.connect()
        let all = try client.request("describe")
        #expect(all.at("result", "methods")?.array?.isEmpty == false)
        #expect(all.at("result", "collections")?.array?.count == 5)
        let one = try client.request("describe", #"{"collection":"pack","lang":"pl"}"#)
        let pack = try #require(one.at("result", "collections", "0"))
        #expect(pack["name"]?.string == "packs")
        #expect(
            pack["sort"]?.array?.compactMap(\.string) == [
                "-status", "-pickup_date", "expiry_date", "stored_date", "-id",
            ])
        #expect(pack.at("vocabularies", "status", "codes")?.array?.count == 15)
        #expect(pack.at("groups", "0", "label")?.string == "Gotowe do odbioru")
    }

    @Test func `every example of describe works`() throws {
        let site = try Site()
        let client = try site.daemon.connect()
        let methods = try #require(try client.request("describe").at("result", "methods")?.array)
        for method in methods where method["name"]?.string != "cancel" {
            let example = try #require(method["example"])
            try client.send(String(decoding: example.compactBytes, as: UTF8.self))
            var answer = try JSONValue.parse(try #require(try client.receive()))
            // An event of the subscription may come before the answer.
            while answer["method"] != nil { answer = try JSONValue.parse(try #require(try client.receive())) }
            // An id may not be there, a collection that has a definition cannot be forgotten, and none is written to.
            let isRefused = ["not_found", "conflict", "not_allowed"].contains(answer.errorKind)
            #expect(answer["result"] != nil || isRefused, "\(example) → \(answer)")
        }
    }

    @Test func `status tells how everything fares, and what was new upstream`() throws {
        let site = try Site()
        let status = try site.daemon.connect().request("status")
        #expect(status.at("result", "collections")?.array?.count == 5)
        #expect(try #require(status.at("result", "memory_bytes")?.integer) > 0)
        #expect(try #require(status.at("result", "disk_bytes")?.integer) > 0)
        #expect(try #require(status.at("result", "clients")?.integer) >= 1)
        #expect(status.at("result", "drift", "units", "values", "0", "value")?.string == "EXPLODED")
    }
}
