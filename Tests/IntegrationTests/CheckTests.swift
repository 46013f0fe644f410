// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsPlatform
import ClaimsTestSupport
import Glibc
import Testing

/// `check`, as a monitoring system runs it, against a real daemon whose upstream misbehaves.
@Suite struct CheckTests {
    private func check(_ site: Site, _ arguments: String...) throws -> ControlProgram.Outcome {
        try ControlProgram.run(["check"] + arguments, socket: site.daemon.socket)
    }

    private func refresh(_ site: Site, _ more: String = "") throws {
        _ = try site.daemon.connect().request("refresh", #"{"collection":"units","wait":true\#(more)}"#)
    }

    /// Expects an exit code, and the word and the text that the first line begins with.
    private func expect(_ outcome: ControlProgram.Outcome, _ code: Int32, _ beginning: String) {
        let words = ["OK", "WARNING", "CRITICAL", "UNKNOWN"]
        #expect(outcome.code == code, "\(outcome)")
        #expect(outcome.output.hasPrefix("CLAIMSD \(words[Int(code)]) - \(beginning)"), "\(outcome)")
    }

    @Test func `a daemon that is well is OK, with the age of each collection`() throws {
        let site = try Site(["units": Site.units])
        let outcome = try check(site)
        // Countries are built in; three collections have no upstream, and are left out.
        expect(outcome, 0, "2 collections are ok | ")
        let first = try #require(outcome.output.split(separator: "\n").first)
        let age = try #require(first.split(separator: " ").first { $0.hasPrefix("units.age=") })
        #expect(age.hasSuffix("s;7200;86400;0;"), "\(age)")
        #expect(outcome.output.contains("\nunits: ok"))
        #expect(!outcome.output.contains("claims"))
        #expect(
            try ControlProgram.run(["check", "--lang", "pl"], socket: site.daemon.socket).output
                .hasPrefix("CLAIMSD OK - 2 kolekcje są w porządku | "))
    }

    @Test func `the number of matches is judged by ranges`() throws {
        let site = try Site(["units": Site.units])
        expect(try check(site, "--unit", "--view", "attention"), 1, "units: 5 match | units.matches=5;0;;0; units.age=")
        expect(try check(site, "--unit", "status=faulty", "-w", "5"), 0, "units: 1 matches | units.matches=1;5;;0; ")
        expect(try check(site, "--unit", "-c", "@5:10"), 2, "units: 7 match | units.matches=7;;@5:10;0; ")
        expect(
            try check(site, "--unit", "-w", "10:", "-c", "5:"), 1, "units: 7 match | units.matches=7;10:;5:;0; ")
        expect(try check(site, "--unit", "name=nobody"), 0, "units: 0 match | ")
        // Records do not have to be counted.
        expect(try check(site, "--unit"), 0, "units: ok")
    }

