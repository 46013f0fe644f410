// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsModel
import ClaimsPlatform
import ClaimsTestSupport
import Testing

@testable import ClaimsTerminal

@Suite struct EditCommandTests {
    private static let detail =
        #"{"record":{"id":"7","title":"Old","kind":"card","amount":1.50},"upstream":{},"provenance":{}}"#

    private func daemon(
        _ reply: @escaping @Sendable (ScriptedDaemon.Request) -> ScriptedDaemon.Reply? = { _ in nil }
    ) throws -> ScriptedDaemon {
        try WritingExample.daemon { request in
            request.method == "detail" ? .lines([request.result(Self.detail)]) : reply(request)
        }
    }

    /// Runs `edit` with a shell command as the editor; `$1` is the file.
    private func edit(
        _ script: String, _ daemon: ScriptedDaemon, in folder: TemporaryFolder, _ more: [String] = []
    ) throws -> Run {
        let path = Paths.join(folder.path, "editor")
        // The shell reads it: a child of another test may still have it open for writing, which execve(2) refuses.
        try Files.writeAtomically(path, Array("\(script)\n".utf8), permissions: 0o600)
        return Run(
            ["edit", "--form", "7"] + more, daemon,
            environment: ["EDITOR": "sh \(path)", "XDG_RUNTIME_DIR": folder.path], input: "")
    }

