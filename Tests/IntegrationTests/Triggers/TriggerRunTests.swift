// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsPlatform
import ClaimsTestSupport
import Glibc
import Testing

/// `trigger run` as a process, against a real daemon; its commands are real, and so are the signals.
@Suite struct TriggerRunTests {
    private static let all = "events: [\"added\", \"updated\", \"removed\", \"state\"]"

    @Test func `each change is told once, and a restart tells nothing`() throws {
        let site = try TriggerSite("\(Self.all), first: \"all\"", units: ["1": "ok", "2": "ok"])
        try site.start()
        let first = try site.nextRun()
        #expect(try first.entries == ["added 1", "added 2"] && first.count == 2 && first.attempt == 1)
        let heading = try first.heading
        #expect(heading["trigger"]?.string == "watch" && heading["batch"]?.string == first.batch)
        #expect(heading["added"]?.integer == 2 && heading["condition"]?.string == "ok")
        #expect(heading["meta"]?["collection"]?.string == "units" && heading["fresh_instance"]?.string == "start")
        _ = try site.waitForState("waiting")

        try site.serve(["1": "faulty", "3": "ok"])
        #expect(try site.nextRun().entries == ["added 3", "updated 1", "removed 2"])
        _ = try site.waitForState("waiting")
        #expect(try site.stop() == 0)
        try site.start()
        try site.site.daemon.stop()
        try site.site.daemon.start()
        try site.serve(["1": "faulty", "3": "faulty"])
        #expect(try site.nextRun().entries == ["updated 3"])
        #expect(Files.permissions(site.state) == 0o700)
    }

    @Test
    func `a batch is repeated with the same bytes and id until its command ends with 0, and news is the next one's`()
        throws
    {
        let site = try TriggerSite("\(Self.all)", units: ["1": "ok"])
        try site.start()
        _ = try site.waitForState("waiting")
        try site.order("7")
        try site.serve(["1": "faulty"])
        let first = try site.nextRun()
        let status = try site.waitForState("retrying")
        #expect(status["last_exit"]?.string == "exit 7" && status["batch"]?.string == first.batch)
        try site.serve(["1": "not_reachable"])
        let second = try site.nextRun()
        #expect(second.batch == first.batch && second.lines == first.lines && second.attempt == 2)
        // A new start counts attempts from 1.
        site.kill()
        try site.order("0")
        try site.start()
        let third = try site.nextRun()
        #expect(third.batch == first.batch && third.lines == first.lines && third.attempt == 1)
        let news = try site.nextRun()
        #expect(try news.batch != first.batch && news.entries == ["updated 1"])
    }

    @Test func `a command that cannot be started, is ended by a signal or takes too long has failed`() throws {
        let site = try TriggerSite("first: \"all\", timeout: \"1s\"", units: ["1": "ok"])
        try site.order("hold")
        try site.start()
        let first = try site.nextRun()
        #expect(try site.waitForState("retrying")["last_exit"]?.string == "timeout")
        site.kill()
        try site.folder.write(
            "config/triggers.d/watch.json5",
            "{ collection: \"units\", command: [\"/nonexistent\"], first: \"all\" }")
        try site.start()
        #expect(try site.waitForState("retrying")["last_exit"]?.string == "errno \(ENOENT)")
        site.kill()
        try site.write("first: \"all\"")
        try site.order("0")
        try site.start()
        #expect(try site.nextRun().batch == first.batch)
    }

