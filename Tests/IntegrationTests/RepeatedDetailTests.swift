// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsTestSupport
import Testing

/// A client that asks for one record after the other is answered without reading the request anew: nobody must notice.
@Suite struct RepeatedDetailTests {
    private func line(_ id: String, _ record: String, _ more: String = "", collection: String = "packs") -> String {
        #"{"id":\#(id),"method":"detail","params":{"collection":"\#(collection)","id":\#(record)\#(more)}}"#
    }

    /// An answer without what changes while one looks at it.
    private func settled(_ answer: String?) throws -> String {
        let text = try #require(answer)
        return text.replacing(/"age_ms":[0-9]+/, with: #""age_ms":0"#).replacing(/is [0-9]+m?s old/, with: "is old")
    }

    private func ask(_ client: LineClient, _ line: String) throws -> String {
        try client.send(line)
        return try settled(client.receive())
    }

    @Test func `the answers are those of a connection that asks for the first time`() throws {
        let site = try Site(["packs": Site.packs, "units": Site.units])
        _ = try site.daemon.connect().request("archive", #"{"collection":"packs","ids":["9"]}"#)
        let requests = [
            line("1", #""7""#), line("2", #""8""#), line("3", #""10""#), line("4", #""404""#), line("5", #""7""#),
            line("6", #""9""#), line("7", #""8""#), line("8", #""\u0038""#), line("9", "8"), line("10", #""8""#),
            line(#""a""#, #""8""#), line(#""b""#, #""7""#), line(#""\"""#, #""7""#), line("-1", #""7""#),
            line("012", #""7""#), line("11", #""7""#), line("12", #""7""#, #","max_age_ms":0"#),
            line("13", #""7""#, #","max_age_ms":100000000"#), line("14", #""7""#, #","language":"pl""#),
            line("15", #""7""#), line("16", #""2""#, collection: "units"), line("17", #""3""#, collection: "units"),
            line("18", #""7""#, collection: "pack"), line("19", #""7""#, collection: "pack"),
            line("20", #""7""#, collection: "pack"), line("21", #""7""#), line("22", #""Ä""#), line("23", #""""#),
            line("24", #""7"}"#), line("25", #""7""#) + "  ", line("26", #""7""#) + "\r", line("27", #""7""#),
        ]
        let client = try site.daemon.connect()
        for request in requests {
            let answer = try ask(client, request)
            #expect(try answer == ask(site.daemon.connect(), request), "\(request)")
        }
    }

    @Test func `many at once are answered in order, whatever stands between them`() throws {
        let site = try Site(["packs": Site.packs])
        let client = try site.daemon.connect()
        var lines: [String] = []
        for number in 0..<3_000 {
            switch number % 50 {
            case 20: lines.append(#"{"id":\#(number),"method":"ping"}"#)
            case 30: lines.append(line("\(number)", #""nobody""#))
            case 40: lines.append(line("\(number)", "7"))
            case 45: lines.append(#"{"id":\#(number),"method":"search","params":{"collection":"packs","filter":"k"}}"#)
            default: lines.append(line("\(number)", number % 2 == 0 ? #""7""# : #""8""#))
            }
        }
        try client.send(bytes: Array((lines.joined(separator: "\n") + "\n").utf8))
        var waiting = Set(0..<3_000)
        for _ in 0..<3_000 {
            let answer = try JSONValue.parse(try #require(try client.receive()))
            let number = Int(try #require(answer["id"]?.integer))
            #expect(waiting.remove(number) != nil)
            switch number % 50 {
            case 20, 45: #expect(answer["result"] != nil)
            case 30: #expect(answer.errorKind == "not_found")
            case 40: #expect(answer.at("result", "record", "id")?.string == "7")
            default: #expect(answer.at("result", "record", "id")?.string == (number % 2 == 0 ? "7" : "8"))
            }
        }
        #expect(waiting.isEmpty)
    }

    @Test func `each of many connections that ask at the same time gets its own answers`() throws {
        let site = try Site(["packs": Site.packs, "units": Site.units])
        _ = try site.daemon.connect().request("archive", #"{"collection":"packs","ids":["9"]}"#)
        let clients = try (0..<40).map { _ in try site.daemon.connect() }
        for round in 0..<20 {
            func question(_ number: Int) -> (collection: String, record: String) {
                if number % 5 == 4 { return ("units", ["1", "2", "3"][(number + round) % 3]) }
                // One is archived, and one is not there.
                return ("packs", ["7", "8", "9", "10", "404"][(number + round / 3) % 5])
            }
            for (number, client) in clients.enumerated() {
                let (collection, record) = question(number)
                try client.send(line("\(round)", "\"\(record)\"", collection: collection))
            }
            for (number, client) in clients.enumerated() {
                let record = question(number).record
                let answer = try JSONValue.parse(try #require(try client.receive()))
                #expect(answer["id"]?.integer == Int64(round))
                #expect(answer.at("result", "record", "id")?.string == (record == "404" ? nil : record))
                #expect((answer.errorKind == "not_found") == (record == "404"))
                #expect((answer.at("result", "record", "archived") != nil) == (record == "9"))
            }
        }
    }

    @Test func `a request that comes in pieces is answered once it is whole`() throws {
        let site = try Site(["packs": Site.packs])
        let client = try site.daemon.connect()
        for number in 0..<4 { _ = try ask(client, line("\(number)", #""7""#)) }
        let request = Array((line("5", #""8""#) + "\n").utf8)
        for (number, byte) in request.enumerated() {
            try client.send(bytes: [byte])
            // Another answer shows that the daemon has had the time to look at the piece.
            if number % 20 == 0 { _ = try site.daemon.connect().request("ping") }
        }
        #expect(try JSONValue.parse(try #require(try client.receive())).at("result", "record", "id")?.string == "8")
    }

    @Test func `who asks on sees what a refresh and an archive mark have changed`() throws {
        let site = try Site(["packs": Site.packs])
        let client = try site.daemon.connect()
        func record() throws -> JSONValue { try JSONValue.parse(ask(client, line("1", #""7""#))) }
        for _ in 0..<3 { #expect(try record().at("result", "record", "sender")?.string == "Zielony") }
        let generation = try record().at("result", "provenance", "generation")?.integer
        try site.serve("packs", Site.packs.replacing("Zielony", with: "Czerwony"))
        let newer = try record()
        #expect(newer.at("result", "record", "sender")?.string == "Czerwony")
        let first = try #require(newer.at("result", "provenance", "first_seen")?.string)
        #expect(try first < #require(newer.at("result", "provenance", "changed_at")?.string))
        #expect(try #require(newer.at("result", "provenance", "generation")?.integer) > #require(generation))
        #expect(newer.at("result", "meta", "generation") == newer.at("result", "provenance", "generation"))
        _ = try site.daemon.connect().request("archive", #"{"collection":"packs","ids":["7"]}"#)
        #expect(try record().at("result", "record", "archived")?.boolean == true)
        _ = try site.daemon.connect().request("unarchive", #"{"collection":"packs","ids":["7"]}"#)
        #expect(try record().at("result", "record", "archived") == nil)
        try site.serve("packs", Site.packs.replacing(#""id":"7""#, with: #""id":"70""#))
        #expect(try record().errorKind == "not_found")
    }

    @Test func `a peer that reads late gets every answer`() throws {
        let site = try Site(["packs": Site.packs])
        let client = try site.daemon.connect()
        for number in 0..<3 { _ = try ask(client, line("\(number)", #""7""#)) }
        // The answers are more than a socket holds.
        try client.send(bytes: Array((0..<2_000).map { line("\($0)", #""7""#) + "\n" }.joined().utf8))
        _ = try site.daemon.connect().request("ping")
        for number in 0..<2_000 {
            let text = try #require(try client.receive())
            #expect(text.hasPrefix(#"{"jsonrpc":"2.0","id":\#(number),"result":{"record":{"id":"7","#))
        }
    }
}
