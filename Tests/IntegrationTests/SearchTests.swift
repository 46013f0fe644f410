// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsTestSupport
import Testing

@Suite struct SearchTests {
    private let site: Site

    init() throws {
        site = try Site()
    }

    private func search(_ params: String, method: String = "search") throws -> JSONValue {
        try site.daemon.connect().request(method, params)
    }

    @Test func `filters find what they say, on real collections`() throws {
        let table: [(collection: String, filter: String, ids: [String])] = [
            ("units", "status!=ok", ["2", "3", "4", "5", "6"]),
            ("units", "status=not_reachable", ["3", "4", "5", "6"]),
            ("units", "status='not reachable'", ["3", "4", "5", "6"]),
            ("units", "status.raw=EXPLODED", ["6"]),
            ("units", "name~pump", ["1", "2"]),
            ("units", "name~pump status=faulty", ["2"]),
            ("units", "name^=lodz", ["3"]),
            ("units", "ALAND", ["4"]),
            ("units", "protocol.none", ["2", "3", "4", "5", "6", "10"]),
            ("units", "id>3", ["4", "5", "6", "10"]),
            ("units", "id=2..4", ["2", "3", "4"]),
            ("units", "status>=not_reachable status<ok", ["3", "4", "5", "6"]),
            ("units", "serial_number~'-1'", ["1", "10"]),
            ("claims", "water", ["1", "2", "10"]),
            ("claims", "'water damage'", ["1"]),
            ("claims", "damage water", ["1", "10"]),
            ("claims", "c++", ["3"]),
            ("claims", "d'iv", ["3"]),
            ("claims", "straße", ["10"]),
            ("claims", "amount>99", ["1", "10"]),
            ("claims", "amount=80.1", ["2"]),
            ("claims", "amount=100000000000000000000.25", ["10"]),
            ("claims", "type=unknown", ["10"]),
            ("claims", "type.raw=garden", ["10"]),
            ("claims", "claimant_id=7", ["1", "3"]),
            ("claims", "submitted_at=2026-11-01", ["1"]),
            ("claims", "submitted_at.none", ["2", "3", "10"]),
            ("claims", "not (status=pending or status=verified)", ["3", "10"]),
            ("packs", "shipment_type.raw.any", ["8"]),
            ("packs", "id>1234567890123456789012344", ["1234567890123456789012345"]),
        ]
        for row in table {
            let filter = JSONValue.string(row.filter).compactBytes
            let answer = try search(
                #"{"collection":"\#(row.collection)","sort":"id","filter":\#(String(decoding: filter, as: UTF8.self))}"#
            )
            #expect(answer.ids == row.ids, "\(row.filter): \(answer.at("error", "message")?.string ?? "")")
            #expect(answer.at("result", "total")?.integer == Int64(row.ids.count))
        }
    }

