// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsClient
import ClaimsJSON
import ClaimsModel
@testable import ClaimsTerminal
import ClaimsTestSupport
import Testing

/// `describe` tells all in every format, and what is printed for people fits their terminal.
struct DescribeTests {
    private static let method =
        #"{"name":"sort","summary":"Lists all records.","role":"read","params":{"type":"object","properties":{"#
        + #""by":{"description":"The order.","type":"string"},"limit":{"description":"At most.","type":"integer","default":50}},"#
        + #""required":["by"]},"result":{"type":"object","properties":{"total":{"type":"integer"}}},"example":{"by":"id"}}"#

    private static func daemon() throws -> ScriptedDaemon {
        try ScriptedDaemon { request in
            if request.params["method"] != nil { return .lines([request.result(#"{"methods":[\#(method)]}"#)]) }
            if request.params["collection"] != nil {
                let packs =
                    Example.packs.dropLast() + #","sorts":[{"name":"late","keys":["-status","id"]}],"#
                    + #""views":[{"name":"open","filter":"status=CREATED","title":"Open ones"}],"deal":true}"#
                return .lines([request.result(#"{"collections":[\#(packs)]}"#)])
            }
            return .lines([
                request.result(#"{"methods":[\#(method)],"collections":[\#(Example.packs),\#(Example.units)]}"#)
            ])
        }
    }

    @Test(arguments: OutputFormat.allCases.filter { $0 != .name })
    func `a collection is told whole in every format`(_ format: OutputFormat) throws {
        let run = Run(["describe", "--pack", "-o", format.rawValue, "--color", "never"], try Self.daemon())
        for part in [
            "packs", "pack", "Packs", "sender", "enum", "text", "late", "-status", "open", "status=CREATED",
            "Open ones", "moving", "On the way", "DELIVERED", "Delivered", "90", "UNSUPPORTED", "archive", "deal",
        ] {
            #expect(run.output.contains(part), "\(format): \(part) in \(run.output)")
        }
    }

    @Test(arguments: OutputFormat.allCases.filter { $0 != .name })
    func `all collections and methods are listed, and a method is told whole`(_ format: OutputFormat) throws {
        let daemon = try Self.daemon()
        let all = Run(["describe", "-o", format.rawValue, "--color", "never"], daemon).output
        for part in ["packs", "units", "sender", "seen_at", "sort", "Lists all records.", "limit"] {
            #expect(all.contains(part), "\(format): \(part) in \(all)")
        }
        let one = Run(["describe", "sort", "-o", format.rawValue, "--color", "never"], daemon).output
        for part in ["sort", "Lists all records.", "read", "by", "The order.", "limit", "50", "total", "required"] {
            #expect(one.contains(part), "\(format): \(part) in \(one)")
        }
    }

    @Test func `the rows of a collection have six columns each`() throws {
        let run = Run(["describe", "--pack", "-o", "tsv"], try Self.daemon())
        let lines = run.output.split(separator: "\n")
        #expect(lines.first == "part\tname\ttype\ttitle\tvalue\tmore")
        for line in lines { #expect(line.count { $0 == "\t" } == 5, "\(line)") }
        #expect(lines.contains("code\tCREATED\tstatus\tCreated\t10\tgroup=moving"))
        #expect(lines.contains("view\topen\t\tOpen ones\tstatus=CREATED\t"))
    }

    @Test(arguments: [40, 60, 80, 120])
    func `help and tables fit the terminal, and break between words`(_ width: Int) throws {
        let daemon = try Self.daemon()
        var pages = CommandTable.verbs.map { ["help", $0.word] }
        pages += [["help"], ["help", "filters"], ["help", "exit-codes"], ["describe", "--pack"], ["describe"]]
        let wide = pages.map { Run($0, daemon, terminal: 1000).output.withoutColors() }
        for (page, whole) in zip(pages, wide) {
            let text = Run(page, daemon, terminal: width).output.withoutColors()
            let words = Set(whole.split { $0 == " " || $0 == "\n" })
            for line in text.split(separator: "\n") {
                let cells = DisplayWidth.cells(of: String(line))
                // Only a token that cannot be broken is wider.
                let isToken = line.drop { $0 == " " }.split(separator: " ").count == 1
                #expect(cells <= width || isToken, "\(page) at \(width): \(line)")
                guard page[0] == "help" else { continue }
                for word in line.split(separator: " ") { #expect(words.contains(word), "\(page) at \(width): \(word)") }
            }
        }
    }

    @Test(arguments: [40, 60, 80, 120])
    func `status fits the terminal, with all that is wrong`(_ width: Int) throws {
        let failing =
            #"{"collection":"units","state":"ready","freshness":"stale","last_error":{"kind":"timeout","#
            + #""message":"The server did not begin to answer within 15 s","at":"2026-11-20T08:05:00Z"}}"#
        let problem =
            #"{"collection":"units","file":"/etc/claimsd/collections.d/units.json5","line":3,"column":5,"#
            + #""key":"source.url","message":"expected an address that begins with https, http or file"}"#
        let daemon = try ScriptedDaemon.answering([
            "status":
                #"{"version":"1.0","uptime_ms":7200000,"clients":1,"memory_bytes":1048576,"disk_bytes":0,"#
                + #""problems":[\#(problem)],"collections":[{"name":"units","total":20,"archived":3,"#
                + #""meta":\#(failing)}],"drift":{}}"#
        ])
        let run = Run(["status"], daemon, terminal: width)
        let text = run.output.withoutColors()
        for part in ["units.json5:3:5:", "expected an address", "systemctl reload claimsd", "--wait"] {
            #expect(text.split { $0 == " " || $0 == "\n" }.joined(separator: " ").contains(part), "\(text)")
        }
        for line in text.split(separator: "\n") {
            let isToken = line.drop { $0 == " " }.split(separator: " ").count == 1
            #expect(DisplayWidth.cells(of: String(line)) <= width || isToken, "\(line)")
        }
    }

    @Test func `the mistakes of a user's own daemon name the reload of that user`() throws {
        let status =
            #"{"collections":[],"problems":[{"file":"/home/ada/.config/claimsd/claimsd.json5","message":"wrong"}]}"#
        let answer = try AnswerDocument(Array(status.utf8)).root
        func text(_ socket: String) -> String {
            ProblemText.text(
                answer, .english, width: 100, isColored: false,
                files: DaemonFiles(nil, unit: DaemonUnit(socket: socket)))
        }
        #expect(text("/run/user/1000/claimsd/claimsd.sock").contains(": systemctl --user reload claimsd"))
        #expect(text("/run/claimsd/claimsd.sock").contains(": systemctl reload claimsd"))
        #expect(text("/tmp/socket").contains(": systemctl reload claimsd"))
    }
}
