// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsPlatform
import ClaimsTestSupport
import Testing

/// Conversations with `claimsctl browse --plain`, over a real daemon and through real pipes.
@Suite struct PlainBrowseTests {
    /// The lines that a script is answered with.
    private static func answers(
        to script: [String], _ daemon: DaemonProcess, _ arguments: [String], environment: [String: String] = [:]
    ) throws -> [String] {
        let outcome = try ControlProgram.run(
            ["browse", "--plain"] + arguments, socket: daemon.socket, environment: environment,
            input: script.map { $0 + "\n" }.joined())
        #expect(outcome.code == 0)
        #expect(outcome.error == "")
        #expect(!outcome.output.unicodeScalars.contains { $0 == "\u{1B}" || $0 == "\r" })
        return outcome.output.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }

    @Test func `a script lists, searches, filters, sorts and opens, and is answered in its order`() throws {
        let site = try Site()
        let lines = try Self.answers(
            to: [
                "/pump", "1", "/", "f status=faulty", "f statsu=1", "f", "s -name", "nonsense", "c packs", "c nothing",
            ],
            site.daemon, ["--unit"])
        let text = lines.joined(separator: "\n")
        var rest = text[...]
        for expected in [
            "Units: 7\n", "1 to 7 of 7. That is the end of the list.\n", "Units: 2; search pump\n", "1. Pump north; ",
            "1 to 2 of 2.", "Pump north\n", "Units: 7\n", "Units: 1; filter status=faulty\n", "1. Pump south; ",
            "statsu", "Units: 7\n", "Units: 7; sorted by -name\n", "1. ", "'nonsense' means nothing here.", "Packs: ",
            "There is no 'nothing'. There is: ",
        ] {
            guard let range = rest.firstRange(of: expected) else {
                Issue.record("no \(expected) in order in:\n\(text)")
                return
            }
            rest = rest[range.upperBound...]
        }
    }