    @Test func `a filter may be a tree`() throws {
        let answer = try search(#"{"collection":"units","filter":["and",["ne","status","ok"],["has","name","pump"]]}"#)
        #expect(answer.ids == ["2"])
    }

    @Test func `packs come by status, newest pickup first, with every digit of their ids`() throws {
        let answer = try search(#"{"collection":"packs"}"#)
        #expect(
            answer.ids == [
                "10", "1234567890123456789012344", "1234567890123456789012345", "7", "9", "8",
            ])
        #expect(answer.at("result", "records", "1", "pickup_date")?.string == "2026-11-13T07:00:00.500Z")
        #expect(answer.at("result", "records", "5", "status")?.string == "UNSUPPORTED")
        #expect(answer.at("result", "records", "5", "status.raw")?.string == "BROKEN_STATUS")
    }

    @Test func `groups come in their order with totals and labels`() throws {
        let answer = try search(#"{"collection":"packs","group":true,"lang":"pl"}"#)
        let groups = try #require(answer.at("result", "groups")?.array)
        #expect(groups.compactMap { $0["key"]?.string } == ["in_transit", "delivery_completed"])
        #expect(groups.compactMap { $0["label"]?.string } == ["Gotowe do odbioru", "Pozostałe"])
        #expect(groups.compactMap { $0["total"]?.integer } == [4, 2])
        #expect(answer.ids.suffix(2) == ["10", "7"])
        #expect(answer.at("result", "labels", "status", "READY_TO_PICKUP")?.string == "Gotowa do odbioru")
    }

    @Test func `any field and any named order sorts, and a minus turns it round`() throws {
        #expect(try search(#"{"collection":"units","sort":"name"}"#).ids == ["4", "5", "6", "10", "3", "1", "2"])
        #expect(try search(#"{"collection":"units","sort":["-name"]}"#).ids == ["2", "1", "3", "10", "6", "5", "4"])
        #expect(try search(#"{"collection":"units","sort":"status"}"#).ids == ["2", "3", "4", "5", "6", "1", "10"])
        #expect(try search(#"{"collection":"units"}"#).ids == ["1", "2", "3", "4", "5", "6", "10"])
        #expect(try search(#"{"collection":"units","sort":"-id"}"#).ids == ["10", "6", "5", "4", "3", "2", "1"])
        #expect(try search(#"{"collection":"claims","sort":"amount"}"#).ids == ["10", "1", "3", "2"])
        #expect(try search(#"{"collection":"claims","sort":"submitted"}"#).ids == ["1", "2", "3", "10"])
        #expect(try search(#"{"collection":"units","by":"name:desc"}"#, method: "sort").errorKind == "bad_sort")
        #expect(try search(#"{"collection":"units","by":"-name"}"#, method: "sort").ids.first == "2")
    }

    @Test func `pages go on where the last one ended, to the last record, which has no cursor`() throws {
        let client = try site.daemon.connect()
        var ids: [String] = []
        var cursor = ""
        repeat {
            let answer = try client.request(
                "search", #"{"collection":"packs","limit":2,"group":true\#(cursor)}"#)
            #expect(answer.at("result", "total")?.integer == 6)
            #expect(answer.at("result", "moved") == nil)
            ids += answer.ids
            cursor = answer.at("result", "next")?.string.map { #","cursor":"\#($0)""# } ?? ""
        } while !cursor.isEmpty
        #expect(ids.count == 6 && Set(ids).count == 6)
    }

    @Test func `a page after a refresh says that data moved, and neither skips nor repeats`() throws {
        let client = try site.daemon.connect()
        let first = try client.request("search", #"{"collection":"units","limit":3,"sort":"id"}"#)
        let cursor = try #require(first.at("result", "next")?.string)
        let more =
            String(Site.units.dropLast())
            + #",{"id":"0","name":"New","status":"ok"},{"id":"7","name":"Newer","status":"ok"}]"#
        try site.upstream.folder.write("units.json", more)
        _ = try client.request("refresh", #"{"collection":"units","wait":true}"#)
        let second = try client.request(
            "search", #"{"collection":"units","limit":9,"sort":"id","cursor":"\#(cursor)"}"#)
        #expect(second.ids == ["4", "5", "6", "7", "10"])
        #expect(second.at("result", "moved")?.boolean == true)
    }

    @Test func `a cursor of another query or of nobody is refused`() throws {
        let client = try site.daemon.connect()
        let first = try client.request("search", #"{"collection":"units","limit":3}"#)
        let cursor = try #require(first.at("result", "next")?.string)
        for params in [
            #"{"collection":"units","filter":"status=ok","cursor":"\#(cursor)"}"#,
            #"{"collection":"units","sort":"name","cursor":"\#(cursor)"}"#,
            #"{"collection":"packs","cursor":"\#(cursor)"}"#,
            #"{"collection":"units","cursor":"\#(cursor)x"}"#, #"{"collection":"units","cursor":"forged"}"#,
        ] {
            #expect(try client.request("search", params).errorKind == "bad_cursor", "\(params)")
        }
    }

    @Test func `facets count the values by rank, over all matches`() throws {
        let answer = try search(#"{"collection":"units","fields":["status"],"lang":"en"}"#, method: "facets")
        let values = try #require(answer.at("result", "facets", "status")?.array)
        #expect(values.compactMap { $0["value"]?.string } == ["faulty", "not_reachable", "ok"])
        #expect(values.compactMap { $0["count"]?.integer } == [1, 4, 2])
        let inSearch = try search(#"{"collection":"units","filter":"name~pump","facets":["status"],"limit":1}"#)
        #expect(inSearch.at("result", "facets", "status")?.array?.compactMap { $0["count"]?.integer } == [1, 1])
    }

    @Test func `facets count the records without a value last, and claimsctl shows them`() throws {
        let answer = try search(#"{"collection":"units","fields":["protocol"]}"#, method: "facets")
        let values = try #require(answer.at("result", "facets", "protocol")?.array)
        #expect(values.count == 2 && values[1]["value"]?.isNull == true && values[1]["count"]?.integer == 6)
        let run = { (arguments: [String]) in
            try ControlProgram.run(["facets", "--unit", "protocol"] + arguments, socket: site.daemon.socket).output
        }
        #expect(try run([]) == "field\tvalue\tlabel\tcount\nprotocol\tModbus\t\t1\nprotocol\t\tnone\t6\n")
        #expect(try run(["-o", "name"]) == "Modbus\n")
        #expect(try run(["-o", "table", "--lang", "pl"]).contains("6  brak\n"))
    }

    @Test func `fields cut records down, and a raw value goes with its field`() throws {
        let answer = try search(#"{"collection":"units","filter":"id=6","fields":["id","status"]}"#)
        let record = try #require(answer.at("result", "records", "0")?.object)
        #expect(record.members.map(\.key) == ["id", "status", "status.raw"])
    }

    @Test func `a search without a collection spans all that have data`() throws {
        let answer = try search(#"{"filter":"water"}"#)
        #expect(answer.at("result", "totals", "claims")?.integer == 3)
        #expect(answer.at("result", "records", "0", "collection")?.string == "claims")
        let skipped = answer.at("result", "meta", "skipped")?.array?.compactMap { $0["collection"]?.string }
        #expect(skipped == ["documents"])
        let pages = try search(#"{"filter":"id.any","limit":1000}"#)
        #expect(pages.ids.count == Int(try #require(pages.at("result", "total")?.integer)))
    }

    @Test func `a count is exact, with and without a collection`() throws {
        #expect(
            try search(#"{"collection":"units","filter":"status=ok"}"#, method: "count").at("result", "total")?.integer
                == 2)
        let all = try search(#"{"filter":"water"}"#, method: "count")
        #expect(all.at("result", "totals", "claims")?.integer == 3)
    }

    @Test func `detail tells everything about a record`() throws {
        let answer = try search(#"{"collection":"unit","id":"3","lang":"en"}"#, method: "detail")
        #expect(answer.at("result", "record", "name")?.string == "Łódź compressor")
        #expect(answer.at("result", "upstream", "extra", "deep")?.array?.count == 2)
        #expect(answer.at("result", "provenance", "source")?.string == "upstream")
        #expect(answer.at("result", "provenance", "generation")?.integer == 1)
        #expect(answer.at("result", "labels", "status", "not_reachable")?.string == "Not reachable")
        #expect(
            try search(#"{"collection":"units","id":3}"#, method: "detail").at("result", "record", "id")?.string == "3")
        #expect(try search(#"{"collection":"units","id":"99"}"#, method: "detail").errorKind == "not_found")
    }

    @Test func `a view adds its filter`() throws {
        #expect(try search(#"{"collection":"units","view":"attention"}"#).ids == ["2", "3", "4", "5", "6"])
        #expect(
            try search(#"{"collection":"units","view":"atention"}"#).at("error", "data", "hint")?.string
                == "did you mean 'attention'?")
    }

    @Test func `a stream sends all records in parts and closes with the rest of the answer`() throws {
        let client = try site.daemon.connect()
        try client.send(#"{"id":"s","method":"search","params":{"collection":"units","stream":true}}"#)
        let part = try JSONValue.parse(try #require(try client.receive()))
        #expect(part["method"]?.string == "records")
        #expect(part.at("params", "request")?.string == "s")
        #expect(part.at("params", "records")?.array?.count == 7)
        let end = try JSONValue.parse(try #require(try client.receive()))
        #expect(end.at("result", "total")?.integer == 7)
        #expect(end.at("result", "records") == nil)
    }

    @Test func `deals are of the one collection that has them, and name a record`() throws {
        let answer = try search("{}", method: "deal")
        let name = try #require(answer.at("result", "record", "name")?.string)
        #expect(answer.at("result", "message")?.string == "Deal of the day: free shipping to \(name)!")
        #expect(answer.at("result", "meta", "source")?.string == "bundle")
    }

    @Test func `wrong requests are told what is wrong and what would be right`() throws {
        let table: [(method: String, params: String, kind: String, hint: String?)] = [
            ("search", #"{"collection":"unist"}"#, "unknown_collection", "did you mean 'units'?"),
            ("search", #"{"collection":"units","filter":"statsu=ok"}"#, "bad_filter", "did you mean 'status'?"),
            ("search", #"{"collection":"units","filter":"status=okay"}"#, "bad_filter", nil),
            ("search", #"{"collection":"units","filter":"status !="}"#, "bad_filter", nil),
            ("search", #"{"collection":"units","filter":"(status=ok"}"#, "bad_filter", nil),
            ("search", #"{"collection":"units","sort":"nmae"}"#, "bad_sort", "did you mean 'name'?"),
            ("search", #"{"collection":"units","limit":0}"#, "bad_params", nil),
            ("search", #"{"collection":"units","fields":["nmae"]}"#, "bad_params", "did you mean 'name'?"),
            ("search", #"{"collection":"units","group":true}"#, "bad_params", "leave group out"),
            ("search", #"{"collection":"units","time_zone":"Mars/Olympus"}"#, "bad_params", nil),
            ("search", #"{"collection":"documents"}"#, "no_data", nil),
            ("detail", #"{"collection":"units"}"#, "bad_params", nil),
            ("archive", #"{"collection":"packs"}"#, "bad_params", nil),
            ("deal", #"{"collection":"units"}"#, "bad_params", nil),
            ("describe", #"{"method":"serach"}"#, "bad_params", "did you mean 'search'?"),
            ("nothing", "{}", "unknown_method", nil),
        ]
        for row in table {
            let answer = try search(row.params, method: row.method)
            #expect(answer.errorKind == row.kind, "\(row.method) \(row.params)")
            if let hint = row.hint { #expect(answer.at("error", "data", "hint")?.string == hint, "\(row.params)") }
        }
    }
}
