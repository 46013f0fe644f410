// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsJSON
import ClaimsPlatform
import ClaimsTestSupport
import Testing

@Suite struct ForgettingOverSocketTests {
    private static let feed = #""collection":"units","fields":["id","name"]"#

    private static func units(_ names: [Int: String]) -> String {
        let records = names.sorted { $0.key < $1.key }.map { #"{"id":"\#($0.key)","name":"\#($0.value)"}"# }
        return "[\(records.joined(separator: ","))]"
    }

    /// The files of the daemon's state and cache that have a text.
    private func files(with text: String, of daemon: DaemonProcess) throws -> [String] {
        let pattern = Array(text.utf8)
        var found: [String] = []
        for folder in ["state", "cache"] {
            for name in try Directory.list(daemon.folder(folder)) {
                let path = Paths.join(daemon.folder(folder), name)
                guard !Files.isDirectory(path) else { continue }
                let bytes = try Files.readAll(path, cap: 1 << 30)
                if ByteSearch.firstIndex(of: pattern.rawSpan, in: bytes.rawSpan) != nil { found.append(name) }
            }
        }
        return found
    }

    private func ids(_ answer: JSONValue, _ list: String) -> [String] {
        answer["result"]?[list]?.array?.compactMap(\.string) ?? []
    }

    @Test func `an erased record is in no file, every feed is told, and it has no history`() throws {
        let site = try Site(["units": Self.units([1: "Pump", 2: "Zebraphant", 3: "Gate"])])
        try site.serve("units", Self.units([1: "Pump", 2: "Giraffodil", 3: "Gate"]))
        let client = try site.daemon.connect()
        let all = Subscriber(try site.daemon.connect(), Self.feed)
        try all.subscribe(#""initial":true"#)
        try all.next("synced")
        let other = Subscriber(try site.daemon.connect(), Self.feed + #","filter":"name=Gate""#)
        try other.subscribe("")
        // It is erased at the upstream first.
        try site.serve("units", Self.units([1: "Pump", 3: "Gate"]))
        #expect(try files(with: "Zebraphant", of: site.daemon) != [])
        let answer = try client.request("forget", #"{"collection":"units","ids":["2","77"]}"#)
        #expect(ids(answer, "forgotten") == ["2"] && ids(answer, "missing") == ["77"], "\(answer)")
        #expect(ids(answer, "returns") == [] && ids(answer, "refused") == [])
        for name in ["Zebraphant", "Giraffodil", "zebraphant", "giraffodil"] {
            #expect(try files(with: name, of: site.daemon) == [], "\(name)")
        }
        let seq = try #require(answer.at("result", "clock")?.string.flatMap(Subscriber.seq))
        try all.follow(to: seq)
        try other.follow(to: seq)
        #expect(all.held["2"] == nil && all.causes.contains("forget"))
        #expect(other.causes == ["forget"])
        #expect(try client.request("history", #"{"collection":"units","id":"2"}"#).errorKind == "not_found")
        #expect(try client.request("history", #"{"collection":"units","id":"1"}"#)["result"] != nil)
    }

    @Test func `what the upstream still lists comes back as new, though nothing has changed there`() throws {
        let body = Self.units([1: "Pump", 2: "Zebraphant"])
        let site = try Site(["units": body])
        let client = try site.daemon.connect()
        let dry = try client.request("forget", #"{"collection":"units","ids":["2"],"dry_run":true}"#)
        #expect(ids(dry, "forgotten") == ["2"] && ids(dry, "returns") == ["2"])
        let answer = try client.request("forget", #"{"collection":"units","ids":["2"]}"#)
        #expect(ids(answer, "returns") == ["2"])
        #expect(try client.request("detail", #"{"collection":"units","id":"2"}"#).errorKind == "not_found")
        #expect(try files(with: "Zebraphant", of: site.daemon) == [])
        let refreshed = try client.request("refresh", #"{"collection":"units","wait":true}"#)
        #expect(refreshed.at("result", "collections", "0", "added")?.integer == 1, "\(refreshed)")
        let history = try client.request("history", #"{"collection":"units","id":"2"}"#)
        #expect(history.at("result", "versions")?.array?.compactMap { $0["op"]?.string } == ["added"])
    }

    @Test func `mistakes in the ids are told`() throws {
        let site = try Site(["units": Site.units])
        let client = try site.daemon.connect()
        let many = (0...1000).map { "\"\($0)\"" }.joined(separator: ",")
        #expect(try client.request("forget", #"{"collection":"units","ids":[]}"#).errorKind == "bad_params")
        #expect(try client.request("forget", #"{"collection":"units","ids":[\#(many)]}"#).errorKind == "too_large")
        #expect(try client.request("forget", #"{"collection":"units","dry_run":true}"#).errorKind == "bad_params")
        #expect(try client.request("forget", #"{"collection":"units"}"#).errorKind == "conflict")
    }

    @Test func `killed at any moment, it is as before or erased for good after the start`() throws {
        let seed = UInt64.random(in: 0...UInt64.max)
        var random = SeededGenerator(seed: seed)
        let site = try Site(["units": "[]"])
        for round in 1...RandomRounds.count(6) {
            let name = "Zebra\(round)phant"
            var names = Dictionary(uniqueKeysWithValues: (10...400).map { ($0, "Unit \($0) of many") })
            names[2] = name
            try site.serve("units", Self.units(names), #","force":true,"accept":true"#)
            names[2] = nil
            let client = try site.daemon.connect()
            try client.send(#"{"id":1,"method":"forget","params":{"collection":"units","ids":["2"]}}"#)
            try site.daemon.kill(after: .microseconds(Int64.random(in: 0...60_000, using: &random)))
            try site.daemon.start()
            let again = try site.daemon.connect()
            let isServed = try again.request("detail", #"{"collection":"units","id":"2"}"#)["result"] != nil
            let count = try again.request("count", #"{"collection":"units"}"#).at("result", "total")?.integer
            #expect(count == (isServed ? 392 : 391), "seed \(seed), round \(round)")
            if isServed {
                let answer = try again.request("forget", #"{"collection":"units","ids":["2"]}"#)
                #expect(ids(answer, "forgotten") == ["2"], "seed \(seed), round \(round)")
            }
            #expect(try files(with: name, of: site.daemon) == [], "seed \(seed), round \(round)")
        }
    }
}
