// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
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
        #expect(Run(["edit", "forms/7", "--attach", path, "--detach", "ab"], daemon, input: "").code == .done)
        #expect(
            daemon.submitted() == [
                #"{"collection":"forms","action":"update","id":"7","attach":["u1"],"detach":["ab"]}"#
            ])
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
