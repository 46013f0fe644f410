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
        ["forget"], ["forget", "--collection", "books"], ["forget", "7", "--yes"],
        ["forget", "--collection", "books", "7"], ["forget", "--collection", "books", "--dry-run"],
    ]) func `without a collection or a terminal it is a usage error`(arguments: [String]) throws {
        let daemon = try daemon()
        let run = Run(arguments, daemon)
        #expect(run.code == .usage, "\(run)")
        #expect(daemon.parameters(of: "forget").isEmpty)
    }

    private static let erased =
        #"{"records":1,"forgotten":["7"],"missing":[],"refused":[],"returns":["7"],"clock":"1.3"}"#

    @Test func `records are erased after a yes, and those that come back are told`() throws {
        let daemon = try ScriptedDaemon.answering(["forget": Self.erased])
        let run = Run(["forget", "--collection", "units", "7"], daemon, terminal: 80, typed: ["y"])
        #expect(run.code == .done, "\(run)")
        #expect(run.output == "erased 1: 7\ncomes back with the upstream's next answer 1: 7\n", "\(run)")
        #expect(run.errors == "Erase 1 record and their history: 7? Nothing brings them back. [y/N] ", "\(run)")
        #expect(daemon.parameters(of: "forget") == [#"{"collection":"units","ids":["7"]}"#])
    }

    @Test func `a no erases no record`() throws {
        let daemon = try ScriptedDaemon.answering(["forget": Self.erased])
        let run = Run(["forget", "--collection", "units", "7"], daemon, terminal: 80, typed: ["n"])
        #expect(run.code == .failure && run.errors.contains("nothing was erased"), "\(run)")
        #expect(daemon.parameters(of: "forget").isEmpty)
    }

    @Test func `a dry run neither asks nor erases`() throws {
        let daemon = try ScriptedDaemon.answering(["forget": Self.erased])
        let run = Run(["forget", "--collection", "books", "7", "--dry-run", "-o", "tsv"], daemon)
        #expect(run.code == .done && run.output == "id\toutcome\treturns\n7\twould_forget\ttrue\n", "\(run)")
        #expect(daemon.parameters(of: "forget") == [#"{"collection":"books","ids":["7"],"dry_run":true}"#])
    }

    @Test func `what is refused is a conflict, and what is missing is not found`() throws {
        func run(_ refused: String) throws -> Run {
            let answer =
                #"{"records":0,"forgotten":[],"missing":["8"],"refused":[\#(refused)],"returns":[],"clock":"1.3"}"#
            return Run(["forget", "books/7", "books/8", "--yes"], try ScriptedDaemon.answering(["forget": answer]))
        }
        #expect(try run("\"7\"").code == .conflict)
        #expect(try run("\"7\"").errors.contains("operations wait: 7"))
        #expect(try run("").code == .notFound)
    }

    @Test func `status lists what was removed, until when it is kept, and how to erase it`() throws {
        let run = Run(["status", "--color", "never"], try daemon(), terminal: 100)
        #expect(run.output.contains("books: its definition was removed; 1,234 records kept until 2026-12-22 08:13\n"))
        #expect(run.output.contains("  to erase it now: claimsctl forget --collection books\n"), "\(run.output)")
    }
}
