// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import ClaimsBrowse

@Suite struct RecordTasksTests {
    private static let book = #"{"id":"7","title":"Sea"}"#

    private func books() throws -> LayerScript { try LayerScript(LayerExample.books) }

    @Test func `a record is archived once, leaves with the answer, and u takes it back`() throws {
        var script = try books()
        try script.perform(.archive, on: Self.book)
        #expect(script.questions == [#"archive {"collection":"books","ids":["7"]}"#])
        // A key that is held down does nothing more.
        try script.perform(.archive, on: Self.book)
        #expect(script.asked.count == 1)
        try script.answer(#"{"changed":["7"],"unchanged":[],"missing":[],"clock":"1.1"}"#)
        #expect(script.changes == ["archived 7"])
        #expect(script.notice == "Archived 7 · u undoes")
        try script.perform(.undo)
        #expect(script.questions == [#"unarchive {"collection":"books","ids":["7"]}"#])
        try script.answer(#"{"changed":["7"],"unchanged":[],"missing":[],"clock":"1.2"}"#)
        #expect(script.changes == ["archived 7", "unarchived 7"])
        try script.perform(.undo)
        #expect(script.asked.isEmpty)
    }

    @Test func `an archived record is unarchived, and u archives it`() throws {
        var script = try books()
        try script.perform(.archive, on: #"{"id":"7","archived":true}"#)
        #expect(script.questions == [#"unarchive {"collection":"books","ids":["7"]}"#])
        try script.answer(#"{"changed":["7"],"unchanged":[],"missing":[],"clock":"1.1"}"#)
        try script.perform(.undo)
        #expect(script.questions == [#"archive {"collection":"books","ids":["7"]}"#])
    }

    @Test func `what was refused can be undone later, and a lost answer is asked for again`() throws {
        var script = try books()
        try script.perform(.archive, on: Self.book)
        script.lose()
        script.reconnect()
        #expect(script.questions == [#"archive {"collection":"books","ids":["7"]}"#])
        try script.answer(#"{"changed":[],"unchanged":["7"],"missing":[],"clock":"1.1"}"#)
        #expect(script.changes == ["archived 7"])
        try script.perform(.archive, on: #"{"id":"8"}"#)
        try script.answer(#"{"changed":["8"],"unchanged":[],"missing":[],"clock":"1.1"}"#)
        try script.perform(.undo)
        try script.refuse("storage_full", "the disk is full")
        #expect(script.notice == "the disk is full")
        try script.perform(.undo)
        #expect(script.questions == [#"unarchive {"collection":"books","ids":["8"]}"#])
    }

    @Test func `at most a hundred steps are kept`() throws {
        var script = try books()
        for id in 0...ArchiveSteps.maxSteps {
            try script.perform(.archive, on: #"{"id":"\#(id)"}"#)
            try script.answer(#"{"changed":["\#(id)"],"unchanged":[],"missing":[],"clock":"1.1"}"#)
        }
        #expect(script.stack.recordTasks.undoable.steps.count == ArchiveSteps.maxSteps)
        #expect(script.stack.recordTasks.undoable.steps.first?.ids == ["1"])
    }

    @Test func `without the role or the setting nothing is asked`() throws {
        var script = try books()
        script.roles = ["read"]
        try script.perform(.archive, on: Self.book)
        #expect(script.notice?.contains("role archive") == true)
        script = try LayerScript(LayerExample.forms())
        try script.perform(.archive, on: Self.book)
        #expect(script.notice?.contains("archive: false") == true)
        try script.perform(.deal)
        #expect(script.notice?.contains("no deal") == true)
        #expect(script.asked.isEmpty)
    }

    @Test func `a delete asks, and then goes out with an operation that is repeated as it is`() throws {
        var script = try LayerScript(LayerExample.forms())
        try script.perform(.actions, on: Self.book)
        script.press(.down, .enter)
        #expect(script.question?.text == "Delete 'Sea'?")
        script.press(.enter)
        #expect(script.top == nil && script.asked.isEmpty)
        try script.perform(.actions, on: Self.book)
        script.press(.down, .enter, "y")
        #expect(script.questions == [#"submit {"collection":"forms","action":"delete","id":"7"}"#])
        let op = script.operation
        script.lose()
        script.reconnect()
        #expect(script.operation == op && op != nil)
        try script.answer(#"{"op":"u","id":"7","action":"delete","state":"queued","changed":[]}"#)
        #expect(script.changes == ["deleted 7"])
        #expect(script.notice == "Deleted: Sea · queued")
    }

    @Test func `an id is copied at once, a record after it was asked for`() throws {
        var script = try books()
        try script.perform(.copyID, on: Self.book)
        guard case .copy("7")? = script.commands.last else { throw Missing() }
        try script.perform(.copyRecord, on: Self.book)
        try script.answer(#"{"record":{"id":"7","title":"Sea","shelf":"a"}}"#)
        guard case .copy(#"{"id":"7","title":"Sea","shelf":"a"}"#)? = script.commands.last else { throw Missing() }
        script.take(.performed(.copied("7")))
        #expect(script.notice == "Copied: 7")
    }

    @Test func `one address is opened, of several one is chosen, and other addresses are none`() throws {
        var script = try books()
        try script.perform(.openAddress, on: Self.book)
        try script.answer(#"{"record":{"id":"7","home":"https://a.example","tags":["javascript:1"]}}"#)
        guard case .open(.address("https://a.example"))? = script.commands.last else { throw Missing() }
        try script.perform(.openAddress, on: Self.book)
        try script.answer(#"{"record":{"id":"7","home":"https://a.example","tags":["http://b.example"]}}"#)
        #expect(script.sheet?.entries.count == 2)
        script.press("2")
        guard case .open(.address("http://b.example"))? = script.commands.last else { throw Missing() }
        try script.perform(.openAddress, on: Self.book)
        try script.answer(#"{"record":{"id":"7"}}"#)
        #expect(script.notice?.contains("no file") == true)
    }

    @Test func `a deal opens, its stars move for a second, and its record can be looked at`() throws {
        var script = try books()
        try script.perform(.deal)
        try script.answer(#"{"record":{"id":"7","title":"Sea"},"message":"Read it!"}"#)
        guard case .deal(let deal)? = script.top else { throw Missing() }
        #expect(deal.message == "Read it!")
        var steps = 0
        while let time = script.stack.wakeAt {
            script.now = time
            script.take(.woken)
            steps += 1
        }
        #expect(steps == DealState.maxStep && script.now == 1_000_000_000)
        script.press(.enter)
        #expect(script.detail?.id == "7")
    }
}