    @Test func `values of the line change a record, and an empty one clears a field`() throws {
        let daemon = try daemon()
        let run = Run(["edit", "--form", "7", "title=New", "amount=", "-o", "table"], daemon, input: "")
        #expect(run.code == .done, "\(run)")
        #expect(
            daemon.submitted() == [
                #"{"collection":"form","action":"update","id":"7","fields":{"title":"New","amount":null}}"#
            ])
        #expect(run.output.hasPrefix("changed form 7: title, amount; operation 0"), "\(run.output)")
    }

    @Test func `files are added and taken away`() throws {
        let folder = try TemporaryFolder()
        let path = Paths.join(folder.path, "scan.png")
        try Files.writeAtomically(path, [1, 2, 3])
        let daemon = try daemon()
        let hash = String(repeating: "ab", count: 32)
        #expect(Run(["edit", "forms/7", "--attach", path, "--detach", hash], daemon, input: "").code == .done)
        #expect(daemon.requests.allSatisfy { $0.method != "detail" })
        #expect(
            daemon.submitted() == [
                #"{"collection":"forms","action":"update","id":"7","attach":["u1"],"detach":["\#(hash)"]}"#
            ])
    }

    @Test func `a file is taken away by its SHA-256, its name, or its number as open counts`() throws {
        let hashes = (0..<4).map { String(repeating: "a\($0)", count: 32) }
        let files = zip(hashes, ["scan.png", "2", "same.pdf", "same.pdf"]).map { hash, name in
            #"{"name":"\#(name)","type":"image/png","size":3,"sha256":"\#(hash)"}"#
        }
        let detail = #"{"record":{"id":"7","scans":[\#(files.joined(separator: ","))]},"upstream":{},"provenance":{}}"#
        let daemon = try WritingExample.daemon { $0.method == "detail" ? .lines([$0.result(detail)]) : nil }
        func detach(_ texts: [String], by start: [String] = ["edit", "--form", "7"]) -> Run {
            Run(start + texts.flatMap { ["--detach", $0] }, daemon, input: "")
        }
        #expect(detach(["scan.png", "2", "3", hashes[3]]).code == .done)
        #expect(detach(["1"], by: ["renew", "--form", "7"]).code == .done)
        let sent = daemon.submitted().map { text in (try? JSONValue.parse(Array(text.utf8)))?["detach"] }
        #expect(sent == [.array(hashes.map { .string($0) }), .array([.string(hashes[0])])])
        for text in ["same.pdf", "5", "0", "scan", "ab"] {
            let run = detach([text])
            #expect(run.code == .usage && run.errors.contains("1 scan.png, 2 2, 3 same.pdf, 4 same.pdf"), "\(run)")
        }
        #expect(daemon.submitted().count == 2)
    }

    @Test(arguments: ["scan.png", "2"])
    func `a line with an operation that is known already answers its state, whatever files there are now`(
        file: String
    ) throws {
        let op = "0192f0c1-2b3d-7a54-8c1e-6f0a9d3b5e71"
        let known =
            #"{"op":"\#(op)","collection":"forms","id":"7","action":"update","fields":["scans"],"state":"done"}"#
        let daemon = try WritingExample.daemon { request in
            switch request.method {
            case "detail": .lines([request.result(#"{"record":{"id":"7","scans":[]}}"#)])
            case "outbox": .lines([request.result(#"{"operations":[\#(known)]}"#)])
            default: nil
            }
        }
        let line = ["edit", "--form", "7", "--detach", file, "--attach", "/nowhere", "--op", op]
        let run = Run(line + ["-o", "json"], daemon, input: "")
        #expect(run.code == .done && daemon.submitted().isEmpty, "\(run)")
        let answer = try JSONValue.parse(run.output)
        #expect(answer["state"]?.string == "done" && answer["repeated"] == .bool(true), "\(run.output)")
        #expect(Run(line, daemon, terminal: 200, input: "").output.contains("submitted before"))
        // Another record, or nothing known: the line is judged as any other.
        #expect(Run(["edit", "--form", "8", "--detach", file, "--op", op], daemon, input: "").code == .usage)
        #expect(Run(["edit", "--form", "7", "--detach", file], daemon, input: "").code == .usage)
    }

    @Test func `times are taken as people type them, on the line and in the editor`() throws {
        let folder = try TemporaryFolder()
        let form = WritingExample.forms()
            .replacing(#"{"name":"links","type":"json"}"#, with: #"{"name":"links","type":"date"}"#)
            .replacing(#"{"name":"amount","type":"decimal"}"#, with: #"{"name":"amount","type":"instant"}"#)
        let daemon = try daemon { request in
            request.method == "describe" ? .lines([request.result(#"{"collections":[\#(form)]}"#)]) : nil
        }
        #expect(Run(["edit", "--form", "7", "links=tomorrow", "amount=+2d"], daemon, input: "").code == .done)
        _ = try edit("sed -i 's/links: null/links: \"+30d\"/' \"$1\"", daemon, in: folder)
        let values = daemon.submitted().map { text in (try? JSONValue.parse(Array(text.utf8)))?["fields"] }
        let day = TypedTime.exact("tomorrow", of: .date, in: .utc, now: Example.now) ?? ""
        let moment = TypedTime.exact("+2d", of: .instant, in: .utc, now: Example.now) ?? ""
        let later = TypedTime.exact("+30d", of: .date, in: .utc, now: Example.now) ?? ""
        #expect(values == [["links": .string(day), "amount": .string(moment)], ["links": .string(later)]])
        // A text that is no time is refused before it is sent: the daemon would not know what people can type.
        let soon = Run(["edit", "--form", "7", "links=soon"], daemon, input: "")
        #expect(soon.code != .done && soon.errors.contains("tomorrow or +30d"), "\(soon.errors)")
        #expect(daemon.submitted().count == 2)
    }

    @Test func `a form for an editor has moments by the person's clock, and takes them as such`() throws {
        let time = LocalTime(
            zone: try TimeZoneRules.load("Europe/Warsaw"), now: Example.now, messages: .polish)
        let record = try Example.value(#"{"at":"2026-12-01T13:30:00.000Z","twice":"2026-10-25T00:30:00.000Z"}"#)
        let fields = ["at", "twice"].map { #"{"name":"\#($0)","type":"instant"}"# }.joined(separator: ",")
        let description = try Example.collection(#"{"name":"forms","singular":"form","fields":[\#(fields)]}"#)
        let schema = try Example.value(#"{"type":["string","null"]}"#)
        let form = EditorForm(
            record, id: "7", description,
            fields: ["at", "twice"].map { OfferedField(name: $0, isRequired: false, schema: schema) }, time: time)
        let text = form.text(form.form)
        #expect(text.contains("// at · instant · według twojego zegara"), "\(text)")
        #expect(text.contains(#"  at: "2026-12-01 14:30","#), "\(text)")
        // The hour that comes twice keeps its zone.
        #expect(text.contains(#"  twice: "2026-10-25T00:30:00.000Z","#), "\(text)")
        let same = try #require(try form.read(text))
        #expect(same.values(.changed).isEmpty)
        let later = try #require(try form.read(text.replacing("14:30", with: "15:45")))
        let changes = later.values(.changed)
        #expect(changes.members.map(\.key) == ["at"] && changes["at"] == .string("2026-12-01T14:45:00.000Z"))
    }

    @Test func `an editor gets a form with titles, limits and codes, and only what it changes is sent`() throws {
        let folder = try TemporaryFolder()
        let daemon = try daemon()
        let run = try edit("cp \"$1\" \(folder.path)/form; sed -i 's/\"Old\"/\"New\"/' \"$1\"", daemon, in: folder)
        #expect(run.code == .done, "\(run)")
        #expect(
            try Files.readText(Paths.join(folder.path, "form"), cap: 10_000) == """
                // form 7: change values, save, and leave the editor. null is no value.
                // Where nothing is changed, or the file is empty, nothing is done.
                {
                  // kind · enum · required
                  //   card: Card
                  //   leaf: Leaf
                  kind: "card",
                  // Title · text · at most 20 characters · required
                  title: "Old",
                  // amount · decimal
                  amount: 1.50,
                  // links · json
                  links: null,
                }

                """)
        #expect(
            daemon.submitted() == [
                #"{"collection":"form","action":"update","id":"7","fields":{"title":"New"},"#
                    + #""expect":{"kind":"card","title":"Old","amount":1.50,"links":null}}"#
            ])
        #expect(try Directory.list(folder.path) == ["editor", "form"])
    }

    @Test(arguments: [
        "true", ": > \"$1\"", "printf '// nothing\\n\\n' > \"$1\"", "rm \"$1\"", "sed -i 's/1.50/1.50 /' \"$1\"",
    ])
    func `a form that comes back unchanged or empty does nothing`(script: String) throws {
        let folder = try TemporaryFolder()
        let daemon = try daemon()
        let run = try edit(script, daemon, in: folder)
        #expect(run.code == .done && run.errors == "claimsctl: nothing was changed\n" && run.output.isEmpty, "\(run)")
        #expect(daemon.submitted().isEmpty)
        #expect(try Directory.list(folder.path) == ["editor"])
    }

    @Test(arguments: ["exit 3", "kill -9 $$"]) func `an editor that fails does nothing`(script: String) throws {
        let folder = try TemporaryFolder()
        let daemon = try daemon()
        let run = try edit("sed -i 's/Old/New/' \"$1\"; \(script)", daemon, in: folder)
        #expect(run.code == .failure && run.errors.contains("nothing was submitted"), "\(run)")
        #expect(daemon.submitted().isEmpty)
        #expect(try Directory.list(folder.path) == ["editor"])
    }

    @Test func `values that are refused open the form again, with the messages on top`() throws {
        let folder = try TemporaryFolder()
        let daemon = try daemon { request in
            guard request.method == "submit", request.params["fields"]?["title"]?.string == "bad" else { return nil }
            return WritingExample.refusal(request, #"{"field":"title","kind":"length","message":"too long"}"#)
        }
        let script = """
            if grep -q '^// ! title: too long' "$1"; then cp "$1" \(folder.path)/second; sed -i 's/bad/good/' "$1"
            elif grep -q '^// !' "$1"; then cp "$1" \(folder.path)/first; sed -i 's/bad,,/bad",/' "$1"
            else sed -i 's/"Old",/"bad,,/' "$1"; fi
            """
        let run = try edit(script, daemon, in: folder)
        #expect(run.code == .done, "\(run)")
        #expect(daemon.submitted().last?.contains(#""fields":{"title":"good"}"#) == true)
        let first = try Files.readText(Paths.join(folder.path, "first"), cap: 10_000)
        #expect(first.hasPrefix("// ! line 10: line end in a string\n") && first.contains("title: \"bad,,"), "\(first)")
        let second = try Files.readText(Paths.join(folder.path, "second"), cap: 10_000)
        #expect(second.hasPrefix("// ! title: too long\n// form 7") && second.contains("title: \"bad\","), "\(second)")
    }

    @Test func `values that are refused and left so are told at the end`() throws {
        let folder = try TemporaryFolder()
        let daemon = try daemon { request in
            guard request.method == "submit" else { return nil }
            return WritingExample.refusal(request, #"{"field":"title","kind":"length","message":"too long"}"#)
        }
        let run = try edit("sed -i 's/\"Old\"/\"bad\"/' \"$1\"", daemon, in: folder)
        #expect(run.code == .invalid && run.errors.contains("  title: too long\n"), "\(run)")
    }

    @Test func `what somebody else has changed is told with both values, and the text is kept`() throws {
        let folder = try TemporaryFolder()
        let daemon = try daemon { request in
            guard request.method == "submit" else { return nil }
            return .lines([
                request.error(
                    "conflict", "changed meanwhile", data: #","expected":{"title":"Old"},"served":{"title":"Other"}"#)
            ])
        }
        let run = try edit("sed -i 's/\"Old\"/\"Mine\"/' \"$1\"", daemon, in: folder)
        #expect(run.code == .conflict && run.errors.contains("  title: expected 'Old', now 'Other'\n"), "\(run)")
        let kept = try #require(try Directory.list(folder.path).first { $0.hasPrefix("claimsctl.") })
        let path = Paths.join(folder.path, kept)
        #expect(run.errors.contains("what you wrote is kept in \(path)/form-7.json5"))
        #expect(Files.permissions(path) == 0o700)
        #expect(Files.permissions(Paths.join(path, "form-7.json5")) == 0o600)
    }

    @Test func `without values, editor and terminal there is nothing to be done`() throws {
        let daemon = try daemon()
        #expect(Run(["edit", "--form", "7"], daemon, input: "").code == .usage)
        #expect(Run(["edit", "--form", "title=x"], daemon, input: "").code == .usage)
        #expect(Run(["edit", "--form"], daemon, input: "").code == .usage)
    }
}
