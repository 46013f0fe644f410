// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsTestSupport
import Testing

@testable import ClaimsTerminal

@Suite struct ForgetCommandTests {
    private func daemon() throws -> ScriptedDaemon {
        try ScriptedDaemon.answering([
            "status": """
            {"version":"1","clock":"1.2","collections":[],"drift":{},
             "removed":[{"collection":"books","records":1234,"until":"2026-12-22T08:13:00.000Z"}]}
            """.split(separator: "\n").joined(),
            "forget": #"{"records":1234,"clock":"1.2"}"#,
        ])
    }

    @Test(arguments: ["y", "yes", "Y"]) func `a yes on the terminal erases`(answer: String) throws {
        let daemon = try daemon()
        let run = Run(["forget", "--collection", "books"], daemon, terminal: 80, typed: [answer])
        #expect(run.code == .done && run.output == "erased books, with 1,234 records\n")
        let question =
            "Erase books, with 1,234 records, its archive marks and its history?\n  Nothing brings them back. [y/N] "
        #expect(run.errors == question)
        #expect(daemon.parameters(of: "forget") == [#"{"collection":"books"}"#])
    }

    @Test(arguments: [[""], ["n"], ["yep"], []]) func `anything else does not`(typed: [String]) throws {
        let daemon = try daemon()
        let run = Run(["forget", "--collection", "books"], daemon, terminal: 80, typed: typed)
        #expect(run.code == .failure && run.errors.contains("nothing was erased"), "\(run)")
        #expect(daemon.parameters(of: "forget").isEmpty)
    }

    @Test func `with a yes on the line it does not ask`() throws {
        let daemon = try daemon()
        let run = Run(["forget", "--collection", "books", "--yes", "-o", "tsv"], daemon)
        #expect(run.code == .done && run.output == "collection\trecords\nbooks\t1234\n" && run.errors.isEmpty, "\(run)")
        #expect(daemon.parameters(of: "status").isEmpty)
    }

    @Test(arguments: [
        ["forget"], ["forget", "--collection", "books"], ["forget", "--collection", "books", "7", "--yes"],
    ]) func `without a collection or a terminal, or with terms, it is a usage error`(arguments: [String]) throws {
        let daemon = try daemon()
        let run = Run(arguments, daemon)
        #expect(run.code == .usage, "\(run)")
        #expect(daemon.parameters(of: "forget").isEmpty)
    }

    @Test func `status lists what was removed, until when it is kept, and how to erase it`() throws {
        let run = Run(["status", "--color", "never"], try daemon(), terminal: 100)
        #expect(run.output.contains("books: its definition was removed; 1,234 records kept until 2026-12-22 08:13\n"))
        #expect(run.output.contains("  to erase it now: claimsctl forget --collection books\n"), "\(run.output)")
    }
}
