// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsTestSupport
import Testing

@testable import ClaimsTerminal

@Suite struct RecordMarksTests {
    private func daemon(pending: Bool, to: String) throws -> ScriptedDaemon {
        try WritingExample.daemon(to: to) { request in
            guard request.method == "search" else { return nil }
            let mark = pending ? #","pending":{"state":"stuck","ops":[],"fields":[]}"# : ""
            return .lines([
                request.result(
                    #"{"records":[{"id":"7","title":"Old","scans":[{"name":"a"},{"name":"b"}]},{"id":"8"\#(mark)}],"#
                        + #""total":2,"meta":\#(Example.meta("forms"))}"#)
            ])
        }
    }

    @Test func `a list shows how many files a record has, and what becomes of its operations`() throws {
        let run = Run(["search", "--form"], try daemon(pending: true, to: "upstream"), terminal: 80)
        #expect(
            run.output.withoutColors() == """
                ID  TITLE  FILES  PENDING
                7   Old        2
                8              0  needs attention

                """)
    }

    @Test func `where nothing is pending, people see no column for it, and programs always the same columns`() throws {
        let daemon = try daemon(pending: false, to: "upstream")
        #expect(Run(["search", "--form"], daemon, terminal: 80).output.withoutColors().hasPrefix("ID  TITLE  FILES\n"))
        #expect(Run(["search", "--form"], daemon).output == "id\ttitle\tfiles\tpending\n7\tOld\t2\t\n8\t\t0\t\n")
        let local = try self.daemon(pending: false, to: "local")
        #expect(Run(["search", "--form"], local).output.hasPrefix("id\ttitle\tfiles\n"))
        #expect(Run(["search", "--form", "--fields", "id,title"], daemon).output.hasPrefix("id\ttitle\n"))
    }

    @Test func `the details of a record list its files and its operations`() throws {
        let daemon = try WritingExample.daemon(to: "upstream") { request in
            guard request.method == "detail" else { return nil }
            let sum = String(repeating: "ab", count: 32)
            return .lines([
                request.result(
                    #"{"record":{"id":"7","title":"Old","scans":[{"name":"a\u001b.png","type":"image/png","size":2048,"#
                        + #""sha256":"\#(sum)"}],"pending":{"state":"queued","fields":["title"],"#
                        + #""ops":[{"op":"0192","action":"update","state":"sending"}]}},"upstream":{},"provenance":{}}"#
                )
            ])
        }
        let text = Run(["detail", "--form", "7"], daemon, terminal: 80).output.withoutColors()
        #expect(
            text.contains("File 1   a\\x1b.png, image/png, 2.0 KiB\nPending  queued\n         update, sending, 0192\n"),
            "\(text)")
        #expect(!text.contains("sha256"))
    }
}