    @Test(arguments: 0..<3) func `whatever is killed at any moment, all is told, and no batch lies`(_ seed: Int) throws
    {
        var random = SeededGenerator(seed: UInt64(seed))
        var units = ["1": "ok"]
        let site = try TriggerSite("\(Self.all), first: \"all\"", units: units)
        try site.start()
        var held = HeldSet()
        for _ in 0..<6 {
            let id = "\(Int.random(in: 1...4, using: &random))"
            if random.oneIn(4), units.count > 1 {
                units[id] = nil
            } else {
                units[id] = random.pick(["ok", "faulty", "not_reachable"])
            }
            if units.isEmpty { units["9"] = "ok" }
            switch Int.random(in: 0..<6, using: &random) {
            case 0:
                site.site.daemon.kill()
                // A lost state.db begins a new epoch.
                if random.oneIn(2) { try Directory.remove(site.site.daemon.folder("state")) }
                try site.site.daemon.start()
            case 1: try site.order(random.pick(["1", "0"]))
            case 2:
                site.kill()
                while let run = try site.run(within: .zero) { try held.apply(run) }
                try site.start()
            default: break
            }
            try site.serve(units, #","accept":true"#)
            let time = Duration.milliseconds(Int.random(in: 0...2200, using: &random))
            if let run = try site.run(within: time) { try held.apply(run) }
        }
        try site.order("0")
        // The last change ends it: whoever knows it has been told of all before.
        units["end"] = "ok"
        try site.serve(units, #","accept":true"#)
        while held.units["end"] == nil { try held.apply(site.nextRun()) }
        #expect(held.units == units, "seed \(seed): \(site.log)")
    }

    @Test func `an upstream that empties and returns, a restart and a lost epoch tell nothing`() throws {
        let site = try TriggerSite(
            "events: [\"added\", \"updated\", \"removed\"]",
            units: ["1": "ok", "2": "ok", "3": "faulty"])
        try site.start()
        _ = try site.waitForState("waiting")
        // Held by the guard.
        try site.serve([:])
        try site.serve(["1": "ok", "2": "ok", "3": "faulty"])
        site.site.daemon.kill()
        for name in ["state", "cache"] { try Directory.remove(site.site.daemon.folder(name)) }
        _ = try site.waitForState("away")
        try site.site.daemon.start()
        try site.serve(["1": "ok", "2": "ok", "3": "faulty"])
        _ = try site.waitForState("waiting")
        try site.serve(["1": "ok", "2": "ok", "3": "faulty", "4": "ok"])
        #expect(try site.nextRun().entries == ["added 4"])
    }

    @Test func `what comes and goes while the trigger is off is told exactly, also over a lost state`() throws {
        let site = try TriggerSite("\(Self.all)", units: ["1": "ok", "2": "ok"])
        try site.start()
        _ = try site.waitForState("waiting")
        #expect(try site.stop() == 0)
        try site.serve(["1": "faulty", "2": "ok", "3": "ok"], #","accept":true"#)
        try site.serve(["1": "faulty", "3": "ok"], #","accept":true"#)
        try site.site.daemon.stop()
        try Directory.remove(site.site.daemon.folder("state"))
        try site.site.daemon.start()
        try site.serve(["1": "faulty", "3": "ok"])
        try site.start()
        let run = try site.nextRun()
        #expect(try run.entries == ["added 3", "updated 1", "removed 2"])
        #expect(try run.heading["fresh_instance"]?.string != nil)
        #expect(!run.lines.dropFirst().contains { $0.contains("\"seq\"") || $0.contains("\"was\"") })
    }

    @Test func `another condition is told, and data that is not there makes no removals`() throws {
        let site = try TriggerSite("\(Self.all)", units: ["1": "ok", "2": "ok", "3": "ok"])
        try site.start()
        _ = try site.waitForState("waiting")
        try site.serve([:])
        let run = try site.nextRun()
        #expect(try run.entries == ["state ok held"] && run.heading["condition"]?.string == "held")
        try site.serve(["1": "ok", "2": "ok", "3": "ok"])
        #expect(try site.nextRun().entries == ["state held ok"])
    }

    @Test func `SIGTERM lets a command end, and its exit 0 counts`() throws {
        let site = try TriggerSite("first: \"all\"", units: ["1": "ok"])
        try site.order("hold")
        try site.start()
        _ = try site.nextRun()
        site.runner?.signal(SIGTERM)
        try site.answer(0)
        #expect(try site.end() == 0)
        try site.order("0")
        try site.start()
        _ = try site.waitForState("waiting")
        try site.serve(["1": "ok", "2": "ok"])
        #expect(try site.nextRun().entries == ["added 2"])
    }

    @Test func `a second runner is refused, and skip takes a batch as told while none runs`() throws {
        let site = try TriggerSite("first: \"all\"", units: ["1": "ok"])
        #expect(try site.claimsctl("trigger", "skip", "watch").code == 3)
        try site.order("hold")
        try site.start()
        let run = try site.nextRun()
        let second = try site.claimsctl("trigger", "run", "watch")
        #expect(second.code == 9 && second.error.contains("\(site.pid)"), "\(second)")
        #expect(try site.claimsctl("trigger", "skip", "watch").code == 9)
        site.kill()
        let skipped = try site.claimsctl("trigger", "skip", "watch")
        #expect(skipped.code == 0 && skipped.output.contains(run.batch), "\(skipped)")
        #expect(try site.claimsctl("trigger", "skip", "watch").code == 3)
        try site.order("0")
        try site.start()
        _ = try site.waitForState("waiting")
        try site.serve(["1": "ok", "2": "ok"])
        #expect(try site.nextRun().entries == ["added 2"])
    }

    @Test func `a file that is wrong, or has no command, ends a start with 2`() throws {
        let site = try TriggerSite(units: ["1": "ok"])
        try site.folder.write(
            "config/triggers.d/wrong.json5", "{\n  collection: \"units\",\n  evnts: [\"added\"],\n}\n")
        let wrong = try site.claimsctl("trigger", "run", "wrong")
        #expect(
            wrong.code == 2
                && wrong.error.contains("wrong.json5:3:3: evnts: unknown key 'evnts'; did you mean 'events'?"),
            "\(wrong)")
        try site.folder.write("data/triggers.d/bare.json5", "{ collection: \"units\" }")
        let bare = try site.claimsctl("trigger", "run", "bare")
        #expect(bare.code == 2 && bare.error.contains("config/triggers.d/bare.json5"), "\(bare)")
        let list = try site.claimsctl("trigger", "-o", "json")
        let triggers = try JSONValue.parse(Array(list.output.utf8))["triggers"]?.array
        #expect(
            triggers?.map { "\($0["name"]?.string ?? "") \($0["state"]?.string ?? "")" } == [
                "watch stopped", "wrong wrong",
            ])
        let table = try site.claimsctl("trigger", "-o", "table").output
        #expect(table.contains("systemctl enable --now claimsd-trigger@watch"), "\(table)")
    }

    @Test func `what the daemon refuses is told, and asked again`() throws {
        let site = try TriggerSite("view: \"attenton\"", units: ["1": "ok"])
        try site.start()
        let status = try site.waitForState("refused")
        #expect(status["problem"]?.string?.contains("attenton") == true)
        #expect(site.log.contains("attenton"))
        #expect(try site.claimsctl("trigger", "-o", "json").output.contains(#""state":"refused","up":false"#))
    }

    @Test func `test prints what a cut would tell, and changes nothing`() throws {
        let site = try TriggerSite("\(Self.all)", units: ["1": "ok"])
        let before = try site.claimsctl("trigger", "test", "watch")
        #expect(before.code == 0 && before.error.contains("first run"), "\(before)")
        #expect(!Files.exists(site.state))
        try site.start()
        _ = try site.waitForState("waiting")
        #expect(try site.stop() == 0)
        try site.serve(["1": "faulty", "2": "ok"])
        let outcome = try site.claimsctl("trigger", "test", "watch")
        let lines = outcome.output.split(separator: "\n")
        #expect(
            lines.count == 3 && lines[0].contains(#""test":true"#) && lines[1].contains(#""op":"added","id":"2""#),
            "\(outcome)")
        #expect(
            try site.claimsctl("trigger", "test", "watch").output.split(separator: "\n").dropFirst()
                == lines.dropFirst())
        try site.start()
        #expect(try site.nextRun().entries == ["added 2", "updated 1"])
    }

    @Test func `text makes a notice that people understand, and a message that the same batch makes again`() throws {
        let site = try TriggerSite("\(Self.all), first: \"all\"", units: ["1": "ok"])
        let batch = try site.claimsctl("trigger", "test", "watch").output
        let text = try site.claimsctl("trigger", "text", "--lang", "pl", input: batch)
        #expect(text.output.hasPrefix("[próba] Jednostki: nowe: 1\n\n") || text.output.hasPrefix("[próba] "), "\(text)")
        #expect(text.output.contains("* 1\n") && text.output.contains("Nowe (1):"), "\(text)")
        let mail = try site.claimsctl(
            "trigger", "text", "--mail", "claimsd@example.org", "clerk@example.org", input: batch)
        #expect(
            mail.output.contains("To: clerk@example.org\r\n") && mail.output.contains("@example.org>\r\n"), "\(mail)")
        let again = try site.claimsctl(
            "trigger", "text", "--mail", "claimsd@example.org", "clerk@example.org", input: batch)
        #expect(again.output.prefix { $0 != "\r\n" } == mail.output.prefix { $0 != "\r\n" })
        let bad = try site.claimsctl(
            "trigger", "text", "--mail", "claimsd@example.org", "a@b\r\nBcc: c@d", input: batch)
        #expect(bad.code == 2 && bad.output.isEmpty)
        #expect(try site.claimsctl("trigger", "text", input: "hello\n").code == 8)
        try site.site.daemon.stop()
        #expect(try site.claimsctl("trigger", "text", input: batch).code == 4)
    }

