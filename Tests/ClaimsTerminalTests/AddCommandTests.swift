// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsPlatform
import ClaimsTestSupport
import Testing

@testable import ClaimsTerminal

@Suite struct AddCommandTests {
    @Test func `values are read by the types of their fields, and everything after the first sign is the value`() throws
    {
        let daemon = try WritingExample.daemon()
        let run = Run(["add", "--form", "kind=card", "title=a=b c", "amount=1.50", "links=[\"7\"]"], daemon, input: "")
        #expect(run.code == .done, "\(run)")
        #expect(
            daemon.submitted() == [
                #"{"collection":"form","action":"create","fields":{"kind":"card","title":"a=b c","amount":1.50,"links":["7"]}}"#
            ])
        #expect(run.output.hasPrefix("id\top\tstate\n"))
    }

    @Test func `a value that is no JSON for a json field is told as a problem, and nothing is submitted`() throws {
        let daemon = try WritingExample.daemon()
        let run = Run(["add", "--form", "links=[7", "-o", "json"], daemon, input: "")
        #expect(run.code == .invalid && run.output.isEmpty, "\(run)")
        let errors = try JSONValue.parse(run.errors)["error"]?["errors"]?.array
        #expect(errors?.first?["field"]?.string == "links" && errors?.first?["kind"]?.string == "type")
        #expect(daemon.submitted().isEmpty)
    }

    @Test func `a day that is none is told with all that can be typed, and a good one goes out exactly`() throws {
        let daemon = try WritingExample.daemon()
        let refused = Run(["add", "--form", "title=x", "due=2036-13-01", "at=soon"], daemon, input: "")
        #expect(refused.code == .invalid && daemon.submitted().isEmpty)
        #expect(
            refused.errors == """
                claimsctl: not valid, so nothing was submitted
                  due: not a date: such as 2036-01-31, tomorrow or +30d
                  at: not a time: such as 2036-01-31, 2036-01-31 14:30, tomorrow or +30d

                """)
        #expect(Run(["add", "--form", "due=2036-01-31", "at=2036-01-31 14:30"], daemon, input: "").code == .done)
        #expect(
            daemon.submitted() == [
                #"{"collection":"form","action":"create","fields":{"due":"2036-01-31","at":"2036-01-31T14:30:00.000Z"}}"#
            ])
    }

    @Test func `an object of fields comes from a file, and values of the line go before it`() throws {
        let folder = try TemporaryFolder()
        let path = Paths.join(folder.path, "form.json")
        try Files.writeAtomically(path, Array(#"{"title":"from the file","kind":"leaf"}"#.utf8))
        let daemon = try WritingExample.daemon()
        #expect(Run(["add", "--form", "--json", path, "kind=card"], daemon, input: "").code == .done)
        #expect(Run(["add", "--form", "--json", "-"], daemon, input: #"{"title":"piped"}"#).code == .done)
        #expect(
            daemon.submitted() == [
                #"{"collection":"form","action":"create","fields":{"title":"from the file","kind":"card"}}"#,
                #"{"collection":"form","action":"create","fields":{"title":"piped"}}"#,
            ])
        #expect(Run(["add", "--form", "--json", "-"], daemon, input: "[1]").code == .invalid)
        #expect(Run(["add", "--form", "--json", path + "x"], daemon, input: "").code == .failure)
    }

    @Test func `a terminal is asked for what is missing, in the definition's order and codes by number`() throws {
        let daemon = try WritingExample.daemon()
        let run = Run(["add", "--form"], daemon, terminal: 80, typed: ["2", "", "Sea water", "y"])
        #expect(run.code == .done, "\(run)")
        #expect(
            run.errors.hasPrefix(
                """
                kind:
                  1  Card (card)
                  2  Leaf (leaf)
                Number or code: Title (at most 20 characters): Title (at most 20 characters): \n
                """), "\(run.errors)")
        let preview = "Title    Sea water\nkind     Leaf (leaf)\nGoes to  this host\nSubmit? [y/N] "
        #expect(run.errors.withoutColors().contains(preview), "\(run.errors)")
        #expect(
            daemon.submitted() == [
                #"{"collection":"form","action":"create","fields":{"kind":"leaf","title":"Sea water"}}"#
            ])
        #expect(run.output.hasPrefix("added form 0") && !run.output.contains("operation"), "\(run.output)")
    }

    @Test(arguments: [["2", "Sea"], ["2", "Sea", "n"], ["2", "Sea", ""], []])
    func `whoever does not say yes has submitted nothing`(typed: [String]) throws {
        let daemon = try WritingExample.daemon()
        let run = Run(["add", "--form"], daemon, terminal: 80, typed: typed)
        #expect(run.code == .failure && run.errors.hasSuffix("claimsctl: nothing was submitted\n"), "\(run)")
        #expect(daemon.submitted().isEmpty)
    }

    @Test func `a text that is none of the codes is asked for again at once, and a label means its code`() throws {
        let daemon = try WritingExample.daemon()
        let run = Run(["add", "--form"], daemon, terminal: 80, typed: ["9", "lEAF", "Sea water", "y"])
        #expect(
            run.errors.contains("Number or code:   There is no '9'. There is: Card, Leaf.\nNumber or code: "), "\(run)")
        #expect(
            daemon.submitted() == [
                #"{"collection":"form","action":"create","fields":{"kind":"leaf","title":"Sea water"}}"#
            ])
    }

    @Test func `a value that is refused is asked for again, with the reason`() throws {
        let daemon = try WritingExample.daemon { request in
            guard request.method == "submit", request.params["fields"]?["title"]?.string == "bad" else { return nil }
            return WritingExample.refusal(
                request, #"{"field":"title","kind":"length","message":"too long","hint":"at most 20"}"#)
        }
        let run = Run(["add", "--form", "kind=card", "title=bad"], daemon, terminal: 80, typed: ["good", "y"])
        #expect(run.code == .done, "\(run)")
        #expect(run.errors.contains("  title: too long (at most 20)\nTitle (at most 20 characters): "), "\(run.errors)")
        #expect(daemon.submitted().count == 1)
    }

    @Test func `without a terminal all problems are told, each on a line`() throws {
        let daemon = try WritingExample.daemon { request in
            guard request.method == "submit" else { return nil }
            return WritingExample.refusal(
                request,
                #"{"field":"kind","kind":"required","message":"a value is required"},"#
                    + #"{"field":"title","kind":"length","message":"too long","hint":"at most 20"}"#)
        }
        let run = Run(["add", "--form"], daemon, input: "")
        #expect(run.code == .invalid && run.output.isEmpty)
        #expect(
            run.errors == """
                claimsctl: not valid, so nothing was submitted
                  kind: a value is required
                  title: too long (at most 20)

                """)
    }

    @Test func `files go in parts, and their uploads with the operation`() throws {
        let folder = try TemporaryFolder()
        let path = Paths.join(folder.path, "scan.png")
        try Files.writeAtomically(path, [UInt8](repeating: 7, count: 600 << 10))
        let daemon = try WritingExample.daemon()
        let run = Run(["add", "--form", "title=x", "--attach", path], daemon, input: "")
        #expect(run.code == .done, "\(run)")
        let parts = daemon.requests.filter { $0.method == "attach" }.map(\.params)
        #expect(parts.count == 2)
        #expect(parts.first?["name"]?.string == "scan.png" && parts.first?["size"]?.integer == 600 << 10)
        #expect(parts.last?["upload"]?.string == "u1" && parts.last?["offset"]?.integer == 512 << 10)
        #expect(parts.last?["name"] == nil)
        #expect(daemon.submitted().first?.contains(#""attach":["u1"]"#) == true)
        #expect(Run(["add", "--form", "--attach", path + "x"], daemon, input: "").code == .failure)
        #expect(Run(["add", "--form", "--attach", folder.path], daemon, input: "").code == .failure)
    }

    @Test func `on a terminal a file that is refused is asked for again, and all answers stay`() throws {
        let folder = try TemporaryFolder()
        for name in ["notes.txt", "scan.png"] { try folder.write(name, name) }
        let problem = #"{"field":"scans","kind":"format","message":"of no type","hint":"it takes image/png"}"#
        let daemon = try WritingExample.daemon { request in
            request.method == "attach" && request.params["name"]?.string == "notes.txt"
                ? WritingExample.refusal(request, problem) : nil
        }
        let run = Run(
            ["add", "--form", "--attach", folder("none"), "title=x"], daemon, terminal: 80,
            typed: ["leaf", folder("notes.txt"), folder("scan.png"), "y"])
        #expect(run.code == .done, "\(run)")
        #expect(run.errors.contains("  notes.txt: of no type (it takes image/png)\nFile 1 ("), "\(run.errors)")
        #expect(daemon.submitted().count == 1)
        #expect(daemon.submitted().first?.contains(#""kind":"leaf""#) == true)
        let declined = Run(
            ["add", "--form", "kind=leaf", "title=x", "--attach", folder("notes.txt")], daemon, terminal: 80, typed: [])
        #expect(declined.code == .failure && daemon.submitted().count == 1)
    }

    @Test func `a dry run shows the files, and one that is refused is named with the types that are taken`() throws {
        let folder = try TemporaryFolder()
        let path = Paths.join(folder.path, "scan.png")
        try Files.writeAtomically(path, [1, 2, 3])
        let run = Run(
            ["add", "--form", "title=x", "--attach", path, "--dry-run", "-o", "table"], try WritingExample.daemon(),
            input: "")
        #expect(run.code == .done && run.output.contains("scan.png, image/png, 3 B"), "\(run)")
        let json = Run(
            ["add", "--form", "title=x", "--attach", path, "--dry-run", "-o", "json"], try WritingExample.daemon(),
            input: "")
        #expect(try JSONValue.parse(json.output)["files"] == [["name": "scan.png", "type": "image/png", "size": 3]])
        let piped = Run(
            ["add", "--form", "title=x", "--attach", path, "--dry-run"], try WritingExample.daemon(), input: "")
        #expect(piped.output == run.output)
        let problem = #"{"field":"scans","kind":"format","message":"of no type","hint":"it takes image/png"}"#
        let refusing = try WritingExample.daemon { request in
            request.method == "attach" ? WritingExample.refusal(request, problem) : nil
        }
        let refused = Run(["add", "--form", "title=x", "--attach", path], refusing, input: "")
        #expect(refused.code == .invalid && refusing.submitted().isEmpty)
        #expect(refused.errors.contains("scans: scan.png: of no type (it takes image/png)"), "\(refused.errors)")
    }

    @Test func `a dry run submits nothing, and says so in every format`() throws {
        let daemon = try WritingExample.daemon()
        let text = Run(["add", "--form", "title=x", "--dry-run", "-o", "table"], daemon, input: "")
        #expect(text.output.contains("Title    x\n") && text.output.hasSuffix("a dry run: nothing was submitted\n"))
        let json = try JSONValue.parse(
            Run(["add", "--form", "title=x", "--dry-run", "-o", "json"], daemon, input: "").output)
        #expect(json["dry_run"]?.boolean == true && json["schema_version"]?.integer == 1)
        #expect(daemon.submitted().isEmpty && daemon.requests.contains { $0.method == "submit" })
    }

    @Test func `the operation is named by its caller, else by the command`() throws {
        let daemon = try WritingExample.daemon()
        let op = "0192f3a1-0000-7000-8000-000000000001"
        let run = Run(["add", "--form", "title=x", "--op", op, "-o", "json"], daemon, input: "")
        #expect(try JSONValue.parse(run.output)["op"]?.string == op)
        _ = Run(["add", "--form", "title=x"], daemon, input: "")
        let ops = daemon.requests.filter { $0.method == "submit" }.compactMap { $0.params["op"]?.string }
        #expect(ops.count == 2 && ops[0] == op && ops[1].utf8.count == 36 && ops[1] != op)
    }

    @Test func `an operation whose answer is lost is submitted once more, under the same name`() throws {
        let hasFailed = Flag()
        let daemon = try WritingExample.daemon { request in
            request.method == "submit" && hasFailed.raise() ? .lastBytes([]) : nil
        }
        #expect(Run(["add", "--form", "title=x"], daemon, input: "").code == .done)
        let ops = daemon.requests.filter { $0.method == "submit" }.compactMap { $0.params["op"]?.string }
        #expect(ops.count == 2 && Set(ops).count == 1)
    }

    @Test(arguments: [["add"], ["add", "--form", "x"], ["add", "--form", "title=a", "title=b"]])
    func `a line that says too little or too much is a usage error`(arguments: [String]) throws {
        let daemon = try WritingExample.daemon()
        #expect(Run(arguments, daemon, input: "").code == .usage)
        #expect(daemon.submitted().isEmpty)
    }
}