    @Test func `a reader that goes ends the conversation, however much is typed ahead`() throws {
        let site = try Site()
        let outcome = try ControlProgram.run(
            "/bin/sh",
            ["-c", #"(yes '' | "$0" browse --unit --plain; echo $? >&2) | head -n 1"#, BuiltProgram.path("claimsctl")],
            environment: ["CLAIMSD_SOCKET": site.daemon.socket])
        #expect(outcome.output == "Units: 7\n")
        #expect(outcome.error == "0\n")
    }

    @Test func `records go into the archive and come back, by number and by undo`() throws {
        let site = try Site()
        let lines = try Self.answers(
            to: ["a 1 2", "u", "u", "a 1", "g", "t only", "a 1", "a 99", "a"], site.daemon, ["--pack", "--lang", "en"])
        let starts = ["Archived: ", "Out of the archive: ", "Nothing was archived", "There is no"]
        let told = lines.filter { line in starts.contains { line.hasPrefix($0) } }
        try #require(told.count == 6, "\(lines)")
        #expect(told[0].hasPrefix("Archived: ") && told[0].hasSuffix(". u undoes."))
        // An undone archiving is not undone again.
        #expect(told[1].hasPrefix("Out of the archive: ") && !told[1].hasSuffix("u undoes."))
        #expect(told[2] == "Nothing was archived here that could be undone.")
        #expect(told[3].hasPrefix("Archived: "))
        #expect(told[4] == told[3].replacing("Archived", with: "Out of the archive"))
        #expect(told[5] == "There is no 99 here.")
        #expect(lines.contains("Which one? Write its number, as in a 3."))
    }

    @Test func `the id of a record is found where no text has it, and is number 1`() throws {
        let site = try Site()
        let id = "1234567890123456789012345"
        let lines = try Self.answers(to: ["/\(id)", "y 1"], site.daemon, ["--pack", "--lang", "pl"])
        let told = try #require(lines.firstIndex(of: "„\(id)” to identyfikator rekordu:"), "\(lines)")
        #expect(lines[told + 1].hasPrefix("1. Księgarnia; "))
        #expect(lines.dropLast().last == id)
    }

    @Test func `it speaks Polish, in forms and lists alike`() throws {
        let site = try Site()
        let lines = try Self.answers(to: ["/nic takiego", "u", "?", "xyz"], site.daemon, ["--unit", "--lang", "pl"])
        #expect(lines.contains { $0.hasSuffix(": 0; szukane: nic takiego") })
        #expect(lines.contains { $0.hasSuffix(": bez archiwum (archive: false)") })
        #expect(lines.contains("Enter: następna strona"))
        #expect(lines.contains { $0.hasPrefix("„xyz” nic tu nie znaczy.") })
    }

    @Test func `a record is added, changed and deleted field by field`() throws {
        let site = try WritingSite()
        let lines = try Self.answers(
            to: ["n", "three", "y", "g", "e 1", "uno", "y", "e 1", "", "x 3", "1", "y", "c outbox"], site.daemon,
            ["--collection", "docs"])
        #expect(lines.contains { $0.hasPrefix("Added: ") })
        #expect(lines.contains { $0.hasPrefix("Changed ") })
        #expect(lines.contains("Nothing differs."))
        #expect(lines.contains { $0.hasPrefix("deleted docs 2; ") }, "\(lines)")
        #expect(lines.contains { $0.hasPrefix("Outbox: ") } || lines.contains("Nothing waits to be sent."))
    }

    @Test func `a value is checked as it is given, and the daemon's reason told`() throws {
        let site = try WritingSite(more: "")
        let lines = try Self.answers(
            to: ["n", String(repeating: "long ", count: 2000), "three", "y"], site.daemon, ["--collection", "docs"])
        let refused = try #require(lines.firstIndex { $0.contains("4096") || $0.contains("4,096") }, "\(lines)")
        let submitted = try #require(lines.firstIndex { $0.hasPrefix("Added: ") }, "\(lines)")
        #expect(refused < submitted)
        #expect(lines.filter { $0 == "title (at most 4,096 characters):" }.count == 2, "\(lines)")
    }

    @Test func `a question into a pipe is a whole line, so that a program can answer it`() throws {
        let site = try WritingSite()
        let program = try RunningProgram(
            "claimsctl", ["browse", "--plain", "--collection", "docs"],
            environment: BuiltProgram.environment(["CLAIMSD_SOCKET": site.daemon.socket]))
        try Self.read(program, until: "1 to 2 of 2. That is the end of the list.")
        try program.write("n\n")
        try Self.read(program, until: nil, prefix: "title")
        try program.write("three\n")
        try Self.read(program, until: nil, prefix: "Submit? ")
        try program.write("n\nx 1\n")
        try Self.read(program, until: nil, prefix: "Number (Enter: none)")
        try program.write("1\n")
        try Self.read(program, until: nil, prefix: "Delete 1 ")
        try program.write("n\nq\n")
        #expect(try program.hasEnded(within: .seconds(30)))
    }

    @Test func `a record is shared into a folder, and one is never written over another`() throws {
        let site = try WritingSite()
        let folder = try TemporaryFolder()
        let lines = try Self.answers(
            to: ["x 1", "2", folder.path, "x 1", "2", "'\(folder.path)'", "x 1", "2", ""], site.daemon,
            ["--collection", "docs"])
        #expect(lines.contains("2. Share: the record and its files, into a folder"))
        #expect(lines.filter { $0 == "shared in \(folder.path)/1" }.count == 1, "\(lines)")
        #expect(lines.contains { $0.hasSuffix(" is there already, and nothing is overwritten") }, "\(lines)")
        #expect(Files.isRegular(folder.path + "/1/record.json"))
    }

    @Test func `a number opens its record from any page that was shown, and operations keep theirs apart`() throws {
        let site = try Site()
        let lines = try Self.answers(
            to: ["", "1", "y 20", "y 1 12 21"], site.daemon, ["--country"])
        #expect(lines.contains("Afghanistan"))
        #expect(lines.contains("There is no 21 here."))
        let writing = try WritingSite()
        let client = try writing.daemon.connect()
        writing.upstream.stop()
        for number in 1...12 {
            _ = try writing.submit(client, #""action":"update","id":"1","fields":{"title":"t\#(number)"}"#)
        }
        let told = try Self.answers(
            to: ["c outbox", "", "y 12", "a 1", "b", "b"], writing.daemon, ["--collection", "docs"])
        #expect(told.contains("1 to 10 of 12. Enter shows more."), "\(told)")
        #expect(told.contains("11 to 12 of 12. That is the end of the list."))
        #expect(told.contains("1"))
        #expect(told.contains("That is for records, and these are operations. b shows the records."))
        #expect(told.filter { $0 == "1 to 2 of 2. That is the end of the list." }.count == 2)
    }

    @Test func `what can be done with a record comes before what cannot, with the reason`() throws {
        let site = try WritingSite(
            more: #"""
                actions: { close: { when: "title=two", url: "http://docs.example/{id}", label: { en: "Close" } } },
                """#)
        let lines = try Self.answers(
            to: ["x 1", "3", "x 2", "", "q"], site.daemon, ["--collection", "docs"])
        let closed = lines.filter { $0.contains("Close") }
        #expect(closed == ["3. (Close: only where title=two)", "2. Close"], "\(lines)")
        #expect(lines.contains("only where title=two"))
    }

    @Test func `a form that ends in the middle of the input submits nothing`() throws {
        let site = try WritingSite()
        let lines = try Self.answers(to: ["n", "three"], site.daemon, ["--collection", "docs"])
        #expect(lines.contains("Nothing was submitted."))
        let answer = try site.daemon.connect().request("count", #"{"collection":"docs"}"#)
        #expect(answer["result"]?["total"] == 2)
    }

    @Test func `changes are told while somebody thinks, and a daemon that goes and returns too`() throws {
        let site = try Site()
        let program = try RunningProgram(
            "claimsctl", ["browse", "--plain", "--unit"],
            environment: BuiltProgram.environment(["CLAIMSD_SOCKET": site.daemon.socket]))
        try Self.read(program, until: "1 to 7 of 7. That is the end of the list.")
        // Changes are told from the clock of the list on, whenever they are made.
        try site.serve("units", Site.units.replacing("Pump north", with: "Pump west"))
        try Self.read(program, until: "! Units: changed 1. g shows it.")
        site.daemon.kill()
        try Self.read(program, until: nil, prefix: "! claimsd does not answer since ")
        try site.daemon.start()
        try Self.read(program, until: "! claimsd answers again.")
        // A daemon that goes while something is typed, and is there again by the next line, costs no answer; the news
        // go on.
        site.daemon.kill()
        try site.daemon.start()
        try program.write("g\n")
        try Self.read(program, until: "1 to 7 of 7. That is the end of the list.")
        try site.serve("units", Site.units.replacing("Pump north", with: "Pump east"))
        try Self.read(program, until: "! Units: changed 1. g shows it.")
        try program.write("q\n")
        #expect(try program.hasEnded(within: .seconds(30)))
    }

    @Test func `what was told before a daemon went is not told again when it returns, nor after a mistake`() throws {
        let site = try Site()
        let program = try RunningProgram(
            "claimsctl", ["browse", "--plain", "--unit"],
            environment: BuiltProgram.environment(["CLAIMSD_SOCKET": site.daemon.socket]))
        try Self.read(program, until: "1 to 7 of 7. That is the end of the list.")
        let west = Site.units.replacing("Pump north", with: "Pump west")
        try site.serve("units", west)
        try Self.read(program, until: "! Units: changed 1. g shows it.")
        site.daemon.kill()
        try Self.read(program, until: nil, prefix: "! claimsd does not answer since ")
        try site.daemon.start()
        try Self.read(program, until: "! claimsd answers again.")
        let more = west.replacing("[{\"id\":\"1\"", with: "[{\"id\":\"8\",\"name\":\"Sluice\"},{\"id\":\"1\"")
        try site.serve("units", more)
        #expect(try program.readLine() == "! Units: new 1. g shows it.")
        // A query that is refused leaves the list, and what was told of it, as they were.
        try program.write("f statsu=1\n")
        try Self.read(program, until: nil, prefix: "claimsctl: ")
        try site.serve("units", more.replacing("Bay door", with: "Back door").replacing("Gate", with: "Grille"))
        var line = try program.readLine()
        while !line.hasPrefix("! ") { line = try program.readLine() }
        #expect(line == "! Units: changed 2. g shows it.")
        try program.write("q\n")
        #expect(try program.hasEnded(within: .seconds(30)))
    }

    private static func read(_ program: RunningProgram, until line: String?, prefix: String = "") throws {
        while true {
            let read = try program.readLine()
            if read == line || line == nil && read.hasPrefix(prefix) { return }
        }
    }

    @Test func `without a daemon it is 4, and formats are refused`() throws {
        let nowhere = try ControlProgram.run(["browse", "--plain"], socket: "/nonexistent/socket")
        #expect(nowhere.code == 4)
        #expect(nowhere.output == "")
        #expect(try ControlProgram.run(["browse", "--plain", "-o", "json"], socket: "/nonexistent/socket").code == 2)
    }
}
