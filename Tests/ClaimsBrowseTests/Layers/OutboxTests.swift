// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsClient
import ClaimsTerminal
import Testing

@testable import ClaimsBrowse

@Suite struct OutboxTests {
    private static func operation(_ op: String, _ state: String, _ more: String = "") -> String {
        #"{"op":"\#(op)","collection":"forms","id":"7","action":"update","state":"\#(state)","attempts":1\#(more)}"#
    }

    private func outbox(_ operations: String...) throws -> LayerScript {
        var script = try LayerScript(LayerExample.forms(to: "upstream"))
        script.area = .outbox
        script.take(.opened)
        try list(operations, in: &script)
        return script
    }

    /// Answers the questions for the operations of each state.
    private func list(_ operations: [String], in script: inout LayerScript) throws {
        #expect(script.questions == [#"outbox {"state":"stuck","limit":200}"#])
        try script.answer(
            #"{"operations":[\#(operations.joined(separator: ","))],"total":\#(operations.count),"paused":[]}"#)
        for _ in 0..<3 { try script.answer(#"{"operations":[],"total":0,"paused":[]}"#) }
    }

    @Test func `the tab lists operations, and finds the titles of their records`() throws {
        var script = try outbox(
            Self.operation("a", "queued"), Self.operation("b", "rejected"), Self.operation("c", "queued"))
        #expect(script.questions == [#"outbox {"action":"get","ops":["a","b","c"]}"#])
        try script.answer(
            #"""
            {"operations":[{"op":"a","collection":"forms","id":"7","values":{"title":"New"}},
            {"op":"b","collection":"forms","id":"8","values":{"kind":"card"},"before":{"title":"Old"}},
            {"op":"c","collection":"forms","id":"c","values":{"kind":"card"}}]}
            """#)
        #expect(script.stack.outbox.titles == ["a": "New", "b": "Old", "c": "new record"])
        // Titles that are known are not asked for again.
        script.now = try #require(script.stack.wakeAt)
        script.take(.woken)
        try list([Self.operation("b", "rejected")], in: &script)
        #expect(script.asked.isEmpty && script.stack.outbox.titles == ["b": "Old"])
    }

    @Test func `operations of all states stand together, the newest first and each once`() throws {
        var script = try LayerScript(LayerExample.forms(to: "upstream"))
        script.area = .outbox
        script.take(.opened)
        func answer(_ state: String, _ operations: (op: String, minute: Int)...) throws {
            let list = operations.map { operation in
                Self.operation(
                    operation.op, state, #","submitted_at":"2026-11-20T08:\#(operation.minute):00.000Z""#)
            }
            try script.answer(#"{"operations":[\#(list.joined(separator: ","))],"total":\#(list.count)}"#)
        }
        try answer("held", ("b", 20), ("a", 10))
        try answer("sending")
        try answer("queued", ("c", 30), ("a", 10))
        #expect(script.questions == [#"outbox {"state":"accepted","limit":200}"#])
        try answer("accepted", ("d", 15))
        let shown = try #require(script.stack.outbox.operations)
        #expect(shown.map { $0["op"]?.string } == ["c", "b", "d", "a"])
        #expect(shown.last?["state"]?.string == "queued")
    }

    @Test func `the selection stays with its operation`() throws {
        var script = try outbox(Self.operation("a", "queued"), Self.operation("b", "queued"))
        try script.answer(#"{"operations":[]}"#)
        script.press(.down)
        script.press("r")
        try list(["A", "a", "b"].map { Self.operation($0, "queued") }, in: &script)
        #expect(script.stack.outbox.selected == 2)
        script.press(.end, .down)
        #expect(script.stack.outbox.selected == 2)
    }

    @Test func `another tab asks for nothing, and a lost connection neither`() throws {
        var script = try outbox(Self.operation("a", "queued"))
        try script.answer(#"{"operations":[]}"#)
        #expect(script.stack.wakeAt != nil)
        script.take(.hidden)
        #expect(script.stack.wakeAt == nil)
        script.take(.opened)
        script.lose()
        #expect(script.stack.wakeAt == nil)
        script.reconnect()
        #expect(script.asked.count == 1)
    }

    @Test func `verbs that the state does not allow say so`() throws {
        var script = try outbox(Self.operation("a", "accepted"))
        try script.answer(#"{"operations":[]}"#)
        script.press("x", .enter)
        #expect(script.sheet != nil)
        #expect(script.notice == "not while the operation is accepted")
    }

    @Test func `giving up asks first, and the tab then asks anew`() throws {
        var script = try outbox(Self.operation("a", "held"))
        try script.answer(#"{"operations":[{"op":"a","collection":"forms","values":{"title":"Sea"}}]}"#)
        script.press("x")
        let index = try #require(script.sheet?.entries.firstIndex { $0.title == "Give up" })
        script.type("\(index + 1)")
        #expect(script.question?.text == "Give up 'Sea'?")
        script.press("y")
        #expect(script.questions == [#"outbox {"action":"drop","ops":["a"]}"#])
        try script.answer(#"{"changed":["a"],"refused":[],"missing":[],"clock":"1.1"}"#)
        #expect(script.notice == "It was given up.")
        #expect(script.questions == [#"outbox {"state":"stuck","limit":200}"#])
    }

    @Test func `a doubt about a new record ends with the id that the upstream gave`() throws {
        var script = try outbox(
            #"{"op":"a","collection":"forms","id":"a","action":"create","state":"uncertain","attempts":1}"#)
        try script.answer(#"{"operations":[]}"#)
        script.press("x")
        let index = try #require(script.sheet?.entries.firstIndex { $0.title == "It was done" })
        script.type("\(index + 1)")
        script.type("77")
        script.press(.enter)
        #expect(script.questions == [#"outbox {"action":"resolve","ops":["a"],"as":"done","id":"77"}"#])
        try script.answer(#"{"changed":[],"refused":[{"op":"a","state":"queued"}],"missing":[]}"#)
        #expect(script.notice == "Not done: the operation is queued, or not yours.")
    }

    @Test func `a rejected operation is tried again with other values`() throws {
        var script = try outbox(Self.operation("a", "rejected"))
        try script.answer(#"{"operations":[]}"#)
        script.press("x", "2")
        #expect(script.questions == [#"outbox {"action":"get","ops":["a"]}"#])
        try script.answer(#"{"operations":[{"op":"a","values":{"title":"Far too long","kind":"card"}}]}"#)
        script.press(.tab, .control("u"))
        script.type("Short")
        script.press(.control("s"))
        #expect(script.questions == [#"outbox {"action":"retry","ops":["a"],"fields":{"title":"Short"}}"#])
        try script.refuse("invalid", "x", #","errors":[{"field":"title","kind":"length","message":"still too long"}]"#)
        #expect(script.form?.fields[1].problems.map(\.message) == ["still too long"])
        script.press(.control("s"))
        try script.answer(#"{"changed":["a"],"refused":[],"missing":[],"clock":"1.1"}"#)
        #expect(script.top == nil && script.notice == "It is tried again.")
    }

    @Test func `the actions of a record offer a look at its operations`() throws {
        var script = try LayerScript(LayerExample.forms(to: "upstream"))
        try script.perform(
            .actions,
            on: #"{"id":"7","pending":{"state":"stuck","ops":[{"op":"a","action":"update","state":"rejected"}]}}"#)
        #expect(script.sheet?.entries.last?.title == "Operation: Edit")
        #expect(script.sheet?.entries.last?.note == "rejected")
        script.press(.end, .enter)
        #expect(script.questions == [#"outbox {"action":"get","ops":["a"]}"#])
        // A collection that is only read offers nothing.
        script = try LayerScript(LayerExample.books)
        try script.perform(.actions, on: #"{"id":"7"}"#)
        #expect(script.top == nil && script.notice?.contains("read-only") == true)
    }

    @Test func `an operation opens with its values and attempts`() throws {
        var script = try outbox(Self.operation("a", "rejected"))
        try script.answer(#"{"operations":[]}"#)
        script.press(.enter)
        #expect(script.questions == [#"outbox {"action":"get","ops":["a"]}"#])
        try script.answer(#"{"operations":[\#(Self.operation("a", "rejected", #","values":{"title":"Sea"}"#))]}"#)
        guard case .operation(let layer)? = script.top else { throw Missing() }
        #expect(layer.title == "Sea" && script.stack.area == .outbox)
        script.press("x")
        #expect(script.sheet?.title == "Operation: Sea")
        script.press(.escape, .escape)
        #expect(script.top == nil)
    }
}
