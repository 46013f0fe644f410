// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsClient
import ClaimsJSON
import ClaimsPlatform
import ClaimsTerminal
import Testing

@testable import ClaimsBrowse

@Suite struct FormTests {
    private static let record = #"{"id":"7","kind":"card","title":"Old","amount":12.50,"links":["3"]}"#
    private static let done =
        #"{"op":"u","id":"u","action":"create","state":"done","changed":["kind","title"],"record":{"id":"u","title":"New"}}"#

    private func create(_ to: String = "local") throws -> LayerScript {
        var script = try LayerScript(LayerExample.forms(to: to))
        try script.perform(.add)
        return script
    }

    /// A form over the record above, which has come.
    private func edit() throws -> LayerScript {
        var script = try LayerScript(LayerExample.forms())
        try script.perform(.edit, on: #"{"id":"7","title":"Old"}"#)
        #expect(script.questions == [#"detail {"collection":"forms","id":"7"}"#])
        try script.answer(#"{"record":\#(Self.record)}"#)
        return script
    }

    @Test func `the fields of the schema come in its order with their marks`() throws {
        let form = try #require(try create().form)
        #expect(form.fields.map(\.name) == ["kind", "title", "note", "amount", "links"])
        #expect(form.fields.map(\.isRequired) == [true, true, false, false, false])
        #expect(form.title == "New form")
        #expect(form.files.count == 1)
    }

    @Test func `arrows and letters choose a code, and a required one can only be another`() throws {
        var script = try create()
        #expect(script.form?.fields[0].choice == nil)
        script.press(.right)
        #expect(script.form?.fields[0].choice == 0)
        script.press(.left)
        #expect(script.form?.fields[0].choice == 2)
        script.press(.right)
        #expect(script.form?.fields[0].choice == 0)
        script.type("ll")
        #expect(script.form?.fields[0].choice == 2)
    }

    @Test func `a field that is left is checked by the daemon, and only fields that were visited show problems`() throws
    {
        var script = try create()
        script.press(.right, .tab)
        #expect(
            script.questions == [
                #"submit {"collection":"forms","action":"create","fields":{"kind":"card"},"dry_run":true}"#
            ])
        script.type("Far too long")
        script.press(.tab)
        try script.refuse(
            "invalid", "x", #","errors":[{"field":"title","kind":"required","message":"a value is needed"}]"#)
        // The text that was typed meanwhile is checked once more.
        #expect(
            script.questions == [
                #"submit {"collection":"forms","action":"create","fields":{"kind":"card","title":"Far too long"},"dry_run":true}"#
            ])
        try script.refuse(
            "invalid", "x",
            #","errors":[{"field":"title","kind":"length","message":"too long"},{"field":"amount","kind":"type","message":"?"}]"#
        )
        #expect(script.form?.fields[1].problems.map(\.message) == ["too long"])
        #expect(script.form?.fields[3].problems.isEmpty == true)
        // A key in the field takes the message away.
        script.press(.backTab, .backspace)
        #expect(script.form?.fields[1].problems.isEmpty == true)
    }

    @Test func `a preview comes before anything is submitted, and the operation closes the form`() throws {
        var script = try create()
        script.press(.right, .tab)
        try script.answer(Self.done)
        script.type("New")
        script.press(.control("s"))
        let preview = script.operation
        #expect(script.questions.last?.contains(#""dry_run":true"#) == true)
        try script.answer(Self.done)
        guard case .preview? = script.form?.phase else { throw Missing() }
        script.press(.control("s"))
        #expect(
            script.questions == [
                #"submit {"collection":"forms","action":"create","fields":{"kind":"card","title":"New"}}"#
            ])
        #expect(script.operation == preview)
        try script.answer(Self.done)
        #expect(script.top == nil)
        #expect(script.notice == "Added: New")
        #expect(script.changes == ["added u"])
    }

    @Test func `a refused preview shows each problem under its field, and goes to the first one`() throws {
        var script = try create()
        script.press(.right, .tab, .tab, .tab, .control("s"))
        // The check of one field is not wanted any more.
        #expect(script.asked.count == 1)
        try script.refuse(
            "invalid", "x",
            #","errors":[{"field":"title","kind":"required","message":"missing"},{"field":"scans","kind":"count","message":"no file"},{"field":"id","kind":"unknown","message":"odd"}]"#
        )
        let form = try #require(script.form)
        #expect(form.fields[1].problems.map(\.message) == ["missing"])
        #expect(form.focus == 1)
        #expect(form.files[0].problems.map(\.message) == ["no file"])
        #expect(form.problem == "id: odd")
    }

