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
        #expect(try run("none").code == 2)
        #expect(try run("units", "--site", "warsaw").code == 8)
        let detail = try site.daemon.connect().request("detail", #"{"collection":"units","id":"10"}"#)
        #expect(detail.at("result", "record", "name")?.string == "Gate")
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