    @Test func `each condition has its status`() throws {
        let site = try Site(
            ["units": Site.units], source: #"ttl: "1s", expires: "1h","#,
            site: ["claimsd.json5": #"{ guard: { confirm: "1h" } }"#])
        // Held: the upstream has lost most of its records.
        try site.upstream.folder.write("units.json", "[]")
        try refresh(site)
        expect(try check(site, "--unit"), 1, "units: held")
        // Stale: the upstream fails.
        try site.upstream.misbehave("units.json", #"{"fault":"status","status":503}"#)
        try refresh(site)
        var outcome = try check(site, "--unit")
        while !outcome.output.contains("stale") { outcome = try check(site, "--unit") }
        expect(outcome, 1, "units: stale")
        #expect(outcome.output.contains("the server answered 503"))
        // Abandoned: data of before, and no source any more.
        try site.daemon.configure("collections.d/units.json5", "{}")
        try site.daemon.reload()
        expect(try check(site, "--unit"), 1, "units: abandoned")
        expect(try check(site), 1, "units: abandoned")
        // Unconfigured: unknown if it is named, else nothing to speak of.
        expect(try check(site, "--claim"), 3, "claims: unconfigured")
        #expect(!(try check(site).output.contains("claims: ")))
    }

    @Test func `expired and withheld are critical, and so is a first fetch that failed`() throws {
        let site = try Site(["units": Site.units], source: #"ttl: "100ms", expires: "200ms", withhold: "3s","#)
        var outcome = try check(site, "--unit")
        while !outcome.output.contains("expired") { outcome = try check(site, "--unit") }
        expect(outcome, 2, "units: expired")
        while !outcome.output.contains("withheld") { outcome = try check(site, "--unit", "-w", "10") }
        // Without data nothing is counted.
        expect(outcome, 2, "units: withheld")
        #expect(!outcome.output.contains("matches"))
        let upstream = try UpstreamProcess(["units.json": "not JSON"])
        let failing = try DaemonProcess(
            site: ["collections.d/units.json5": Site.definition(upstream.url("units.json"))])
        try failing.start()
        _ = try failing.connect().request("refresh", #"{"collection":"units","wait":true}"#)
        let failed = try ControlProgram.run(["check", "--unit"], socket: failing.socket)
        expect(failed, 2, "units: failed")
    }

    @Test func `a first fetch under way is a warning`() throws {
        let upstream = try UpstreamProcess(["units.json": Site.units])
        try upstream.misbehave("units.json", #"{"fault":"hang"}"#)
        let daemon = try DaemonProcess(
            site: ["collections.d/units.json5": Site.definition(upstream.url("units.json"))])
        try daemon.start()
        try upstream.requests("units.json", count: 1)
        expect(try ControlProgram.run(["check", "--unit"], socket: daemon.socket), 1, "units: loading")
    }

    @Test func `a refresh that fails while the data is fresh is no alarm, and mistakes in the configuration are`()
        throws
    {
        let site = try Site(["units": Site.units])
        try site.upstream.misbehave("units.json", #"{"fault":"status","status":503}"#)
        try refresh(site)
        let outcome = try check(site, "--unit")
        expect(outcome, 0, "units: ok")
        #expect(outcome.output.contains("\nunits: ok") && outcome.output.contains("the server answered 503"))
        try site.daemon.configure("collections.d/claims.json5", "{ titel: 'x' }")
        _ = try? site.daemon.reload()
        var whole = try check(site)
        while !whole.output.contains("mistake") { whole = try check(site) }
        expect(whole, 1, "the configuration has 1 mistake")
        expect(try check(site, "--unit"), 0, "units: ok")
    }

    @Test(
        arguments: [
            ("waiting", 0, "2 collections are ok"), ("running", 0, "2 collections are ok"),
            ("retrying", 1, "trigger mine: retrying"), ("away", 1, "trigger mine: away"),
            ("failing", 2, "trigger mine: failing"), ("refused", 2, "trigger mine: refused"),
            ("too_many", 2, "trigger mine: too many"),
        ] as [(String, Int32, String)])
    func `triggers that run are judged by what they tell of themselves`(
        _ state: String, _ code: Int32, _ beginning: String
    ) throws {
        let site = try Site(["units": Site.units])
        let triggers = try TriggerFolder()
        try triggers.folder.write("config/triggers.d/mine.json5", TriggerFolder.sound)
        try triggers.tell(state, of: "mine")
        let outcome = try ControlProgram.run(["check"] + triggers.options, socket: site.daemon.socket)
        expect(outcome, code, beginning)
        #expect(outcome.output.contains("\ntrigger mine: "))
        // A check of one collection is about that.
        expect(try ControlProgram.run(["check", "--unit"], socket: site.daemon.socket), 0, "units: ok")
    }

    @Test func `a trigger that does not run, or has a wrong file, is critical, and one without a command is none`()
        throws
    {
        let site = try Site(["units": Site.units])
        let triggers = try TriggerFolder()
        try triggers.folder.write("config/triggers.d/idle.json5", #"{ collection: "units" }"#)
        expect(try ControlProgram.run(["check"] + triggers.options, socket: site.daemon.socket), 0, "2 collections")
        try triggers.folder.write("config/triggers.d/mine.json5", TriggerFolder.sound)
        expect(
            try ControlProgram.run(["check"] + triggers.options, socket: site.daemon.socket), 2,
            "trigger mine: stopped")
        try triggers.folder.write("config/triggers.d/mine.json5", #"{ colection: "units" }"#)
        let outcome = try ControlProgram.run(["check"] + triggers.options, socket: site.daemon.socket)
        expect(outcome, 2, "trigger mine: wrong")
        let metrics = try ControlProgram.run(["metrics"] + triggers.options, socket: site.daemon.socket).output
        #expect(metrics.contains("\nclaimsd_trigger_up{trigger=\"mine\"} 0\n") && !metrics.contains("idle"))
        try triggers.folder.write("config/triggers.d/mine.json5", TriggerFolder.sound)
        try triggers.tell("waiting", of: "mine")
        let folder = try TemporaryFolder()
        let away = try ControlProgram.run(
            ["metrics", "--timeout", "50ms"] + triggers.options, socket: folder("none")
        ).output
        for line in [
            "claimsd_up 0", #"claimsd_trigger_up{trigger="mine"} 1"#, #"claimsd_trigger_members{trigger="mine"} 12"#,
            #"claimsd_trigger_told_timestamp_seconds{trigger="mine"} 1763625662"#,
        ] {
            #expect(away.split(separator: "\n").contains { $0 == line }, "\(line): \(away)")
        }
    }

    @Test func `a daemon that is away or silent is critical`() throws {
        let folder = try TemporaryFolder()
        for arguments in [["check"], ["check", "--unit", "status=ok"]] {
            expect(try ControlProgram.run(arguments, socket: folder("none")), 2, "the daemon cannot be reached")
        }
        let listener = try UnixSocket.listen(path: folder("socket"))
        expect(
            try ControlProgram.run(["check", "--timeout", "200ms"], socket: folder("socket")), 2, "no answer within")
        #expect(listener.raw >= 0)
        let site = try Site(["units": Site.units])
        site.daemon.kill()
        expect(try check(site), 2, "")
        try site.daemon.start()
        expect(try check(site), 0, "")
    }

    @Test(arguments: [
        ["--unit", "statsu=ok"], ["--gadget"], ["--unit", "-w", "ten"], ["--unit", "-c", "10:5"], ["status=ok"],
        ["-w", "5"], ["--view", "attention"], ["--unit", "--view", "none"], ["--foo=1"], ["--unit", "-w"],
        ["--timeout", "soon"], ["--limit", "5"], ["--unit", "(("],
    ])
    func `any other mistake is unknown, on the first line of standard output`(_ arguments: [String]) throws {
        let site = try Site(["units": Site.units])
        let outcome = try ControlProgram.run(["check"] + arguments, socket: site.daemon.socket)
        expect(outcome, 3, "")
        #expect(outcome.output.split(separator: "\n").count == 1 && outcome.error == "", "\(outcome)")
    }

    @Test func `a socket that may not be opened, and an answer that is none, are unknown`() throws {
        let garbage = try ScriptedDaemon { _ in .lines(["garbage"]) }
        expect(try ControlProgram.run(["check"], socket: garbage.path), 3, "")
        let broken = try ScriptedDaemon { .lines([$0.error("internal", "broken")]) }
        expect(try ControlProgram.run(["check"], socket: broken.path), 2, "broken")
        let busy = try ScriptedDaemon { .lines([$0.error("busy", "too busy")]) }
        expect(try ControlProgram.run(["check"], socket: busy.path), 3, "too busy")
    }

    @Test func `with JSON an error is one object with the exit code of plug-ins`() throws {
        let site = try Site(["units": Site.units])
        let outcome = try check(site, "-o", "json")
        #expect(outcome.code == 3 && outcome.output == "")
        #expect(try JSONValue.parse(outcome.error).at("error", "exit_code")?.integer == 3)
        // The variable is about data.
        let asked = try ControlProgram.run(
            ["check"], socket: site.daemon.socket, environment: ["CLAIMSCTL_OUTPUT": "json"])
        expect(asked, 0, "2 collections")
        let mistaken = try ControlProgram.run(
            ["check"], socket: site.daemon.socket, environment: ["CLAIMSCTL_OUTPUT": "yaml"])
        expect(mistaken, 3, "")
    }
}

/// Files of triggers, and of what running triggers tell of themselves.
private struct TriggerFolder {
    let folder: TemporaryFolder

    static let sound = #"{ collection: "units", command: ["/bin/true"] }"#

    init() throws {
        folder = try TemporaryFolder()
        try Directory.create(folder("data"))
    }

    var options: [String] {
        ["--config-dir", folder("config"), "--data-dir", folder("data"), "--run-dir", folder("run")]
    }

    /// Writes what a trigger tells that this process runs.
    func tell(_ state: String, of name: String) throws {
        let started = try #require(ProcessState(getpid())?.startTime)
        try folder.write(
            "run/\(name)/status.json",
            """
            {"trigger":"\(name)","pid":\(getpid()),"pid_started":\(started),"state":"\(state)","members":12,
             "last_told":"2025-11-20T08:01:02.000Z"}
            """)
    }
}
