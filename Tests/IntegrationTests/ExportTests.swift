// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsModel
import ClaimsPlatform
import ClaimsTestSupport
import Glibc
import Testing

/// `--to FILE` of `search` and `sort`, against a real daemon.
@Suite struct ExportTests {
    private let site: Site
    private let folder: TemporaryFolder
    private var file: String { folder("units.csv") }
    private var unfinished: String { folder(".units.csv.claimsctl-new") }

    init() throws {
        site = try Site(["units": Site.units])
        folder = try TemporaryFolder()
    }

    private func run(_ arguments: String..., environment: [String: String] = [:]) throws -> ControlProgram.Outcome {
        try ControlProgram.run(arguments, socket: site.daemon.socket, environment: environment)
    }

    private func export(_ more: String...) throws -> ControlProgram.Outcome {
        try ControlProgram.run(
            ["search", "--unit", "-o", "csv", "--fields", "id,status", "--to", file] + more, socket: site.daemon.socket)
    }

    private func start(_ arguments: [String], socket: String) throws -> RunningProgram {
        try RunningProgram("claimsctl", arguments, environment: BuiltProgram.environment(["CLAIMSD_SOCKET": socket]))
    }

    /// Ends a run with a signal, or lets it come to its end.
    private func end(_ program: RunningProgram, by signal: Int32? = nil) throws {
        if let signal { program.signal(signal) }
        #expect(try program.hasEnded(within: LineClient.timeout))
    }

    /// Has a run be at work on the file for as long as `body` takes and beyond: its daemon takes the connection, and
    /// never answers.
    private func withStuckRun(_ body: (RunningProgram) throws -> Void) throws {
        let socket = folder("socket")
        let listener = try UnixSocket.listen(path: socket)
        let program = try start(["search", "--unit", "--to", file], socket: socket)
        #expect(try listener.wait(for: .read, timeout: LineClient.timeout))
        #expect(Files.exists(unfinished))
        try body(program)
        #expect(listener.raw >= 0)
    }

    private func inode() throws -> UInt64 {
        var status = stat()
        guard unsafe stat(file, &status) == 0 else { throw TestFailure("there is no \(file)") }
        return UInt64(status.st_ino)
    }