    @Test func `a full disk tells nothing, and all once there is room`() throws {
        guard geteuid() == 0, SystemdMachine.obstacle == nil else { return }
        let site = try TriggerSite("\(Self.all)", units: ["1": "ok"])
        try Directory.create(site.folder("state"))
        try site.startOnSmallDisk(kibibytes: 512)
        _ = try site.waitForState("waiting")
        try site.fillDisk()
        try site.serve(["1": "faulty"])
        let status = try site.waitForState("retrying")
        #expect(status["problem"]?.string?.contains("No space left") == true, "\(status)")
        try site.emptyDisk()
        #expect(try site.nextRun().entries == ["updated 1"])
        // Between the end of the command and the commit.
        try site.order("hold")
        // The data to be committed does not fit into the page that `told` ends in.
        let many = Dictionary(uniqueKeysWithValues: (1...400).map { ("\($0)", "ok") })
        try site.serve(many)
        let run = try site.nextRun()
        try site.fillDisk()
        try site.answer(0)
        _ = try site.waitForState("retrying")
        try site.emptyDisk()
        _ = try site.waitForState("waiting")
        try site.order("0")
        try site.serve(many.merging(["1": "not_reachable"]) { $1 })
        let next = try site.nextRun()
        #expect(try next.entries == ["updated 1"])
        #expect(next.batch != run.batch && next.attempt == 1)
    }
}

