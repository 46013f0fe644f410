// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import ClaimsBrowse

/// The sheet of actions, whose conditions the daemon answers after it has opened.
@Suite struct SheetTests {
    /// A collection with these actions; each is only for records of a kind with the same name.
    private static func collection(_ actions: String...) -> String {
        let list = actions.map { name in
            let condition = name.hasPrefix("any") ? "" : #","when":"kind=\#(name)""#
            return #"""
                {"name":"\#(name)","title":"\#(name)","role":"write:cards","granted":true\#(condition),
                "fields":{"type":"object","properties":{}}}
                """#
        }
        return #"""
            {"name":"cards","title":"Cards","singular":"card","archive":false,"deal":false,"list":["id"],
            "fields":[{"name":"id","type":"id"},{"name":"kind","type":"text"}],"vocabularies":{},"groups":[],
            "sort":["id"],"writes":{"to":"local","actions":[\#(list.joined(separator: ","))]}}
            """#
    }

    private static func opened(_ actions: String...) throws -> LayerScript {
        var script = try LayerScript(
            collection(actions.first ?? "", actions.dropFirst().first ?? "", actions.last ?? ""))
        try script.perform(.actions, on: #"{"id":"7"}"#)
        return script
    }

    private func titles(_ script: LayerScript) -> [String]? { script.sheet?.entries.map(\.title) }

    @Test func `after the last answer what can be done stands first, and the same entry is selected`() throws {
        var script = try Self.opened("any", "leaf", "any2")
        try script.answer(#"{"total":0}"#)
        #expect(titles(script) == ["any", "any2", "leaf"])
        #expect(script.sheet?.selected == 0)

        script = try Self.opened("leaf", "any", "letter")
        try script.answer(#"{"total":0}"#)
        #expect(titles(script) == ["leaf", "any", "letter"])
        try script.answer(#"{"total":1}"#)
        #expect(titles(script) == ["any", "letter", "leaf"])
        // The selected one cannot be done.
        #expect(script.sheet?.selected == 0)
    }

    @Test(arguments: [LayerEvent.key(.down), .wheel(1)]) func `no entry moves under a key or the wheel`(
        event: LayerEvent
    ) throws {
        var script = try Self.opened("leaf", "any", "any2")
        script.take(event)
        try script.answer(#"{"total":0}"#)
        #expect(titles(script) == ["leaf", "any", "any2"])
        #expect(script.sheet?.selected == 1)
        #expect(script.sheet?.entries[0].obstacle == "only where kind=leaf")
    }

    @Test func `a condition that the daemon cannot tell keeps no other entry from its number`() throws {
        var script = try Self.opened("leaf", "letter", "any")
        try script.answer(#"{"total":0}"#)
        try script.refuse("busy")
        #expect(titles(script) == ["letter", "any", "leaf"])
    }

    @Test func `another order is new to the one who types, and the same order is not`() throws {
        var script = try Self.opened("leaf", "any", "any2")
        #expect(script.stack.prompt == nil)
        try script.answer(#"{"total":0}"#)
        #expect(script.stack.prompt?.isNew(after: nil) == true)

        script = try Self.opened("any", "any2", "leaf")
        try script.answer(#"{"total":0}"#)
        #expect(script.stack.prompt == nil)
    }
}
