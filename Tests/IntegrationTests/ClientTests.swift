// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsPlatform
import ClaimsTestSupport
import Glibc
import Testing

/// claimsctl as a process, against a real daemon.
@Suite struct ClientTests {
    private let site: Site

    init() throws {
        site = try Site()
    }

    private func run(_ arguments: String..., environment: [String: String] = [:]) throws -> ControlProgram.Outcome {
        try ControlProgram.run(arguments, socket: site.daemon.socket, environment: environment)
    }

    @Test func `lists come as TSV into a pipe, with one order and one set of columns`() throws {
        let units = try run("search", "--unit", "status!=ok")
        #expect(units.code == 0)
        #expect(
            units.output == """
                id\tname\tstatus
                2\tPump south\tfaulty
                3\tŁódź compressor\tnot_reachable
                4\tÅland mast\tnot_reachable
                5\tBay door\tnot_reachable
                6\tFire panel\tnot_reachable

                """)
        #expect(units.error == "")
        #expect(try run("sort", "--unit", "-status", "name", "-o", "name").output == "10\n1\n4\n5\n6\n3\n2\n")
        #expect(try run("search", "--claim", "water", "-o", "name").output == "1\n2\n10\n")
        #expect(try run("search", "--claim", "title~water damage", "-o", "name").output == "1\n")
        #expect(
            try run("search", "status=faulty", "or", "status=not_reachable", "--unit", "-o", "name").output
                == "2\n3\n4\n5\n6\n")
        #expect(try run("search", "lodz", "-o", "name", "-q").output == "units/3\n")
    }

    @Test func `tables carry labels, badges and groups`() throws {
        let table = try run("search", "--unit", "status=faulty,ok", "-o", "table", "--lang", "pl").output
        #expect(table.contains("2              Pump south  [Uszkodzony]") && table.contains("Sprawny"))
        let packs = try run("search", "--pack", "--group", "-o", "table", "--lang", "pl").output
        let moving = try #require(packs.split(separator: "\n").firstIndex { $0.hasPrefix("Gotowe do odbioru (4)") })
        let done = try #require(packs.split(separator: "\n").firstIndex { $0.hasPrefix("Pozostałe (2)") })
        #expect(moving < done)
    }

    @Test func `the notice of old data is in the language asked for`() throws {
        let old = try Site(["units": Site.units], source: #"ttl: "0s", expires: "1h","#)
        try old.upstream.misbehave("units.json", #"{"fault":"status","status":503}"#)
        _ = try old.daemon.connect().request("refresh", #"{"collection":"units","wait":true}"#)
        for (language, notice) in [("pl", "serwer odpowiedział 503"), ("en", "the server answered 503")] {
            let count = try ControlProgram.run(["count", "--unit", "--lang", language], socket: old.daemon.socket)
            #expect(count.code == 0 && count.output == "7\n")
            #expect(count.error.contains(notice), "\(count.error)")
        }
    }

    @Test func `exit codes tell what happened`() throws {
        #expect(try run("search", "--unit", "name=nobody").code == 0)
        #expect(try run("search", "--unit", "name=nobody", "--exists").code == 3)
        #expect(try run("search", "--unit", "statsu=ok").code == 2)
        #expect(try run("search", "--gadget").code == 2)
        #expect(try run("search", "--unit", "--sort", "nothing").code == 2)
        #expect(try run("detail", "--unit", "99").code == 3)
        #expect(try run("detail", "--unit", "1", "99", "-o", "name").output == "1\n")
        #expect(try run("search", "--document").code == 6)
        #expect(try run("search", "--unit", "--max-age", "0").code == 7)
        #expect(try run("archive", "--unit", "1").code == 9)
        #expect(try run("raw", "not json").code == 8)
        #expect(try ControlProgram.run(["status"], socket: "/nowhere/at/all").code == 4)
    }

    @Test func `an error under JSON is one object, and standard output stays empty`() throws {
        let outcome = try run("search", "--unit", "statsu=ok", "-o", "json")
        #expect(outcome.output == "")
        let error = try JSONValue.parse(outcome.error)["error"]
        #expect(error?["kind"]?.string == "bad_filter")
        #expect(error?["position"]?.integer == 0)
        #expect(error?["hint"]?.string == "did you mean 'status'?")
        #expect(outcome.error.split(separator: "\n").count == 1)
    }

    @Test func `a refresh that fails is 11, and the data says that it is old`() throws {
        try site.upstream.folder.write("units.json", "[{")
        let refresh = try run("refresh", "--unit", "--wait")
        #expect(refresh.code == 11)
        #expect(refresh.error.hasPrefix("claimsctl: units: the server's answer is not JSON"))
        #expect(try run("count", "--unit").output == "7\n")
    }

    @Test func `what archive changed is told, and what is missing`() throws {
        let outcome = try run("archive", "--pack", "7", "8", "99", "-o", "table")
        #expect(outcome.code == 3)
        #expect(outcome.output == "archived 2: 7, 8\n")
        #expect(outcome.error == "claimsctl: no such record: 99\n")
        #expect(try run("search", "--pack", "--archived", "only", "-o", "name").output == "7\n8\n")
        #expect(try run("unarchive", "packs/7", "packs/8").code == 0)
    }

    @Test func `lines pass through raw`() throws {
        let outcome = try ControlProgram.run(
            ["raw", "-"], socket: site.daemon.socket,
            input:
                "{\"id\":1,\"method\":\"ping\"}\n\n{\"id\":2,\"method\":\"count\",\"params\":{\"collection\":\"units\"}}"
        )
        #expect(outcome.code == 0)
        let lines = outcome.output.split(separator: "\n")
        #expect(lines.count == 2)
        #expect(lines[0].contains("\"id\":1") && lines[1].contains("\"total\":7"))
    }

    @Test func `an interrupt ends with 130`() throws {
        let input = try FileDescriptor.pipe()
        let output = try FileDescriptor.pipe()
        let process = try ChildProcess(
            BuiltProgram.path("claimsctl"), ["raw", "-"],
            environment: BuiltProgram.environment(["CLAIMSD_SOCKET": site.daemon.socket]), input: input.reading.raw,
            output: output.writing.raw)
        try input.writing.write(Array("{\"id\":1,\"method\":\"ping\"}\n".utf8))
        // It has begun, once it answers.
        #expect(try output.reading.wait(for: .read, timeout: LineClient.timeout))
        process.signal(SIGINT)
        #expect(try process.hasEnded(within: LineClient.timeout))
        #expect(process.wait().code == 130)
    }

    @Test func `a closed pipe is no error, a full disk is one`() throws {
        var pipe = try FileDescriptor.pipe()
        pipe.reading = FileDescriptor(owning: -1)
        #expect(try outcome(of: ["search", "--unit"], output: pipe.writing.raw) == (0, ""))
        let full = try FileDescriptor.open("/dev/full", .update)
        let (code, error) = try outcome(of: ["search", "--unit"], output: full.raw)
        #expect(code == 1)
        #expect(error == "claimsctl: cannot write the output: No space left on device\n")
    }

    private func outcome(of arguments: [String], output: Int32) throws -> (code: Int32, error: String) {
        let errors = try FileDescriptor.temporary(in: "/tmp")
        let process = try ChildProcess(
            BuiltProgram.path("claimsctl"), arguments,
            environment: BuiltProgram.environment(["CLAIMSD_SOCKET": site.daemon.socket]), output: output,
            error: errors.raw)
        let code = process.wait().code
        return (code, String(decoding: try errors.read(errors.size(), at: 0), as: UTF8.self))
    }

    @Test(arguments: [nil, "latin1"])
    func `less is told that the text is UTF-8, unless its user says otherwise`(_ chosen: String?) throws {
        let terminal = try PseudoTerminal(rows: 4)
        var environment = [
            "CLAIMSD_SOCKET": site.daemon.socket, "LC_ALL": "C", "PAGER": "printf '<%s>' \"$LESSCHARSET\"; cat",
        ]
        environment["LESSCHARSET"] = chosen
        try terminal.start("claimsctl", ["search", "--unit", "--color", "never"], environment: environment)
        try terminal.wait("the pager") { $0.outside.contains("<\(chosen ?? "utf-8")>") }
        _ = try terminal.waitForEnd()
    }

    @Test func `the client needs no library of the daemon's`() throws {
        let errors = try FileDescriptor.temporary(in: "/tmp")
        let output = try FileDescriptor.temporary(in: "/tmp")
        let process = try ChildProcess("ldd", [BuiltProgram.path("claimsctl")], output: output.raw, error: errors.raw)
        _ = process.wait()
        let text = String(decoding: try output.read(output.size(), at: 0), as: UTF8.self)
        for library in ["libsqlite3", "libcurl", "libsystemd", "libFoundation", "lib_FoundationICU"] {
            #expect(!text.contains(library), "\(text)")
        }
    }
}
