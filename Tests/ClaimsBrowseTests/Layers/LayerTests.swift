// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsClient
import Testing

@testable import ClaimsBrowse

@Suite struct LayerTests {
    private static let book = #"{"id":"7","title":"Sea"}"#

    private func books() throws -> LayerScript { try LayerScript(LayerExample.books) }

    @Test func `a detail asks for the record and its history, and J and K go on`() throws {
        var script = try books()
        try script.perform(.open, on: Self.book)
        #expect(
            script.questions == [
                #"detail {"collection":"books","id":"7"}"#, #"history {"collection":"books","id":"7","limit":50}"#,
            ])
        try script.answer(#"{"record":{"id":"7","title":"Sea","shelf":"a"}}"#)
        try script.answer(#"{"versions":[],"complete":true}"#)
        #expect(script.detail?.target.isWhole == true && script.detail?.history != nil)
        script.press("J", "K", "U")
        #expect(script.changes == ["step 1", "step -1"])
        #expect(script.detail?.showsUpstream == true)
        script.press(.escape)
        #expect(script.top == nil)
    }

    @Test func `a detail of a record that has gone keeps what it shows`() throws {
        var script = try books()
        try script.perform(.open, on: Self.book)
        try script.refuse("not_found", "no such record")
        #expect(script.detail?.refusal?.message == "no such record")
        script.take(.changed(collection: "books", id: "8"))
        #expect(script.asked.count == 1)
        script.take(.changed(collection: "books", id: "7"))
        #expect(script.asked.count == 2)
    }

    @Test func `a detail scrolls within its lines, and leaves other keys to the table`() throws {
        var script = try books()
        try script.perform(.open, on: Self.book)
        script.press(.pageDown, .pageDown, .pageDown, .up)
        #expect(script.detail?.scroll == 19)
        script.press("g")
        #expect(script.detail?.scroll == 0)
        script.press("a")
        #expect(script.asked.count == 2)
        #expect(script.stack.area == .detail && script.stack.target?.id == "7")
    }

    @Test func `the detail of a deleted record closes`() throws {
        var script = try LayerScript(LayerExample.forms())
        try script.perform(.open, on: Self.book)
        try script.answer(#"{"record":{"id":"7","title":"Sea"}}"#)
        try script.answer(#"{"versions":[]}"#)
        try script.perform(.actions, on: Self.book)
        script.press("2", "y")
        try script.answer(#"{"op":"u","id":"7","action":"delete","state":"done","changed":[]}"#)
        #expect(script.top == nil)
    }

    @Test func `the sheet of orders offers the default, named ones and listed fields, each both ways`() throws {
        var script = try books()
        try script.perform(.sort)
        #expect(script.sheet?.entries.map(\.title) == ["default", "recent", "id", "Title", "shelf"])
        script.press("-", .enter)
        try script.perform(.sort)
        script.press(.down, .enter)
        try script.perform(.sort)
        script.press(.end, "-", .enter)
        #expect(script.changes == ["books order -shelf,id", "books order recent", "books order -shelf"])
    }

    @Test func `the sheet of views begins with the one in force`() throws {
        var script = try books()
        try script.perform(.view, query: ListQuery(view: "new"))
        #expect(script.sheet?.selected == 1)
        script.press(.up, .enter)
        #expect(script.changes == ["books view none"])
    }

    @Test func `a search follows each letter, Enter keeps it, and Esc brings back what was before`() throws {
        var script = try books()
        try script.perform(.search, query: ListQuery(search: "se"))
        script.type("a")
        script.press(.enter)
        #expect(script.top == nil)
        try script.perform(.search, query: ListQuery(search: "sea"))
        script.press(.backspace, .escape)
        #expect(
            script.changes == ["books search sea", "books entered", "books search se", "books back to search sea"])
    }

    @Test func `a mistake in a filter keeps its line open until it is mended`() throws {
        var script = try books()
        try script.perform(.filter)
        script.type("sh")
        script.stack.report(InputProblem(message: "unknown field 'sh'", hint: nil, range: 0..<2))
        script.press(.enter)
        #expect(script.input?.problem != nil)
        script.press(.tab)
        #expect(script.input?.line.text == "shelf" && script.input?.problem == nil)
        #expect(script.changes.last == "books filter shelf")
        script.press(.control("u"), "t", .tab)
        #expect(script.input?.line.text == "t" && script.input?.completions == ["tags", "title"])
        script.press(.enter)
        #expect(script.top == nil)
    }

    @Test func `a paste goes into a line of input and nowhere else`() throws {
        var script = try books()
        script.take(.paste("rm"))
        try script.perform(.search)
        script.take(.paste("sea water"))
        #expect(script.changes == ["books search sea water"])
    }

    @Test func `help opens over anything and closes by its own key`() throws {
        var script = try books()
        try script.perform(.help)
        script.press(.down, "?")
        #expect(script.top == nil)
    }

    @Test func `what is held is accepted after a yes`() throws {
        var script = try books()
        script.accept("books", records: 12, insteadOf: 1000)
        #expect(script.question?.text == "Take 12 records instead of 1,000?")
        script.press("y")
        #expect(script.changes == ["accept books"])
        script.language = "pl"
        script.accept("books", records: 12, insteadOf: 1000)
        script.press("t")
        #expect(script.changes.count == 2)
        script.roles = ["read"]
        script.accept("books", records: 12, insteadOf: 1000)
        #expect(script.top == nil)
    }
}