/// A set that follows batches, and objects to one that does not fit.
private struct HeldSet {
    private(set) var units: [String: String] = [:]
    /// The batches that were applied, with their lines.
    private var known: [String: [String]] = [:]

    mutating func apply(_ run: TriggerSite.Run) throws {
        if let lines = known[run.batch] {
            guard lines == run.lines else { throw TestFailure("\(run.batch) has other bytes now") }
            return
        }
        known[run.batch] = run.lines
        for line in run.lines.dropFirst() {
            let entry = try JSONValue.parse(Array(line.utf8))
            let id = entry["id"]?.string ?? ""
            let status = entry["record"]?["status"]?.string
            switch entry["op"]?.string {
            case "added":
                guard units[id] == nil else { throw TestFailure("\(id) was there: \(run.lines)") }
                units[id] = status
            case "updated":
                guard let old = units[id], old != status else { throw TestFailure("\(id) is as it was: \(run.lines)") }
                units[id] = status
            case "removed":
                guard units.removeValue(forKey: id) != nil else {
                    throw TestFailure("\(id) was not there: \(run.lines)")
                }
            case "state": continue
            default: throw TestFailure("\(line)")
            }
        }
    }
}

extension TriggerSite {
    /// Starts the trigger with its state on a file system of its own, which is soon full.
    fileprivate func startOnSmallDisk(kibibytes: Int) throws {
        try start(through: ["mount -t tmpfs -o size=\(kibibytes)k tmpfs '\(folder("state"))'"])
    }

    private var disk: String { "/proc/\(pid)/root\(folder("state"))" }

    fileprivate func fillDisk() throws {
        let file = try FileDescriptor.open(Paths.join(disk, "ballast"), .replace(permissions: 0o600))
        let block = [UInt8](repeating: 1, count: 1024)
        while (try? file.write(block)) != nil {}
    }

    fileprivate func emptyDisk() throws {
        guard Files.remove(Paths.join(disk, "ballast")) else { throw TestFailure("no ballast") }
    }
}
