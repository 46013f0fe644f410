// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsTestSupport
import Testing

@Suite struct ChangesOverSocketTests {
    /// So many units, whose status changes with each round for some of them.
    private func units(_ count: Int, round: Int) -> String {
        let records = (0..<count).map { number in
            let status = (number + round) % 3 == 0 ? "faulty" : "ok"
            return #"{"id":"\#(number)","name":"Unit \#(number)","status":"\#(status)"}"#
        }
        return "[\(records.joined(separator: ","))]"
    }

    @Test func `a client that pages while refreshes go on and the daemon is killed holds what search answers`() throws {
        let site = try Site(["units": units(60, round: 0)])
        let feed = #""collection":"units","fields":["id","status"],"filter":"status=faulty""#
        var held: [String: String] = [:]
        var since = ""
        for round in 1...5 {
            if round > 1 { try site.serve("units", units(60 + round, round: 2 * round)) }
            var point = since
            var page = 0
            while true {
                let client = try site.daemon.connect()
                let answer = try client.request("changes", #"{\#(feed),"limit":7\#(point)}"#)
                let result = try #require(answer["result"], "\(answer)")
                if result["fresh_instance"]?.boolean == true {
                    #expect(result["reasons"]?["units"]?.string == "start")
                    #expect(since.isEmpty && page == 0)
                    held = [:]
                }
                for entry in try #require(result["changes"]?.array) {
                    let id = try #require(entry["id"]?.string)
                    held[id] = entry["op"]?.string == "removed" ? nil : entry.at("record", "status")?.string
                }
                if let clock = result["clock"]?.string {
                    since = #","since":"\#(clock)""#
                    break
                }
                point = #","cursor":"\#(try #require(result["next"]?.string))""#
                page += 1
                if page == 1 {
                    try site.serve("units", units(60 - round, round: 2 * round + 1))
                    site.daemon.kill()
                    try site.daemon.start()
                }
            }
            #expect(page > 1)
            let set = try site.daemon.connect().request("search", #"{\#(feed),"limit":1000}"#)
            let records = try #require(set.at("result", "records")?.array)
            let expected = Dictionary(
                records.compactMap { record in
                    record["id"]?.string.map { ($0, record["status"]?.string ?? "") }
                }, uniquingKeysWith: { $1 })
            #expect(held == expected, "round \(round)")
        }
    }
}
