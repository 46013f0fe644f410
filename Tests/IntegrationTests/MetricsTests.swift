// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsModel
import ClaimsPlatform
import ClaimsTestSupport
import Glibc
import Testing

/// `metrics`, against a real daemon.
@Suite struct MetricsTests {
    private func metrics(_ socket: String, _ arguments: String...) throws -> ControlProgram.Outcome {
        try ControlProgram.run(["metrics"] + arguments, socket: socket)
    }

    @Test func `figures of the daemon, its collections and their views are told`() throws {
        let site = try Site(["units": Site.units])
        let outcome = try metrics(site.daemon.socket)
        #expect(outcome.code == 0 && outcome.error == "", "\(outcome)")
        let text = try Exposition(outcome.output)
        #expect(text["claimsd_up"] == 1)
        #expect(text[#"claimsd_records{collection="units"}"#] == 7)
        #expect(text[#"claimsd_records{collection="claims"}"#] == nil)
        #expect(text[#"claimsd_view_records{collection="units",view="attention"}"#] == 5)
        #expect(text[#"claimsd_quarantined_records{collection="units"}"#] == 0)
        #expect(text[#"claimsd_archived_records{collection="units"}"#] == 0)
        #expect(text[#"claimsd_condition{collection="units",condition="ok"}"#] == 1)
        #expect(text[#"claimsd_condition{collection="units",condition="stale"}"#] == 0)
        #expect(text[#"claimsd_condition{collection="claims",condition="unconfigured"}"#] == 1)
        #expect(text[#"claimsd_ttl_seconds{collection="units"}"#] == 7200)
        #expect(text[#"claimsd_expires_seconds{collection="units"}"#] == 86_400)
        #expect(text["claimsd_problems"] == 0)
        let answer = try site.daemon.connect().request("count", #"{"collection":"units"}"#)
        let asOf = try #require(answer.at("result", "meta", "as_of")?.string.flatMap { Instant.parse($0)?.ms })
        let told = try #require(text[#"claimsd_as_of_timestamp_seconds{collection="units"}"#])
        #expect(abs(told - Double(asOf) / 1000) < 0.0005)
        for family in [
            "build_info", "uptime_seconds", "requests_total", "clients", "memory_bytes", "disk_bytes",
            "next_refresh_timestamp_seconds",
        ] {
            #expect(text.families.contains("claimsd_" + family), "\(family)")
        }
        #expect(text.types["claimsd_requests_total"] == "counter")
    }

    @Test func `the number of requests rises by those that were answered, refused ones too`() throws {
        let site = try Site(["units": Site.units])
        let client = try site.daemon.connect()
        func requests() throws -> Int64 { try #require(try client.request("status").at("result", "requests")?.integer) }
        let before = try requests()
        for id in 1...20 { _ = try client.request("detail", #"{"collection":"units","id":"\#(id)"}"#) }
        _ = try client.request("no_such_method")
        _ = try client.request("refresh", #"{"collection":"units","wait":true}"#)
        // The two questions count when they are answered.
        #expect(try requests() == before + 23)
    }

    @Test func `a daemon that is away is down, and that is no failure`() throws {
        let folder = try TemporaryFolder()
        let outcome = try metrics(folder("none"), "--timeout", "100ms")
        #expect(outcome.code == 0 && outcome.error == "", "\(outcome)")
        #expect(try Exposition(outcome.output).samples == ["claimsd_up": 0])
        let listener = try UnixSocket.listen(path: folder("socket"))
        #expect(try Exposition(metrics(folder("socket"), "--timeout", "200ms").output).samples == ["claimsd_up": 0])
        #expect(listener.raw >= 0)
    }

    @Test func `a daemon that is being restarted is waited for`() throws {
        let site = try Site(["units": Site.units])
        site.daemon.kill()
        let program = try RunningProgram(
            "claimsctl", ["metrics", "--timeout", "60s"],
            environment: BuiltProgram.environment(["CLAIMSD_SOCKET": site.daemon.socket]))
        try site.daemon.start()
        var line = ""
        while !line.hasPrefix("claimsd_up") { line = try program.readLine() }
        #expect(line == "claimsd_up 1")
    }

    @Test func `the file is written each time, with the mode of the one before or 0644`() throws {
        let site = try Site(["units": Site.units])
        let folder = try TemporaryFolder()
        let shell = #"umask 077 && "$0" metrics --to "$1""#
        for mode: UInt32 in [0o644, 0o640] {
            if Files.exists(folder("claimsd.prom")) { try Files.setPermissions(folder("claimsd.prom"), mode) }
            let outcome = try ControlProgram.run(
                "/bin/sh", ["-c", shell, BuiltProgram.path("claimsctl"), folder("claimsd.prom")],
                environment: ["CLAIMSD_SOCKET": site.daemon.socket])
            #expect(outcome.code == 0 && outcome.output == "" && outcome.error == "", "\(outcome)")
            #expect(Files.permissions(folder("claimsd.prom")) == mode)
            #expect(try Exposition(Files.readText(folder("claimsd.prom"), cap: 1 << 20))["claimsd_up"] == 1)
        }
        var (before, after) = (stat(), stat())
        #expect(unsafe stat(folder("claimsd.prom"), &before) == 0)
        // One writing alone: a second one may get the number of the file that the first has replaced.
        #expect(try metrics(folder("none"), "--timeout", "50ms", "--to", folder("claimsd.prom")).code == 0)
        #expect(unsafe stat(folder("claimsd.prom"), &after) == 0 && before.st_ino != after.st_ino)
        #expect(try Directory.list(folder.path) == ["claimsd.prom"])
    }

    @Test func `other errors are errors`() throws {
        let garbage = try ScriptedDaemon { _ in .lines(["garbage"]) }
        #expect(try metrics(garbage.path).code == 1)
        #expect(try metrics(garbage.path, "-o", "json").code == 2)
        #expect(try metrics(garbage.path, "--unit").code == 2)
    }
}

/// A strict reader of the text format 0.0.4, as far as claimsctl writes it: each family once, with help and type before
/// its samples, which are all together.
private struct Exposition {
    private(set) var samples: [String: Double] = [:]
    private(set) var types: [String: String] = [:]
    private(set) var families: [String] = []

    init(_ text: String) throws {
        guard text.hasSuffix("\n") else { throw TestFailure("the last line has no end") }
        var family = ""
        for line in text.split(separator: "\n", omittingEmptySubsequences: false).dropLast() {
            let words = line.split(separator: " ", maxSplits: 3).map(String.init)
            if line.hasPrefix("# HELP ") {
                family = words[2]
                guard !families.contains(family), words.count == 4, !words[3].contains("\\") else {
                    throw TestFailure("\(line)")
                }
                families.append(family)
            } else if line.hasPrefix("# TYPE ") {
                guard words[2] == family, types[family] == nil, ["gauge", "counter"].contains(words[3]) else {
                    throw TestFailure("\(line)")
                }
                types[family] = words[3]
            } else {
                guard let space = line.lastIndex(of: " "), let value = Double(line[line.index(after: space)...]) else {
                    throw TestFailure("no sample: \(line)")
                }
                let name = String(line[..<space])
                guard name == family || name.hasPrefix(family + "{") && name.hasSuffix("\"}"), types[family] != nil
                else {
                    throw TestFailure("\(line) is not of \(family)")
                }
                guard samples.updateValue(value, forKey: name) == nil else { throw TestFailure("\(line) twice") }
            }
        }
    }

    subscript(_ name: String) -> Double? { samples[name] }
}