    private func asOf() throws -> Int64? {
        let answer = try site.daemon.connect().request("count", #"{"collection":"units"}"#)
        return answer.at("result", "meta", "as_of")?.string.flatMap { Instant.parse($0)?.ms }
    }

    private static let content =
        "id,status\n1,ok\n2,faulty\n3,not_reachable\n4,not_reachable\n5,not_reachable\n6,not_reachable\n10,ok\n"

    @Test func `the file has what standard output would have, the time of the data, and nothing beside it`() throws {
        let outcome = try export()
        #expect(outcome.code == 0 && outcome.output == "" && outcome.error == "", "\(outcome)")
        #expect(try Files.readText(file, cap: 1 << 16) == Self.content)
        #expect(try Files.modified(file) == asOf())
        #expect(try Directory.list(folder.path) == ["units.csv"])
        #expect(try run("sort", "--unit", "-status", "-o", "name", "--to", file).code == 0)
        #expect(try Files.readText(file, cap: 1 << 16) == "10\n1\n6\n5\n4\n3\n2\n")
        for format in ["table", "wide", "json", "jsonl", "tsv", "spreadsheet", "name"] {
            #expect(try run("search", "--unit", "-o", format, "--to", file).code == 0)
            let printed = try run("search", "--unit", "-o", format).output
            // A JSON document tells the age of its data.
            if format != "json" { #expect(try Files.readText(file, cap: 1 << 16) == printed, "\(format)") }
        }
        let document = try run("search", "--unit", "-o", "json", "--to", file)
        #expect(document.code == 0)
        let json = try JSONValue.parse(try Files.readText(file, cap: 1 << 16))
        #expect(json["records"]?.array?.count == 7 && json["total"]?.integer == 7 && json["meta"] != nil)
    }

    @Test func `equal bytes leave the file what it is, and move its time with the data`() throws {
        #expect(try export().code == 0)
        let (before, time) = (try inode(), try #require(Files.modified(file)))
        #expect(try export().code == 0)
        #expect(try inode() == before && Files.modified(file) == time)
        // The upstream confirms the same data.
        try site.serve("units", Site.units, #","force":true"#)
        #expect(try export().code == 0)
        #expect(try inode() == before)
        let confirmed = try #require(Files.modified(file))
        #expect(try confirmed == asOf() && confirmed > time)
        try site.serve("units", #"[{"id":"1","status":"OK"}]"#, #","force":true,"accept":true"#)
        #expect(try export().code == 0)
        #expect(try inode() != before)
        #expect(try Files.readText(file, cap: 1 << 16) == "id,status\n1,ok\n")
    }

    @Test func `after any other exit than 0 the file is as it was`() throws {
        #expect(try export().code == 0)
        let before = try inode()
        #expect(try export("--max-age", "0s").code == 7)
        #expect(try export("statsu=ok").code == 2)
        #expect(try export("name=nobody", "--exists").code == 3)
        #expect(try run("search", "--document", "-o", "csv", "--to", file).code == 6)
        #expect(
            try ControlProgram.run(["search", "--unit", "--to", file], socket: "/nowhere/at/all").code == 4)
        #expect(try inode() == before && Files.readText(file, cap: 1 << 16) == Self.content)
        #expect(try Directory.list(folder.path) == ["units.csv"])
        // No match is no error.
        #expect(try export("name=nobody").code == 0)
        #expect(try Files.readText(file, cap: 1 << 16) == "id,status\n")
    }

    @Test func `withheld data does not stay in the file`() throws {
        let old = try Site(["units": Site.units], source: #"ttl: "100ms", expires: "200ms", withhold: "3s","#)
        let arguments = ["search", "--unit", "-o", "csv", "--to", file]
        #expect(try ControlProgram.run(arguments, socket: old.daemon.socket).code == 0)
        let subscriber = Subscriber(try old.daemon.connect(), #""collection":"units""#)
        try subscriber.subscribe(#""initial":true"#)
        while try subscriber.next("state").at("meta", "state")?.string != "withheld" {}
        let outcome = try ControlProgram.run(arguments, socket: old.daemon.socket)
        #expect(outcome.code == 6 && outcome.error.contains("\(file) was removed"), "\(outcome)")
        #expect(try Directory.list(folder.path).isEmpty)
        #expect(try ControlProgram.run(arguments, socket: old.daemon.socket).code == 6)
        #expect(try Directory.list(folder.path).isEmpty)
    }

    @Test func `mode and group stay, and a new file is as the umask has it`() throws {
        let shell = #"umask 027 && "$0" search --unit --to "$1""#
        let outcome = try ControlProgram.run(
            "/bin/sh", ["-c", shell, BuiltProgram.path("claimsctl"), file],
            environment: ["CLAIMSD_SOCKET": site.daemon.socket])
        #expect(outcome.code == 0, "\(outcome)")
        #expect(Files.permissions(file) == 0o640)
        try Files.setPermissions(file, 0o604)
        if getuid() == 0 { #expect(unsafe chown(file, uid_t.max, 7) == 0) }
        #expect(try export().code == 0)
        #expect(Files.permissions(file) == 0o604)
        if getuid() == 0 { #expect(Files.owner(file)?.group == 7) }
    }

    @Test(.enabled(if: SmallFileSystem.isPossible)) func `a full disk leaves the file as it was`() throws {
        let disk = try SmallFileSystem(megabytes: 1)
        let path = disk.folder("units.csv")
        let arguments = ["search", "--unit", "-o", "csv", "--to", path]
        #expect(try ControlProgram.run(arguments, socket: site.daemon.socket).code == 0)
        let before = try Files.readText(path, cap: 1 << 20)
        let many = (1...5000).map { #"{"id":"\#($0)","name":"Unit \#($0) of many, with a name that is not short"}"# }
        try site.serve("units", "[\(many.joined(separator: ","))]", #","force":true,"accept":true"#)
        try disk.fill()
        let outcome = try ControlProgram.run(arguments, socket: site.daemon.socket)
        #expect(outcome.code == 1 && outcome.error.contains("No space left on device"), "\(outcome)")
        #expect(outcome.error.contains(path))
        #expect(try Files.readText(path, cap: 1 << 20) == before)
        #expect(try Directory.list(disk.folder.path) == ["filler", "units.csv"])
        disk.clear()
        #expect(try ControlProgram.run(arguments, socket: site.daemon.socket).code == 0)
        #expect(try Files.readText(path, cap: 1 << 20).split(separator: "\n").count == 5001)
    }

    @Test func `one run at a time writes a file, and what a killed one left is removed`() throws {
        #expect(try export().code == 0)
        try withStuckRun { program in
            let second = try export()
            #expect(second.code == 9 && second.error.contains("another claimsctl is writing"), "\(second)")
            try end(program, by: SIGKILL)
        }
        #expect(Files.exists(unfinished))
        #expect(try export().code == 0)
        #expect(!Files.exists(unfinished))
        #expect(try Files.readText(file, cap: 1 << 16) == Self.content)
    }

    @Test(arguments: [SIGINT, SIGTERM])
    func `a run that is interrupted leaves nothing beside the file`(_ signal: Int32) throws {
        try withStuckRun { try end($0, by: signal) }
        #expect(!Files.exists(unfinished) && !Files.exists(file))
    }

    @Test func `what is no file is refused before the daemon is asked`() throws {
        for (path, words) in [
            (folder.path, "is a folder"), ("/dev/null", "is no regular file"),
            (folder("none/units.csv"), "No such file or directory"),
        ] {
            let outcome = try ControlProgram.run(["search", "--unit", "--to", path], socket: "/nowhere/at/all")
            #expect(outcome.code == 1 && outcome.error.contains(words), "\(path): \(outcome)")
        }
        #expect(try run("search", "--unit", "--to", "-").code == 2)
        #expect(try run("search", "--unit", "--to", "").code == 2)
        #expect(try run("search", "--unit", "--to", file, "--to", file).code == 2)
        #expect(try run("count", "--unit", "--to", file).code == 2)
        #expect(try Directory.list(folder.path).isEmpty)
    }

    @Test func `a reader never sees a torn or mixed export, over refreshes and killed runs`() throws {
        let count = 3000
        func body(_ word: String) -> String {
            "[\((1...count).map { #"{"id":"\#($0)","name":"\#(word)"}"# }.joined(separator: ","))]"
        }
        let words = ["north", "south", "west"]
        try site.serve("units", body(words[0]), #","force":true,"accept":true"#)
        let arguments = ["search", "--unit", "-o", "csv", "--fields", "id,name", "--to", file]
        #expect(try ControlProgram.run(arguments, socket: site.daemon.socket).code == 0)
        for round in 1...12 {
            let program = try start(arguments, socket: site.daemon.socket)
            try site.serve("units", body(words[round % 3]), #","force":true,"accept":true"#)
            try end(program, by: round % 3 == 0 ? SIGKILL : nil)
            let lines = try Files.readText(file, cap: 1 << 20).split(separator: "\n")
            #expect(lines.count == count + 1)
            #expect(Set(lines.dropFirst().map { $0.split(separator: ",")[1] }).count == 1)
        }
    }

    @Test func `a list of many is of one generation, into a pipe too`() throws {
        let many = (1...4000).map { #"{"id":"\#($0)","name":"first"}"# }
        try site.serve("units", "[\(many.joined(separator: ","))]", #","force":true,"accept":true"#)
        let lines = try run("search", "--unit", "--all", "-o", "tsv", "--fields", "id,name").output
            .split(separator: "\n")
        #expect(lines.count == 4001)
        let limited = try run("search", "--unit", "--limit", "1500", "-o", "name").output
        #expect(limited.split(separator: "\n").count == 1500)
    }
}
