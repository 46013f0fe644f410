// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsPlatform
import ClaimsTestSupport
import Testing

/// The method `try`: the daemon asks an upstream by the files as they are, and keeps nothing.
@Suite struct TryTests {
    /// The content of every file below the folders of state and cache; the shared memory of SQLite's readers aside.
    private func kept(_ daemon: DaemonProcess) throws -> [String: [UInt8]] {
        var files: [String: [UInt8]] = [:]
        for folder in ["state", "cache"] {
            for name in try Directory.list(daemon.folder(folder)) where !name.hasSuffix("-shm") {
                let path = daemon.folder("\(folder)/\(name)")
                if Files.isRegular(path) { files["\(folder)/\(name)"] = try Files.readAll(path, cap: 1 << 30) }
            }
        }
        return files
    }

    @Test func `it tells what a refresh would change, and leaves every byte of state and cache as it was`() throws {
        let site = try Site(["units": Site.units])
        let client = try site.daemon.connect()
        #expect(try client.request("try", #"{"collection":"units"}"#).at("result", "outcome")?.string == "unchanged")
        let before = try kept(site.daemon)
        let changed = Site.units.replacing("Gate", with: "Gate two").replacing("\"id\":\"1\"", with: "\"id\":\"11\"")
        try site.upstream.folder.write("units.json", changed.replacing("]}}", with: "]},\"name\":7}"))
        let answer = try client.request("try", #"{"collection":"unit"}"#)
        let result = try #require(answer["result"], "\(answer)")
        #expect(result["outcome"]?.string == "would_update")
        #expect(result.at("changes", "added", "0")?.string == "11")
        #expect(result.at("changes", "updated")?.array?.compactMap(\.string).sorted() == ["10", "3"])
        #expect(result.at("changes", "removed", "0")?.string == "1")
        #expect(result.at("fields", "name", "wrong")?.integer == 1)
        #expect(result.at("fields", "id", "filled")?.integer == 7)
        #expect(result.at("requests", "0", "elements")?.integer == 7)
        #expect(result.at("sample", "0", "id")?.string == "11")
        #expect(try kept(site.daemon) == before)
        #expect(
            try client.request("count", #"{"collection":"units","filter":"name='Gate two'"}"#)
                .at("result", "total")?.integer == 0)
        #expect(try client.request("status").at("result", "collections", "0", "meta", "last_error") == .null)
    }

    @Test func `what fails, what would be held, and files with mistakes are told with their exit codes`() throws {
        let site = try Site(["units": Site.units])
        func run(_ arguments: String...) throws -> ControlProgram.Outcome {
            try ControlProgram.run(["try"] + arguments, socket: site.daemon.socket)
        }
        try site.upstream.folder.write("units.json", "[]")
        let held = try run("units", "-o", "table", "--lang", "pl")
        #expect(held.code == 9 && held.output.contains("wstrzymana"), "\(held.output)\(held.error)")
        try site.upstream.misbehave("units.json", #"{"status":503}"#)
        let failed = try run("--unit", "-o", "json")
        #expect(failed.code == 11)
        let result = try JSONValue.parse(failed.output)
        #expect(result.at("error", "kind")?.string == "http_status" && result.at("error", "status")?.integer == 503)
        #expect(result.at("requests", "0", "status")?.integer == 503)
        try site.upstream.behave()
        // The files count as they are, although nobody has reloaded them.
        try site.daemon.configure("collections.d/units.json5", "{ sorce: {} }")
        let invalid = try run("units", "-o", "table")
        #expect(invalid.code == 8 && invalid.output.contains("collections.d/units.json5:1:"), "\(invalid.output)")
        // Without a source there is nothing to try, by the name as by the file.
        try site.daemon.configure("collections.d/units.json5", "{ fields: { id: { type: 'id', from: '/id' } } }")
        let file = site.daemon.folder("config/collections.d/units.json5")
        for argument in ["units", file] {
            let lacking = try run(argument, "-o", "table")
            let problem = "\(file): source: there is nothing to try without source.url"
            #expect(lacking.code == 8 && lacking.output.contains(problem), "\(lacking)")
        }
        #expect(try run("none").code == 2)
        #expect(try run("units", "--site", "warsaw").code == 8)
        let detail = try site.daemon.connect().request("detail", #"{"collection":"units","id":"10"}"#)
        #expect(detail.at("result", "record", "name")?.string == "Gate")
    }

    @Test func `where the vendor has a definition and the site no file, the file to write is named`() throws {
        let vendor = try TemporaryFolder()
        try vendor.write("collections.d/units.json5", "{ fields: { id: { type: 'id', from: '/id' } } }")
        let daemon = try DaemonProcess(data: vendor.path)
        try daemon.start()
        let file = daemon.folder("config/collections.d/units.json5")
        let lacking = try ControlProgram.run(["try", "units", "-o", "table"], socket: daemon.socket)
        let problem = "\(file): there is no such file, and so nothing to try: write { source: { url: "
        #expect(lacking.code == 8 && lacking.output.contains(problem), "\(lacking)")
        let upstream = try UpstreamProcess(["units.json": Site.units])
        try daemon.configure("collections.d/units.json5", "{ source: { url: '\(upstream.url("units.json"))' } }")
        let good = try ControlProgram.run(["try", "units", "-o", "table"], socket: daemon.socket)
        #expect(good.code == 0, "\(good)")
        // Without any file there is no other name to mean.
        for file in [file, vendor("collections.d/units.json5")] { Files.remove(file) }
        let gone = try ControlProgram.run(["try", "units"], socket: daemon.socket)
        #expect(gone.code == 2 && gone.error.contains("write collections.d/units.json5 in the conf"), "\(gone)")
    }

    @Test func `of sites the first is tried, and that is said`() throws {
        let upstream = try UpstreamProcess(["units.json": Site.units])
        let url = upstream.url("units.json")
        let definition = """
            { source: { sites: { field: "site", each: { warsaw: { url: "\(url)" }, gdansk: { url: "\(url)" } } } },
              fields: { id: { type: "id", from: "/id" }, site: { type: "text" } } }
            """
        let daemon = try DaemonProcess(site: ["collections.d/things.json5": definition])
        try daemon.start()
        let result = try #require(try daemon.connect().request("try", #"{"collection":"things"}"#)["result"])
        #expect(result["site"]?.string == "warsaw" && result.at("counts", "records")?.integer == 7, "\(result)")
        let first = try ControlProgram.run(["try", "things"], socket: daemon.socket)
        #expect(first.code == 0 && first.error.contains("the first site was tried: warsaw"), "\(first)")
        let other = try ControlProgram.run(["try", "things", "--site", "gdansk"], socket: daemon.socket)
        #expect(other.code == 0 && !other.error.contains("the first site"), "\(other)")
        let file = try ControlProgram.run(["try", daemon.folder("config/collections.d/things.json5"), "--lang", "pl"])
        #expect(file.code == 0 && file.error.contains("pierwszy oddział: warsaw"), "\(file)")
    }

    @Test func `what has changed is tried from where the last answer ended`() throws {
        let upstream = try UpstreamProcess([:])
        try upstream.keep("things.json", #"[{"id":1,"name":"a","rev":1},{"id":2,"name":"b","rev":2}]"#)
        try upstream.misbehave(
            "things.json",
            #"{"items":"/items","since":{"parameter":"since","token":"/token","deleted":"/gone"}}"#)
        let definition = """
            { source: { url: "\(upstream.url("things.json"))", root: "/items", since: { to: "since", token: "/token" },
                deleted: { ids: "/gone" } },
              fields: { id: { type: "id", from: "/id" }, name: { type: "text", from: "/name" } } }
            """
        let daemon = try DaemonProcess(site: ["collections.d/things.json5": definition])
        try daemon.start()
        let client = try daemon.connect()
        _ = try client.request("refresh", #"{"collection":"things","wait":true}"#)
        try upstream.put("things.json/3", #"{"id":3,"name":"c","rev":3}"#)
        try upstream.put("things.json/1", "null")
        let result = try #require(
            try client.request("try", #"{"collection":"things","incremental":true}"#)["result"])
        #expect(result["outcome"]?.string == "would_update", "\(result)")
        #expect(result.at("counts", "records")?.integer == 1 && result.at("counts", "added")?.integer == 1)
        #expect(result.at("changes", "removed")?.array?.compactMap(\.string) == ["1"], "\(result)")
        #expect(try upstream.requests("things.json").last?.query.contains("since=") == true)
        // Another request has no position.
        try daemon.configure("collections.d/things.json5", definition.replacing("things.json\"", with: "other.json\""))
        let other = try client.request("try", #"{"collection":"things","incremental":true}"#)
        #expect(other.errorKind == "conflict", "\(other)")
        let units = try client.request("try", #"{"collection":"units","incremental":true}"#)
        #expect(units.at("result", "outcome")?.string == "invalid", "\(units)")
    }

    @Test func `what an upstream says of its failure is shown`() throws {
        let body = #"{"errors":[{"message":"no field 'unit' on type 'Query'"}],"data":null}"#
        let upstream = try UpstreamProcess(["things.json": body])
        let definition = """
            { source: { url: "\(upstream.url("things.json"))", root: "/data/units", fails: "/errors" },
              fields: { id: { type: "id", from: "/id" } } }
            """
        let daemon = try DaemonProcess(site: ["collections.d/things.json5": definition])
        try daemon.start()
        let result = try daemon.connect().request("try", #"{"collection":"things"}"#)
        #expect(result.at("result", "error", "kind")?.string == "reported")
        #expect(result.at("result", "error", "body")?.string?.contains("no field 'unit'") == true, "\(result)")
        let people = try ControlProgram.run(["try", "things", "-o", "table"], socket: daemon.socket)
        #expect(people.code == 11 && people.output.contains("no field 'unit'"), "\(people)")
        // It is neither stored nor told by others.
        let status = try daemon.connect().request("status")
        #expect(!"\(status)".contains("no field"))
    }

    @Test func `what the upstream of a join says of its failure is shown beside the records`() throws {
        let upstream = try UpstreamProcess([
            "things.json": #"[{"id":"1","home":"a"}]"#,
            "homes.json": #"{"errors":[{"message":"no field 'homes'"}],"data":null}"#,
        ])
        let definition = """
            { source: { url: "\(upstream.url("things.json"))",
                join: { url: "\(upstream.url("homes.json"))", root: "/data", fails: "/errors", on: ["home", "/code"],
                  take: { home_name: "/name" } } },
              fields: { id: { type: "id", from: "/id" }, home: { type: "text", from: "/home" },
                home_name: { type: "text" } } }
            """
        let daemon = try DaemonProcess(site: ["collections.d/things.json5": definition])
        try daemon.start()
        let result = try daemon.connect().request("try", #"{"collection":"things"}"#)
        #expect(result.at("result", "counts", "records")?.integer == 1, "\(result)")
        #expect(result.at("result", "error", "body")?.string?.contains("no field 'homes'") == true, "\(result)")
    }

    @Test func `into a pipe the outcome and the counts stand on standard error`() throws {
        let site = try Site(["units": Site.units])
        let outcome = try ControlProgram.run(["try", "units"], socket: site.daemon.socket)
        #expect(outcome.code == 0 && outcome.output.hasPrefix("field\t"), "\(outcome.output)")
        #expect(outcome.error.contains("7"), "\(outcome.error)")
        let quiet = try ControlProgram.run(["try", "units", "-q"], socket: site.daemon.socket)
        #expect(quiet.error == "")
    }

    @Test func `a file that lacks a credential is told the option that gives it`() throws {
        let folder = try TemporaryFolder()
        try Files.setPermissions(folder.path, 0o755)
        let source = "source: { url: 'http://127.0.0.1:1/', credential: 'erp' }"
        try folder.write("a.json5", "{ \(source), fields: { id: { type: 'id', from: '/id' } } }")
        let outcome = try ControlProgram.run(["try", folder("a.json5")])
        #expect(outcome.code == 11 && outcome.error.contains("--credential NAME=PATH"), "\(outcome)")
        let other = try ControlProgram.run(
            ["try", folder("a.json5"), "--credential", "other=\(folder("a.json5"))"])
        #expect(other.error.contains("does not name the credential 'other'; it names erp"), "\(other.error)")
    }

    /// The lines of a trial that tells how far it is; its answer is the last one.
    private func watched(_ collection: String, _ client: LineClient) throws -> [JSONValue] {
        try client.send(#"{"id":"t","method":"try","params":{"collection":"\#(collection)","progress":true}}"#)
        var lines: [JSONValue] = []
        while let line = try client.receive() {
            lines.append(try JSONValue.parse(line))
            if lines.last?["id"]?.string == "t" { return lines }
        }
        throw TestFailure("the connection ended before the answer")
    }

    @Test func `a wait that a host asks for is told while it lasts`() throws {
        let site = try Site(["units": Site.units])
        let client = try site.daemon.connect()
        try site.upstream.misbehave(
            "units.json", #"[{"fault":"status","status":429,"headers":{"Retry-After":"3"},"times":1},{}]"#)
        let refused = try watched("units", client)
        #expect(refused.last?.at("result", "error", "status")?.integer == 429, "\(refused)")
        #expect(refused.allSatisfy { $0.at("params", "wait") == nil }, "\(refused)")
        // The next one waits until the host may be asked again.
        let lines = try watched("units", client)
        #expect(lines.last?.at("result", "outcome")?.string == "unchanged", "\(lines)")
        let news = lines.dropLast()
        #expect(news.allSatisfy { $0["method"]?.string == "progress" && $0.at("params", "request")?.string == "t" })
        #expect(news.allSatisfy { $0.at("params", "collection")?.string == "units" })
        let waits = news.map { $0.at("params", "wait") }
        let first = try #require(waits.firstIndex { $0 != nil }, "\(lines)")
        #expect(waits[first]?["reason"]?.string == "floor" && waits[first]?["host"]?.string == "127.0.0.1")
        #expect(waits[first]?["until"]?.string?.hasSuffix("Z") == true)
        #expect(waits.last == .some(nil), "\(lines)")
        #expect(news.last?.at("params", "phase")?.string == "read" && news.last?.at("params", "pages")?.integer == 1)
    }

    @Test func `a page that is asked for again is told by the daemon, and by the program that tries a file`() throws {
        let upstream = try UpstreamProcess(["things.json": #"[{"id":"1"},{"id":"2"},{"id":"3"}]"#])
        try upstream.misbehave(
            "things.json",
            #"{"fault":"paged","style":"parameter","size":2,"fail_page":2,"status":429,"fail_times":1,"#
                + #""fail_headers":{"Retry-After":"2"}}"#)
        let definition = """
            { source: { url: "\(upstream.url("things.json"))", next: { page: "page", size: 2 } },
              fields: { id: { type: "id", from: "/id" } } }
            """
        let folder = try TemporaryFolder()
        try folder.write("things.json5", definition)
        let file = try ControlProgram.run(
            "claimsd", ["--try=\(folder("things.json5"))", "--lang=pl"], environment: ["TZ": "UTC"])
        #expect(file.code == 0 && file.error.contains("czekanie na 127.0.0.1 do "), "\(file)")
        #expect(file.error.contains("bo tego zażądał"), "\(file)")
        #expect(try JSONValue.parse(file.output).at("counts", "records")?.integer == 3, "\(file)")
    }

    @Test func `there is one trial at a time, and it ends with its client`() throws {
        let site = try Site(["units": Site.units])
        try site.upstream.misbehave("units.json", #"{"hold":true}"#)
        try site.upstream.forgetRequests()
        var first: LineClient? = try site.daemon.connect()
        try first?.send(#"{"id":1,"method":"try","params":{"collection":"units"}}"#)
        try site.upstream.requests("units.json", count: 1)
        let second = try site.daemon.connect()
        let refused = try second.request("try", #"{"collection":"units"}"#)
        #expect(refused.at("error", "data", "kind")?.string == "busy", "\(refused)")
        first = nil
        try site.upstream.behave()
        var answer = try second.request("try", #"{"collection":"units"}"#)
        while answer.at("error", "data", "kind")?.string == "busy" {
            answer = try second.request("try", #"{"collection":"units"}"#)
        }
        #expect(answer.at("result", "outcome")?.string == "unchanged", "\(answer)")
    }
}