    @Test func `a lost answer repeats the same operation, once a connection stands`() throws {
        var script = try create()
        script.press(.right, .control("s"))
        try script.answer(Self.done)
        script.press(.enter)
        let op = script.operation
        script.lose()
        guard case .unanswered? = script.form?.phase else { throw Missing() }
        script.reconnect()
        #expect(script.operation == op && op != nil)
        try script.answer(Self.done.dropLast() + #","repeated":true}"#)
        #expect(script.notice == "Added: New (it had arrived before)")
    }

    @Test func `an edit gives what was changed, and expects what was there`() throws {
        var script = try edit()
        script.press(.tab)
        script.press(.control("u"))
        script.type("Better")
        script.press(.control("s"))
        let expected = #""expect":{"kind":"card","title":"Old","note":null,"amount":12.50,"links":["3"]}"#
        #expect(
            script.questions == [
                #"submit {"collection":"forms","action":"update","id":"7","fields":{"title":"Better"},\#(expected),"dry_run":true}"#
            ])
    }

    @Test func `a conflict shows both values, keeps what was typed, and the next ^S knows what is there`() throws {
        var script = try edit()
        script.press(.tab, .control("u"))
        script.type("Mine")
        script.press(.control("s"))
        try script.refuse(
            "conflict", "changed",
            #","expected":{"title":"Old","amount":12.50},"served":{"title":"Theirs","amount":13}"#)
        let form = try #require(script.form)
        #expect(form.fields[1].text == "Mine" && form.fields[1].served == "Theirs")
        #expect(form.fields[3].text == "13" && form.fields[3].served == nil)
        script.press(.control("s"))
        #expect(script.questions.first?.contains(#""fields":{"title":"Mine"}"#) == true)
        #expect(script.questions.first?.contains(#""title":"Theirs""#) == true)
    }

    @Test func `Esc asks only if something was typed`() throws {
        var script = try edit()
        script.press(.escape)
        #expect(script.top == nil)
        script = try edit()
        script.press(.tab)
        script.type("x")
        script.press(.escape)
        #expect(script.question != nil)
        script.press("n")
        #expect(script.form != nil)
        script.press(.escape, "y")
        #expect(script.top == nil)
    }

    @Test func `a text of several lines keeps its lines, and arrows leave it at its ends`() throws {
        var script = try create()
        script.press(.tab, .tab)
        script.type("a")
        script.press(.enter)
        script.type("b")
        #expect(script.form?.fields[2].text == "a\nb")
        script.press(.up)
        #expect(script.form?.focus == 2)
        script.press(.up)
        #expect(script.form?.focus == 1)
    }

    @Test func `a text that is no JSON is told without the daemon, and nothing is submitted`() throws {
        var script = try create()
        script.press(.tab, .tab, .tab, .tab)
        script.type("[1")
        script.press(.control("s"))
        #expect(script.form?.fields[4].problems.first?.message.hasPrefix("not JSON") == true)
        #expect(script.form?.focus == 4)
        #expect(script.questions.isEmpty)
    }

    @Test func `an operation that was done shows in the detail below`() throws {
        var script = try LayerScript(LayerExample.forms())
        try script.perform(.open, on: #"{"id":"7"}"#)
        try script.answer(#"{"record":\#(Self.record)}"#)
        try script.answer(#"{"versions":[]}"#)
        script.run { stack, context in
            guard let target = stack.target else { return .stay }
            let subject = ActionSubject(target: target, area: .detail)
            return stack.perform(.edit, on: subject, &context)
        }
        // All of the record is here already.
        #expect(script.asked.isEmpty)
        script.press(.right, .control("s"))
        try script.answer(Self.done)
        script.press(.enter)
        try script.answer(#"{"op":"u","id":"7","action":"update","state":"done","changed":["kind"]}"#)
        #expect(script.detail != nil)
        #expect(script.questions.first == #"detail {"collection":"forms","id":"7"}"#)
        #expect(script.changes == ["changed 7"])
    }

    @Test func `a day that is none is told before the daemon is asked, and a good one goes out exactly`() throws {
        var script = try LayerScript(
            #"""
            {"name":"notes","title":"Notes","singular":"note","list":["id"],"fields":[{"name":"id","type":"id"},
            {"name":"due","type":"date"},{"name":"at","type":"instant"}],"vocabularies":{},"groups":[],"sort":["id"],
            "writes":{"to":"local","actions":[{"name":"create","title":"Add","role":"write","granted":true,
            "fields":{"type":"object","properties":{"due":{"type":["string"]},"at":{"type":["string","null"]}}}}]}}
            """#)
        try script.perform(.add)
        script.type("2036-13-01")
        script.press(.tab)
        #expect(script.form?.fields[0].problems.map(\.message) == ["not a date: such as 2036-01-31, tomorrow or +30d"])
        script.type("2036-01-31 14:30")
        script.press(.control("s"))
        #expect(script.asked.isEmpty && script.form?.focus == 0)
        script.press(.control("u"))
        script.type("2036-01-31")
        script.press(.control("s"))
        let values = #"{"due":"2036-01-31","at":"2036-01-31T14:30:00.000Z"}"#
        #expect(
            script.questions == [#"submit {"collection":"notes","action":"create","fields":\#(values),"dry_run":true}"#]
        )
    }

    @Test func `a moment stands in the form by the person's clocks, and counts as changed only if it is`() throws {
        var script = try LayerScript(
            #"""
            {"name":"notes","title":"Notes","singular":"note","list":["id"],"fields":[{"name":"id","type":"id"},
            {"name":"at","type":"instant"},{"name":"title","type":"text"}],"vocabularies":{},"groups":[],"sort":["id"],
            "writes":{"to":"local","actions":[{"name":"update","title":"Edit","role":"write","granted":true,
            "fields":{"type":"object","properties":{"at":{"type":["string","null"]},"title":{"type":"string"}}}}]}}
            """#)
        script.zone = try TimeZoneRules.load("Europe/Warsaw")
        try script.perform(.edit, on: #"{"id":"7"}"#)
        try script.answer(#"{"record":{"id":"7","at":"2026-12-01T10:00:00.000Z","title":"a"}}"#)
        #expect(script.form?.fields[0].text == "2026-12-01 11:00")
        #expect(script.form?.fields[0].value == "2026-12-01T10:00:00.000Z")
        script.press(.backspace)
        script.type("0")
        #expect(script.form?.fields[0].isChanged == false)
        script.press(.backspace)
        script.type("5")
        script.press(.control("s"))
        #expect(script.questions.last?.contains(#""fields":{"at":"2026-12-01T10:05:00.000Z"}"#) == true)
    }

    @Test func `a file is sent as its path is left, shows how far it is, and is attached`() throws {
        var script = try create()
        script.press(.right, .pageDown)
        try script.answer(Self.done)
        script.take(.paste("'/home/a/my scan.png' "))
        script.press(.tab)
        guard case .upload(let number, "/home/a/my scan.png", "forms")? = script.commands.last else { throw Missing() }
        #expect(script.form?.files.count == 2)
        script.press(.control("s"))
        #expect(script.notice?.contains("still being sent") == true)
        script.take(.performed(.uploading(number, sent: 10, size: 20)))
        #expect(script.form?.files[0].state == .sending(number, sent: 10, size: 20))
        let file = SentFile(upload: "u1", name: "my scan.png", type: "image/png", size: 20)
        script.take(.performed(.uploaded(number, file)))
        // The preview that was asked for comes by itself.
        #expect(script.questions.last?.contains(#""attach":["u1"]"#) == true)
    }

    @Test func `a file that the daemon does not take says why, and its path can be mended`() throws {
        var script = try create()
        script.press(.pageDown)
        script.type("/tmp/x")
        script.press(.tab)
        guard case .upload(let number, _, _)? = script.commands.last else { throw Missing() }
        script.take(.performed(.notUploaded(number, reason: "no such file")))
        #expect(script.form?.files[0].state == .failed("no such file"))
        script.press(.backTab, .backspace)
        #expect(script.form?.files[0].state == .typed)
    }

    @Test func `a file of another type is refused with the types that are taken, and without a field's name`() throws {
        let error = try LayerScript.value(
            #"""
            {"code":1,"message":"invalid: scans: of another type","data":{"kind":"invalid","errors":[{"field":"scans",
            "kind":"type","message":"of another type","hint":"types that are taken: image/png"}]}}
            """#)
        #expect(Messages.english.transferRefused(Refusal(error)) == "of another type (types that are taken: image/png)")
        let other = try LayerScript.value(#"{"code":1,"message":"busy","data":{"kind":"busy","hint":"later"}}"#)
        #expect(Messages.english.transferRefused(Refusal(other)) == "busy (later)")
    }

    @Test func `what a file may be is told where its path is typed, and again where a preview refuses it`() throws {
        var script = try create()
        script.press(.right, .pageDown)
        try script.answer(Self.done)
        #expect(lines(script).contains { $0.hasSuffix("path of a file (png, at most 1.0 MiB)") })
        script.press(.control("s"))
        try script.refuse(
            "invalid", "x",
            #","errors":[{"field":"scans","kind":"count","message":"no file","hint":"at least 1 is needed"}]"#)
        #expect(lines(script).contains { $0.hasSuffix("! no file (at least 1 is needed)") })
    }

    /// The lines of the form on top.
    private func lines(_ script: LayerScript) -> [String] {
        guard let form = script.form else { return [] }
        let time = LocalTime(zone: .utc, now: 0, messages: .english)
        return FormContent(state: form, collection: script.collections[0], time: time).lines(width: 76).lines.map(
            \.text)
    }

    @Test func `a preview that waits for a file does not come where that fails, or somebody types on`() throws {
        var script = try create()
        script.press(.right, .pageDown)
        try script.answer(Self.done)
        script.type("/tmp/x")
        script.press(.control("s"))
        guard case .upload(let first, _, _)? = script.commands.last else { throw Missing() }
        script.take(.performed(.notUploaded(first, reason: "no such file")))
        #expect(script.notice == "x: no such file" && script.asked.isEmpty)
        script.press(.backspace)
        script.type("y")
        script.press(.control("s"), .up)
        guard case .upload(let second, _, _)? = script.commands.last else { throw Missing() }
        let file = SentFile(upload: "u1", name: "y", type: "image/png", size: 20)
        script.take(.performed(.uploaded(second, file)))
        #expect(!script.questions.contains { $0.contains("attach") })
    }

    @Test func `a file of a local record can be taken away and kept after all`() throws {
        let hash = String(repeating: "a", count: 64)
        var script = try LayerScript(LayerExample.forms())
        try script.perform(.edit, on: #"{"id":"7"}"#)
        try script.answer(
            #"{"record":{"id":"7","kind":"card","title":"Old","scans":[{"name":"a.png","type":"image/png","size":3,"sha256":"\#(hash)"}]}}"#
        )
        script.press(.tab, .tab, .tab, .tab, .tab, .delete)
        #expect(script.form?.files[0].state == .detached(reference: hash))
        script.press(.control("s"))
        #expect(script.questions.last?.contains(#""detach":["\#(hash)"]"#) == true)
        try script.refuse("invalid")
        script.press(.left)
        #expect(script.form?.files[0].state == .kept(reference: hash))
        #expect(script.form?.entries.isChanged == false)
    }

    @Test func `an action without fields shows its preview at once`() throws {
        var script = try LayerScript(LayerExample.forms(to: "upstream"))
        try script.perform(.actions, on: #"{"id":"7","title":"Old"}"#)
        #expect(script.sheet?.entries.map(\.title) == ["Edit", "Delete", "Renew"])
        script.press("3")
        try script.answer(#"{"record":{"id":"7","title":"Old"}}"#)
        #expect(script.questions == [#"submit {"collection":"forms","action":"renew","id":"7","dry_run":true}"#])
        try script.refuse("not_allowed", "only for records that match kind=card")
        #expect(script.top == nil)
        #expect(script.notice == "only for records that match kind=card")
    }

    @Test func `an action whose condition the record does not match is refused at once, and stands last`() throws {
        var script = try LayerScript(LayerExample.forms())
        try script.perform(.actions, on: #"{"id":"it's \"7\"","title":"Old"}"#)
        #expect(script.questions.count == 1)
        #expect(script.questions[0].contains(#""filter":"id=\"it's \\\"7\\\"\" and (kind=card)""#))
        try script.answer(#"{"total":0}"#)
        #expect(script.sheet?.entries.last?.obstacle == "only where kind=card")
        script.press(.end, .enter)
        #expect(script.sheet != nil && script.form == nil)
        #expect(script.notice == "only where kind=card")
    }

    @Test func `what can be done stands before what cannot`() throws {
        var script = try LayerScript(LayerExample.forms())
        let operation = try LayerScript.value(#"{"op":"a","collection":"forms","action":"update","state":"conflict"}"#)
        script.run { stack, context in
            stack.open(SheetState.verbs(operation, title: "Sea", &context), &context)
        }
        let obstacles = script.sheet?.entries.map { $0.obstacle != nil } ?? []
        #expect(obstacles.first == false && obstacles.last == true)
        #expect(obstacles == obstacles.filter { !$0 } + obstacles.filter { $0 })
    }

    @Test func `where one may not write, the role is named`() throws {
        var script = try LayerScript(LayerExample.forms(granted: false))
        try script.perform(.add)
        #expect(script.top == nil)
        #expect(script.notice?.contains("write:forms") == true)
        script = try LayerScript(LayerExample.books)
        script.language = "pl"
        try script.perform(.add)
        #expect(script.notice?.contains("brak writes") == true)
    }
}

/// Something that a test waited for did not come.
struct Missing: Error {}
