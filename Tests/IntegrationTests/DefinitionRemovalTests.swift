// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsPlatform
import ClaimsTestSupport
import Glibc
import Testing

/// A real daemon whose source, definition or cache folder goes.
@Suite struct DefinitionRemovalTests {
    private static let file = "collections.d/boats.json5"
    private static let body = #"[{"id":"1","name":"Anna"},{"id":"2","name":"Beata"},{"id":"3","name":"Cora"}]"#

    private let upstream: UpstreamProcess
    private let daemon: DaemonProcess

    init() throws {
        upstream = try UpstreamProcess(["boats.json": Self.body])
        daemon = try DaemonProcess(site: [Self.file: Self.definition(upstream.url("boats.json"))])
        try daemon.start()
        let client = try daemon.connect()
        _ = try client.request("refresh", #"{"collection":"boats","wait":true}"#)
        let archived = try client.request("archive", #"{"collection":"boats","ids":["2"]}"#)
        #expect(archived.at("result", "changed", "0")?.string == "2", "\(archived)")
    }

    private static func definition(_ url: String?, name: String = "boat") -> String {
        let source = url.map { #"source: { url: "\#($0)", interval: "1h" },"# } ?? ""
        return """
            { title: "Boats", singular: "\(name)", \(source) archive: true,
              fields: { id: { type: "id", from: ["/id"] }, name: { type: "text", from: ["/name"], search: true } } }
            """
    }

    private func removeDefinition() throws {
        Files.remove(daemon.folder("config/" + Self.file))
    }

    private func restoreDefinition() throws {
        try daemon.configure(Self.file, Self.definition(upstream.url("boats.json")))
    }

    private func removed(_ client: LineClient) throws -> [JSONValue] {
        try client.request("status").at("result", "removed")?.array ?? []
    }

    @Test func `without its source a collection is served, and everything says so`() throws {
        let client = try daemon.connect()
        try daemon.configure(Self.file, Self.definition(nil))
        try daemon.reload()
        let list = try client.request("search", #"{"collection":"boats"}"#)
        #expect(list.ids == ["1", "3"] && list.at("result", "meta", "state")?.string == "unconfigured", "\(list)")
        #expect(list.at("result", "meta", "last_error", "message")?.string?.contains("no source any more") == true)
        #expect(list.at("result", "meta", "next_refresh") == .null)
        #expect(try client.request("detail", #"{"collection":"boats","id":"3"}"#)["result"] != nil)
        let polish = try client.request("search", #"{"collection":"boats","lang":"pl"}"#)
        #expect(polish.at("result", "meta", "last_error", "message")?.string?.hasPrefix("Definicja nie ma") == true)
        #expect(
            try client.request("unarchive", #"{"collection":"boats","ids":["2"]}"#)
                .at("result", "changed", "0")?.string == "2")
        #expect(try client.request("refresh", #"{"collection":"boats","wait":true}"#).errorKind == "conflict")
        let search = try ControlProgram.run(["search", "--boat"], socket: daemon.socket)
        #expect(search.code == 0 && search.error.contains("collections.d/boats.json5"), "\(search)")
        let status = try ControlProgram.run(["status", "-o", "table"], socket: daemon.socket)
        #expect(status.output.contains("boats: no source any more"), "\(status.output)")
        #expect(status.output.contains("collections.d/boats.json5"), "\(status.output)")
        #expect(daemon.log.contains("boats has no source any more, and its 3 records are served on"))

        let before = try upstream.requests("boats.json").count
        try restoreDefinition()
        try daemon.reload()
        let again = try client.request("refresh", #"{"collection":"boats","wait":true,"force":true}"#)
        #expect(again.at("result", "collections", "0", "meta", "state")?.string == "ready", "\(again)")
        #expect(again.at("result", "collections", "0", "meta", "last_error") == .null)
        #expect(try upstream.requests("boats.json").count > before)
    }

    @Test func `without its definition a collection is gone at once, and comes back with it`() throws {
        let client = try daemon.connect()
        let clock = try client.request("status").at("result", "clock")?.string
        try removeDefinition()
        try daemon.reload()
        let refused = try client.request("search", #"{"collection":"boats"}"#)
        #expect(refused.errorKind == "unknown_collection")
        #expect(refused.at("error", "data", "hint")?.string?.contains("its 3 records are kept until") == true)
        #expect(try client.request("archive", #"{"collection":"boats","ids":["1"]}"#).errorKind == "unknown_collection")
        let entry = try #require(try removed(client).first)
        #expect(entry["collection"]?.string == "boats" && entry["records"]?.integer == 3)
        #expect(entry["until"]?.string?.hasSuffix("Z") == true)
        let status = try ControlProgram.run(["status", "-o", "table"], socket: daemon.socket)
        #expect(status.output.contains("claimsctl forget --collection boats"), "\(status.output)")
        #expect(daemon.log.contains("boats was removed, and its 3 records are kept for a while"))

        daemon.kill()
        try daemon.start()
        #expect(try removed(daemon.connect()).first == entry)
        try restoreDefinition()
        try daemon.reload()
        let back = try daemon.connect()
        #expect(try removed(back).isEmpty)
        let list = try back.request("search", #"{"collection":"boats","archived":"include"}"#)
        #expect(list.ids.sorted() == ["1", "2", "3"], "\(list)")
        #expect(list.at("result", "meta", "generation")?.integer == 1)
        #expect(list.at("result", "meta", "clock")?.string == clock)
        #expect(try back.request("search", #"{"collection":"boats"}"#).ids == ["1", "3"])
        #expect(daemon.log.contains("boats is back, with the records that were kept"))
    }

    @Test func `forget erases what was removed, and nothing else`() throws {
        let client = try daemon.connect()
        let defined = try client.request("forget", #"{"collection":"boats"}"#)
        #expect(defined.errorKind == "conflict")
        #expect(defined.at("error", "data", "hint")?.string?.hasPrefix("remove its definition first") == true)
        #expect(try client.request("forget", #"{"collection":"ships"}"#).errorKind == "unknown_collection")
        try removeDefinition()
        try daemon.reload()
        let near = try client.request("forget", #"{"collection":"boat"}"#)
        #expect(near.at("error", "data", "hint")?.string == "did you mean 'boats'?", "\(near)")
        let forgotten = try client.request("forget", #"{"collection":"boats"}"#)
        #expect(forgotten.at("result", "records")?.integer == 3, "\(forgotten)")
        #expect(forgotten.at("result", "clock") == (try client.request("status").at("result", "clock")))
        #expect(try removed(client).isEmpty)
        #expect(try client.request("forget", #"{"collection":"boats"}"#).errorKind == "unknown_collection")
        #expect(daemon.log.contains("boats was erased with its 3 records: the user \(getuid()) had it forgotten"))
        // Nothing of it is left anywhere, also not in the log or in free pages.
        for name in ["state.db", "state.db-wal"] {
            let bytes = try Files.readAll(daemon.folder("state/" + name), cap: 1 << 30)
            #expect(!String(decoding: bytes, as: UTF8.self).contains("Beata"), "\(name)")
        }
        daemon.kill()
        try restoreDefinition()
        try upstream.misbehave("boats.json", #"{"status":503}"#)
        try daemon.start()
        #expect(try daemon.connect().request("search", #"{"collection":"boats"}"#).errorKind == "no_data")
    }

    @Test func `forget asks first, and without a terminal needs a yes`() throws {
        try removeDefinition()
        try daemon.reload()
        let refused = try ControlProgram.run(["forget", "--collection", "boats"], socket: daemon.socket)
        #expect(refused.code == 2 && refused.error.contains("--yes"), "\(refused)")
        #expect(try removed(daemon.connect()).count == 1)
        let done = try ControlProgram.run(
            ["forget", "--collection", "boats", "--yes", "-o", "json"], socket: daemon.socket)
        let answer = try JSONValue.parse(done.output)
        #expect(done.code == 0 && answer["records"]?.integer == 3 && answer["schema_version"] != nil, "\(done)")
        let again = try ControlProgram.run(["forget", "--collection", "boats", "--yes"], socket: daemon.socket)
        #expect(again.code == 2 && again.error.contains("no collection was removed"), "\(again)")
    }

    @Test func `a daemon killed while it forgets goes on, or has not begun`() throws {
        for step in 0..<6 {
            try restoreDefinition()
            try daemon.reload()
            _ = try daemon.connect().request("refresh", #"{"collection":"boats","wait":true,"force":true}"#)
            try removeDefinition()
            try daemon.reload()
            let client = try daemon.connect()
            try client.send(#"{"id":1,"method":"forget","params":{"collection":"boats"}}"#)
            let isAnswered = step % 2 == 1 ? try client.receive() != nil : false
            try daemon.kill(after: .microseconds(step * 300))
            try daemon.start()
            let left = try removed(daemon.connect())
            #expect(left.isEmpty || (!isAnswered && left.first?["records"]?.integer == 3), "\(left)")
            if !left.isEmpty { _ = try daemon.connect().request("forget", #"{"collection":"boats"}"#) }
        }
        #expect(try removed(daemon.connect()).isEmpty)
    }

    @Test func `a refresh of a collection that is removed meanwhile says so`() throws {
        try upstream.misbehave("boats.json", #"{"fault":"hang"}"#)
        let before = try upstream.requests("boats.json").count
        let waiting = try daemon.connect()
        try waiting.send(#"{"id":1,"method":"refresh","params":{"collection":"boats","wait":true,"force":true}}"#)
        try upstream.requests("boats.json", count: before + 1)
        try removeDefinition()
        try daemon.reload()
        let answer = try JSONValue.parse(#require(try waiting.receive()))
        #expect(answer.errorKind == "unknown_collection", "\(answer)")
        #expect(answer.at("error", "message")?.string == "boats was removed while it was being refreshed")
    }

    @Test func `a cache folder removed while running is made again, and work goes on`() throws {
        let client = try daemon.connect()
        try Directory.remove(daemon.folder("cache"))
        #expect(try client.request("search", #"{"collection":"boats"}"#).ids == ["1", "3"])
        try upstream.folder.write("boats.json", #"[{"id":"1","name":"Anna"},{"id":"3","name":"Dora"}]"#)
        let refreshed = try client.request("refresh", #"{"collection":"boats","wait":true,"force":true}"#)
        #expect(refreshed.at("result", "collections", "0", "outcome")?.string == "updated", "\(refreshed)")
        #expect(try daemon.folder.permissions("cache") == 0o700)
        try Directory.remove(daemon.folder("cache"))
        // Another shape: the snapshot is built again from state.db.
        let other = Self.definition(upstream.url("boats.json")).split(separator: ", search: true").joined()
        try daemon.configure(Self.file, other)
        try daemon.reload()
        #expect(!daemon.log.contains("could not be reloaded"), "\(daemon.log)")
        #expect(try daemon.folder.permissions("cache") == 0o700)
        #expect(try client.request("search", #"{"collection":"boats","filter":"name~dora"}"#).ids == ["3"])
    }

    @Test func `clients that archive while definitions come and go are never told of a defect`() throws {
        let archiving = Monitor<[String]?>(nil)
        let daemon = daemon
        let isOver = Monitor(false)
        let thread = try NamedThread("archive") {
            var kinds: Set<String> = []
            do {
                let client = try daemon.connect()
                while !isOver.read({ $0 }) {
                    for method in ["archive", "unarchive"] {
                        let answer = try client.request(method, #"{"collection":"boats","ids":["1","3"]}"#)
                        kinds.insert(answer["result"] != nil ? "" : answer.errorKind ?? "none")
                    }
                }
            } catch { kinds.insert("\(error)") }
            archiving.update { $0 = kinds.sorted() }
        }
        let rounds = Result {
            for _ in 0..<10 {
                try removeDefinition()
                try daemon.reload()
                try restoreDefinition()
                try daemon.reload()
            }
        }
        // The thread ends whatever happened, or the test would wait for it for ever.
        isOver.update { $0 = true }
        let kinds = archiving.wait(upTo: LineClient.timeout) { $0 }
        #expect(kinds == ["", "unknown_collection"] || kinds == [""], "\(kinds ?? [])")
        thread.join()
        try rounds.get()
    }

    @Test func `a new collection is a line in the journal`() throws {
        let other = Self.definition(upstream.url("boats.json"), name: "canoe")
        try daemon.configure("collections.d/canoes.json5", other)
        try daemon.reload()
        #expect(daemon.log.contains("canoes is a new collection"), "\(daemon.log)")
    }
}
