// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import ClaimsPlatform
import ClaimsTerminal
import ClaimsTestSupport
@testable import ClaimsTriggers
import Glibc
import Testing

struct TriggerFilesTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private var folders: TriggerFolders {
        var options = ActingOptions()
        options.configDirectory = folder("config")
        options.dataDirectory = folder("data")
        options.runDirectory = folder("run")
        return TriggerFolders(options, environment: { _ in nil })
    }

    private func problems(_ text: String, name: String = "t") throws -> [String] {
        try folder.write("data/triggers.d/\(name).json5", text)
        defer { Files.remove(folder("data/triggers.d/\(name).json5")) }
        let file = try #require(TriggerFiles(folders).file(of: name))
        return file.problems.map { String($0.description.dropFirst(folder("data/triggers.d/").utf8.count)) }
    }

    @Test func `the site's file is merged over the shipped one, and null takes a key back`() throws {
        try folder.write(
            "data/triggers.d/docs.json5", "{ collection: \"docs\", view: \"due\", first: \"all\", at: \"08:00\" }")
        try folder.write(
            "config/triggers.d/docs.json5",
            "{ at: null, every: \"10min\", command: [\"/bin/mail\", \"a@b\"], fields: [\"title\"], }")
        let trigger = try #require(TriggerFiles(folders).file(of: "docs")?.value)
        #expect(trigger.collection == "docs" && trigger.view == "due" && trigger.first == .all)
        #expect(trigger.pace == .every(.seconds(600)) && trigger.fields == ["title"])
        #expect(trigger.command == ["/bin/mail", "a@b"] && trigger.timeout == .seconds(300))
        #expect(trigger.events == [.added] && trigger.archived == .exclude)
    }

    @Test(arguments: [
        ("{ }", "t.json5:1:1: collection: missing; expected the name of a collection"),
        ("{ collection: 7 }", "t.json5:1:15: collection: expected the name of a collection, found 7"),
        ("{ collection: \"c\", evnts: [] }", "t.json5:1:20: evnts: unknown key 'evnts'; did you mean 'events'?"),
        (
            "{ collection: \"c\", events: [\"aded\"] }",
            "t.json5:1:29: events[0]: 'aded' is not one of added, updated, removed, state; did you mean 'added'?"
        ),
        ("{ collection: \"c\", first: \"some\" }", "t.json5:1:27: first: expected one of skip, all, found 'some'"),
        (
            "{ collection: \"c\", at: \"8:00\" }",
            "t.json5:1:24: at: expected a time from \"00:00\" to \"23:59\", found '8:00'"
        ),
        (
            "{ collection: \"c\", at: \"08:00\", every: \"1h\" }",
            "t.json5:1:40: every: 'every' and 'at' exclude each other; null takes one of them back"
        ),
        (
            "{ collection: \"c\", every: \"31d\" }",
            "t.json5:1:27: every: expected a span of time from 0 to 30d, found '31d'"
        ),
        (
            "{ collection: \"c\", command: [\"mail\"] }",
            "t.json5:1:30: command[0]: expected the absolute path of a program, found 'mail'"
        ),
        ("{ collection: \"c\", command: [] }", "t.json5:1:29: command: expected an array of a program"),
        ("{ collection: \"c\", timeout: \"2h\" }", "t.json5:1:29: timeout: expected a span of time from 1s to"),
        (
            "{ collection: \"c\", time_zone: \"Europe/Warszawa\" }",
            "t.json5:1:31: time_zone: unknown time zone 'Europe/Warszawa'; expected an IANA name, such as"
        ),
        ("{ collection: \"c\"", "t.json5:1:18: "),
    ]) func `a mistake is told with its place and what was expected`(text: String, expected: String) throws {
        let found = try problems(text)
        #expect(found.first?.hasPrefix(expected) == true, "\(found)")
    }

    @Test func `names are those that a unit can have`() throws {
        for name in ["Docs", "a_b", String(repeating: "a", count: 24), "test", "9a"] {
            #expect(try problems("{ collection: \"c\" }", name: name).count == 1, "\(name)")
        }
        for name in ["a", "documents-expiring", String(repeating: "a", count: 23)] {
            #expect(try problems("{ collection: \"c\" }", name: name).isEmpty, "\(name)")
        }
    }

    @Test func `a report says whether a process of this status runs`() throws {
        try folder.write("data/triggers.d/bare.json5", "{ collection: \"c\" }")
        try folder.write("data/triggers.d/own.json5", "{ collection: \"c\", command: [\"/bin/true\"] }")
        try folder.write("config/triggers.d/wrong.json5", "{ collection: 1 }")
        func words() -> [String] {
            TriggerReport.all(folders).map { "\($0.name) \($0.condition.word) \($0.condition.isUp)" }
        }
        #expect(words() == ["own stopped false", "wrong wrong false"])
        var status = TriggerStatus(.failing)
        status.members = 12
        status.lastExit = .signal(9)
        status.nextTry = 1_795_000_000_000
        let started = try #require(ProcessState(getpid())?.startTime)
        try folder.write("run/own/status.json", status.json(trigger: "own", pid: getpid(), started: started))
        #expect(words() == ["own failing false", "wrong wrong false"])
        #expect(TriggerReport.all(folders).first?.status == status)
        // Another process has the id now.
        try folder.write("run/own/status.json", status.json(trigger: "own", pid: getpid(), started: started + 1))
        #expect(words() == ["own stopped false", "wrong wrong false"])
    }
}
