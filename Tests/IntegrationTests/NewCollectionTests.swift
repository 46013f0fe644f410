// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsPlatform
import ClaimsTestSupport
import Testing

/// A collection that nobody has thought of works by its file alone.
@Suite struct NewCollectionTests {
    private static let definition = """
        {
          title: "Vessels", singular: "vessel",
          source: {
            url: "URL/vessels.json", interval: "1h", root: "/data/items",
            join: { url: "URL/ports.json", on: ["home", "/code"], take: { home_name: "/name" } },
          },
          fields: {
            id: { type: "id", from: ["/imo"] },
            name: { type: "text", from: ["/name", "/label"], search: true, bold: true },
            state: { type: "enum", from: ["/state"], vocabulary: "state" },
            home: { type: "text", from: ["/home"] },
            home_name: { type: "text", from: ["/homeName"] },
            length: { type: "decimal", from: ["/length"] },
            crew: { type: "integer", from: ["/crew"] },
            built: { type: "date", from: ["/built"] },
            armed: { type: "bool", from: ["/armed"] },
            page: { type: "url", from: ["/page"] },
          },
          vocabularies: {
            state: { fallback: "LOST", absent: "MOORED", codes: {
              SAILING: { rank: 20, group: "out", label: { en: "Sailing", pl: "W rejsie" } },
              MOORED: { rank: 10, group: "in", label: { en: "Moored", pl: "Zacumowany" } },
              LOST: { rank: -1, group: "out", label: "Lost" },
            } },
          },
          groups: { out: { label: "At sea" }, in: { label: "In port" } },
          group_by: "state",
          sort: ["-state", "-length"], sorts: { crewed: ["-crew"] }, views: { large: { filter: "length>100" } },
          list: ["id", "name", "state"], archive: true,
          deal: { message: { en: "Charter {name}!" } },
        }
        """

    private static let vessels = """
        {"data":{"items":[
          {"imo":9321483,"name":"Emma","state":"sailing","home":"DK1","length":397.71,"crew":13,"built":"2006-08-12","armed":false,"page":"https://e.example"},
          {"imo":"77","label":"Tug 7","home":"PL1","length":"24.5","crew":"4","armed":true},
          {"imo":"8","name":"Mary","state":"ghosting","length":100.00,"crew":0,"built":"1861-05-18"}]}}
        """

    private func start() throws -> (UpstreamProcess, DaemonProcess) {
        let upstream = try UpstreamProcess([
            "vessels.json": Self.vessels,
            "ports.json": #"[{"code":"DK1","name":"Ærøskøbing"},{"code":"PL1","name":"Gdynia"}]"#,
        ])
        let text = Self.definition.split(separator: "URL", omittingEmptySubsequences: false)
            .joined(separator: "http://127.0.0.1:\(upstream.port)")
        let daemon = try DaemonProcess(site: ["collections.d/vessels.json5": text])
        try daemon.start()
        let answer = try daemon.connect().request("refresh", #"{"collection":"vessels","wait":true}"#)
        #expect(
            answer.at("result", "collections", "0", "outcome")?.string == "updated"
                || answer.at("result", "collections", "0", "outcome")?.string == "unchanged")
        return (upstream, daemon)
    }

    @Test func `vocabulary, groups, join, orders, views and deals come from the file`() throws {
        let (upstream, daemon) = try start()
        defer { upstream.stop() }
        let client = try daemon.connect()
        let list = try client.request("search", #"{"collection":"vessel","group":true,"lang":"pl"}"#)
        #expect(list.ids == ["9321483", "8", "77"])
        #expect(list.at("result", "groups", "0", "label")?.string == "At sea")
        #expect(list.at("result", "labels", "state", "SAILING")?.string == "W rejsie")
        #expect(list.at("result", "records", "0", "home_name")?.string == "Ærøskøbing")
        #expect(try client.request("search", #"{"collection":"vessels","filter":"aeroskobing"}"#).ids.isEmpty)
        #expect(
            try client.request("search", #"{"collection":"vessels","filter":"home_name~aeros"}"#).ids == ["9321483"])
        #expect(try client.request("search", #"{"collection":"vessels","view":"large"}"#).ids == ["9321483"])
        #expect(try client.request("search", #"{"collection":"vessels","filter":"length=100"}"#).ids == ["8"])
        #expect(
            try client.request("search", #"{"collection":"vessels","sort":"crewed"}"#).ids == ["9321483", "77", "8"])
        #expect(try client.request("search", #"{"collection":"vessels","filter":"built<1900-01-01"}"#).ids == ["8"])
        #expect(try client.request("search", #"{"collection":"vessels","filter":"armed=true"}"#).ids == ["77"])
        #expect(
            try client.request("deal", #"{"collection":"vessels"}"#).at("result", "message")?.string?.hasPrefix(
                "Charter ") == true)
    }

    @Test func `when only the join fails the records are served and the old names stay`() throws {
        let (upstream, daemon) = try start()
        try upstream.misbehave("ports.json", #"{"fault":"status","status":500}"#)
        let changed = Self.vessels.split(separator: "Mary", omittingEmptySubsequences: false).joined(
            separator: "Mary Celeste")
        try upstream.folder.write("vessels.json", changed)
        let client = try daemon.connect()
        let refreshed = try client.request("refresh", #"{"collection":"vessels","wait":true}"#)
        #expect(refreshed.at("result", "collections", "0", "meta", "last_error", "kind")?.string == "join")
        let answer = try client.request(
            "search", #"{"collection":"vessels","filter":"name~celeste or home_name~gdynia"}"#)
        #expect(Set(answer.ids) == ["8", "77"])
    }

    @Test func `a broken definition is named by file, line and key`() throws {
        let daemon = try DaemonProcess(site: [
            "collections.d/vessels.json5":
                "{ title: 'V', singular: 'vessel',\n  fields: { id: { type: 'id', from: ['/id'] },\n    x: { type: 'texx' } } }"
        ])
        try daemon.launch(["--check-config"])
        #expect(try daemon.waitForEnd().code == 78)
        #expect(daemon.log.contains("vessels.json5:3") && daemon.log.contains("fields.x.type"))
    }
}
