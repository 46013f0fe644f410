// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import claims_manual

@Suite struct GeneratedMarkTests {
    private let file = """
        by = "hand"
            # generated: words
            old
            # end
        after = "hand"

        """

    @Test func `what stands between the marks is made anew, and nothing else`() throws {
        var names: [String] = []
        let text = try GeneratedMark.comment.updated(file) { name in
            names.append(name)
            return ["    one", "    two"]
        }
        #expect(names == ["words"])
        #expect(
            text == """
                by = "hand"
                    # generated: words
                    one
                    two
                    # end
                after = "hand"

                """)
    }

    @Test func `a part without an end is an error`() {
        #expect(throws: ManualError.self) { try GeneratedMark.comment.updated("# generated: words\nold\n") { _ in [] } }
    }

    @Test func `each method has its words in the fuzzer's list, and each of its parameters`() throws {
        #expect(try FuzzParts.lines(of: "methods").contains(#""\"fetch_attachment\"""#))
        #expect(try FuzzParts.lines(of: "parameters").contains(#""\"timeout_ms\":""#))
        #expect(throws: ManualError.self) { try FuzzParts.lines(of: "nothing of the kind") }
    }

    @Test func `the page offers what the state of an operation allows, before and after its first attempt`() throws {
        let lines = try ScriptParts.lines(of: "decisions")
        let queued = #"    queued: { unsent: ["retry", "correct", "hold", "drop"], sent: ["retry", "hold", "drop"] },"#
        #expect(lines.contains(queued), "\(lines)")
        #expect(lines.contains(#"    conflict: { always: ["mine", "drop"] },"#))
        #expect(lines.contains(#"    "held, damaged": { always: ["drop"] },"#))
        #expect(!lines.contains { $0.contains("sending") || $0.contains("dropped") })
        #expect(throws: ManualError.self) { try ScriptParts.lines(of: "nothing of the kind") }
    }

    @Test func `the Python client has a method for each of the protocol, and a type for each kind of object`() throws {
        let lines = try PythonParts.lines(of: "asynchronous methods")
        #expect(lines.contains("    async def ping(self, *, lang: str | None = None) -> Record:"))
        #expect(lines.contains { $0.hasPrefix("    async def try_(") })
        #expect(try PythonParts.lines(of: "result types").contains("class QuarantineEntry(TypedDict):"))
        for part in ["reading methods", "result types", "methods", "asynchronous methods"] {
            #expect(try PythonParts.lines(of: part).allSatisfy { $0.count <= 120 })
        }
    }
}
