// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsJSON
import ClaimsModel
import ClaimsPlatform
import ClaimsStore
import ClaimsTestSupport
import Testing

/// Fields that older versions allowed, although records of answers have members of these names.
@Suite struct ReservedFieldTests {
    private static let path = "collections.d/things.json5"

    private static func definition(_ url: String, prefix: String) -> String {
        """
        { source: { url: "\(url)", interval: "1h" }, archive: true,
          fields: {
            id: { type: "id", from: "/id" }, name: { type: "text", from: "/name" },
            \(prefix)collection: { type: "text", from: "/collection" },
            \(prefix)archived: { type: "bool", from: "/archived" },
            \(prefix)pending: { type: "integer", from: "/pending" },
          },
          list: ["name", "\(prefix)collection"], sort: ["-\(prefix)pending", "name"],
          views: { kept: "\(prefix)archived=false", named: "name=a" } }
        """
    }

    /// A daemon that serves records with such fields, as after an upgrade: state.db has the definition in force, and the
    /// file says the same.
    private static func upgraded() throws -> (upstream: UpstreamProcess, daemon: DaemonProcess) {
        let records = (1...3).map {
            #"{"id":"\#($0)","name":"a","collection":"theirs","archived":false,"pending":\#($0)}"#
        }
        let upstream = try UpstreamProcess(["things.json": "[\(records.joined(separator: ","))]"])
        let url = upstream.url("things.json")
        let daemon = try DaemonProcess(site: [path: definition(url, prefix: "x_")])
        try daemon.start()
        let client = try daemon.connect()
        #expect(try client.request("refresh", #"{"collection":"things","wait":true}"#)["result"] != nil)
        #expect(try client.request("archive", #"{"collection":"things","ids":["2"]}"#)["result"] != nil)
        #expect(try daemon.stop().code == 0)
        let store = try StateStore(directory: daemon.folder("state"))
        let texts = try store.database.textsInForce().map {
            TextInForce(name: $0.name, text: $0.text.replacing("x_", with: ""), origins: $0.origins)
        }
        try store.database.keep(texts)
        store.close()
        try daemon.configure(path, definition(url, prefix: ""))
        return (upstream, daemon)
    }

    /// The result of a request, in whose answer no object has a key twice.
    private static func result(_ client: LineClient, _ method: String, _ parameters: String) throws -> JSONValue {
        try client.send(#"{"id":1,"method":"\#(method)","params":\#(parameters)}"#)
        let line = try #require(try client.receive())
        let bytes = Array(line.utf8)
        var tape = JSONTape()
        _ = try tape.parse(bytes.rawSpan, depth: JSONValue.maximumDepth)
        let repeatsKeys = tape.hasDuplicates(in: bytes.rawSpan)
        #expect(!repeatsKeys, "\(line)")
        return try #require(try JSONValue.parse(line)["result"], "\(line)")
    }

    @Test func `a definition in force goes on without fields that answers have for themselves`() throws {
        let (upstream, daemon) = try Self.upgraded()
        _ = upstream
        for _ in 0..<2 {
            try daemon.start()
            let client = try daemon.connect()
            let status = try Self.result(client, "status", "{}")
            let problems = try #require(status["problems"]?.array).filter { $0["collection"]?.string == "things" }
            #expect(
                problems.compactMap { $0["key"]?.string }
                    == ["fields.collection", "fields.archived", "fields.pending", "fields.collection"])
            let message = try #require(problems.last?["message"]?.string)
            #expect(
                message == "records are served without 'collection', 'archived', 'pending', which answers have for "
                    + "themselves; what refers to it is left out, too: sort[0], list[1], views.kept", "\(message)")

            let all = try Self.result(client, "search", #"{"archived":"include","filter":"name=a"}"#)
            #expect(all["records"]?.array?.map { $0["collection"]?.string } == ["things", "things", "things"])
            #expect(all["records"]?.array?.map { $0["archived"]?.boolean } == [nil, true, nil])
            let own = try Self.result(
                client, "search", #"{"collection":"things","archived":"include","fields":["id"]}"#)
            #expect(own["records"]?.array?.map { $0["archived"]?.boolean } == [nil, true, nil])
            #expect(own.at("meta", "definition")?.string == "previous")
            let detail = try Self.result(client, "detail", #"{"collection":"things","id":"2"}"#)
            #expect(detail.at("upstream", "collection")?.string == "theirs")
            #expect(detail.at("record", "collection") == nil)
            for (method, parameters) in [
                ("changes", #"{"archived":"include"}"#), ("changes", #"{"collection":"things","archived":"include"}"#),
                ("history", #"{"collection":"things","id":"2"}"#), ("describe", #"{"collection":"things"}"#),
                ("search", #"{"collection":"things","view":"named"}"#), ("count", #"{"collection":"things"}"#),
            ] {
                _ = try Self.result(client, method, parameters)
            }
            #expect(try daemon.stop().code == 0)
        }
    }

    @Test func `another name for the fields brings them back`() throws {
        let (upstream, daemon) = try Self.upgraded()
        try daemon.start()
        try daemon.configure(Self.path, Self.definition(upstream.url("things.json"), prefix: "their_"))
        try daemon.reload()
        let client = try daemon.connect()
        #expect(try Self.result(client, "status", "{}")["problems"]?.array?.isEmpty == true)
        let found = try Self.result(client, "search", #"{"filter":"their_collection=theirs"}"#)
        #expect(found["records"]?.array?.map { $0["collection"]?.string } == ["things", "things"])
    }

    @Test func `a definition that is new is refused, with the line and another name`() throws {
        let daemon = try DaemonProcess(site: [Self.path: Self.definition("https://127.0.0.1:1/", prefix: "")])
        try daemon.start()
        let problems = try #require(try daemon.connect().request("status").at("result", "problems")?.array)
        #expect(problems.map { $0["line"]?.integer } == [4, 5, 6])
        #expect(problems.first?["message"]?.string?.hasSuffix("such as collection_value") == true, "\(problems)")
        let answer = try daemon.connect().request("count", #"{"collection":"things"}"#)
        #expect(answer.errorKind == "unknown_collection")
    }
}
