// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsTerminal
import Testing

@testable import ClaimsBrowse

@Suite struct HealthTests {
    private func status() throws -> LayerScript {
        var script = try LayerScript(LayerExample.books, LayerExample.forms())
        script.area = .status
        script.take(.opened)
        return script
    }

    @Test func `the attempts of each collection are asked for one after the other, and again after a minute`() throws {
        var script = try status()
        #expect(script.questions == [#"refreshes {"collection":"books","limit":1000}"#])
        try script.answer(
            #"""
            {"refreshes":[{"number":2,"collection":"books","at":"2026-11-20T08:00:00.000Z","duration_ms":40,
            "outcome":"failed","records":null},{"number":1,"collection":"books","at":"2026-11-20T07:00:00.000Z",
            "duration_ms":30,"outcome":"updated","records":12}]}
            """#)
        #expect(script.questions == [#"refreshes {"collection":"forms","limit":1000}"#])
        try script.refuse("unknown_method")
        #expect(script.asked.isEmpty)
        let plot = try #require(
            script.stack.health.plot(
                of: "books", at: BrowseMoment(wall: 1_795_162_382_000, monotonic: 0), slots: 24))
        #expect(plot.lastRecords == 12 && plot.lastDuration == 40)
        script.now = try #require(script.stack.wakeAt)
        script.take(.woken)
        #expect(script.asked.count == 1)
    }

    @Test func `Enter shows the tab of the selected collection`() throws {
        var script = try status()
        script.press(.down, .down, .enter)
        #expect(script.changes == ["show forms"])
    }

    @Test func `moves stay with the collections, then scroll to what stands below them`() throws {
        var script = try status()
        script.press(.down)
        #expect(script.stack.health.selected == 1)
        script.press(.down, .down)
        #expect(script.stack.health.selected == 1 && script.stack.health.scroll == 2)
        script.press(.character("G"))
        #expect(script.stack.health.scroll == 20)
        script.press(.up)
        #expect(script.stack.health.selected == 1 && script.stack.health.scroll == 19)
        script.press(.home)
        #expect(script.stack.health.selected == 0 && script.stack.health.scroll == 0)
        script.press(.pageDown)
        #expect(script.stack.health.scroll == 10)
    }

    @Test func `another tab stops asking, and a new connection begins anew`() throws {
        var script = try status()
        script.take(.hidden)
        try script.answer(#"{"refreshes":[]}"#)
        #expect(script.asked.isEmpty && script.stack.wakeAt == nil)
        script.take(.opened)
        script.lose()
        script.reconnect()
        #expect(script.questions == [#"refreshes {"collection":"books","limit":1000}"#])
    }
}
