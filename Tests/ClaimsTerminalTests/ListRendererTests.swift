// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsClient
@testable import ClaimsTerminal
import Testing

struct ListRendererTests {
    private func render(
        _ description: String, _ answer: String, width: Int = 80, fields: [String] = [], isGrouped: Bool = false,
        isWide: Bool = false, showsArchived: Bool = false, isColored: Bool = false
    ) throws -> [String] {
        let collection = try Example.collection(description)
        var renderer = ListRenderer(
            collections: [collection], single: collection, fields: fields, isWide: isWide, showsArchived: showsArchived,
            width: width, isColored: isColored, time: Example.time)
        let text = renderer.render(try Example.value(answer), isGrouped: isGrouped)
        return text.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init)
    }

    @Test func `a list stands in columns under its headings`() throws {
        let lines = try render(
            Example.units,
            #"{"records":[{"id":"7","name":"Pump","status":"ok"},{"id":"12","name":"Łódź 日本","status":"faulty"}]}"#)
        #expect(
            lines == [
                "ID  NAME       STATUS",
                "7   Pump       OK",
                "12  Łódź 日本  [Faulty]",
            ])
    }

    @Test func `what is absent leaves its column empty`() throws {
        #expect(
            try render(Example.units, #"{"records":[{"id":"7"},{"id":"8","status":"ok"}]}"#).dropFirst() == [
                "7", "8         OK",
            ])
    }

    @Test func `a long text takes the lines it may, one less beside a badge`() throws {
        let name = "A control unit with a name that is far too long"
        let lines = try render(
            Example.units,
            #"{"records":[{"id":"1","name":"\#(name)","status":"ok"},{"id":"2","name":"\#(name)","status":"faulty"}]}"#,
            width: 54)
        func line(_ id: String, _ name: String, _ status: String) -> String {
            "\(Fitting.pad(id, to: 2))  \(Fitting.pad(name, to: 40))  \(status)"
        }
        #expect(
            lines == [
                line("ID", "NAME", "STATUS"), line("1", "A control unit with a name that is far", "OK"), "    too long",
                line("2", "A control unit with a name that is far…", "[Faulty]"),
            ])
    }

    @Test func `a terminal too narrow for columns gets cards`() throws {
        let lines = try render(
            Example.units, #"{"records":[{"id":"1","name":"A control unit with a long name","status":"faulty"}]}"#,
            width: 22)
        #expect(lines == ["A control unit with a…", "  status [Faulty] · 1"])
    }

    @Test func `groups stand under headings with their totals`() throws {
        let lines = try render(
            Example.packs,
            #"{"records":[{"id":"1","status":"CREATED","sender":"A"},{"id":"2","status":"DELIVERED"}],"#
                + #""groups":[{"key":"moving","label":"On the way","total":1200},{"key":"done","label":"Done","total":1}]}"#,
            isGrouped: true)
        #expect(
            lines == [
                "ID  STATUS     SENDER", "On the way (1,200)", "1   Created    A", "", "Done (1)", "2   Delivered",
            ])
    }

    @Test func `a group goes on across pages without a second heading`() throws {
        let collection = try Example.collection(Example.packs)
        var renderer = ListRenderer(
            collections: [collection], single: collection, width: 80, isColored: false, time: Example.time)
        let page = try Example.value(#"{"records":[{"id":"1","status":"CREATED","sender":"A"}]}"#)
        let first = renderer.render(page, isGrouped: true)
        let second = renderer.render(page, isGrouped: true)
        #expect(first.hasPrefix("ID  STATUS"))
        #expect(second == "1   Created  A\n")
    }

    @Test func `several collections stand under their titles with columns of their own`() throws {
        let collections = [try Example.collection(Example.units), try Example.collection(Example.packs)]
        var renderer = ListRenderer(
            collections: collections, single: nil, width: 80, isColored: false, time: Example.time)
        let answer = try Example.value(
            #"{"records":[{"collection":"packs","id":"1","sender":"A"},{"collection":"units","id":"7","name":"Pump"}],"#
                + #""totals":{"packs":1,"units":9}}"#)
        #expect(
            renderer.render(answer, isGrouped: false)
                == "Packs (1)\nID  STATUS  SENDER\n1           A\n\nUnits (9)\nID  NAME  STATUS\n7   Pump\n")
    }

    @Test func `wide shows all fields and cuts nothing`() throws {
        let tags = #"["a","b"]"#
        let lines = try render(
            Example.units,
            #"{"records":[{"id":"7","name":"Pump","status":"ok","seen_at":"2026-11-20T08:01:02.000Z","load":10.50,"on":true,"tags":\#(tags)}]}"#,
            width: 20, isWide: true)
        #expect(lines[0] == "ID  NAME  STATUS  PROTOCOL  SEEN AT      LOAD  ON   TAGS")
        #expect(lines[1] == "7   Pump  OK                12 min ago  10.50  yes  " + tags)
    }

    @Test func `the fields asked for are the columns, unknown ones included`() throws {
        let lines = try render(
            Example.units, #"{"records":[{"id":"7","status":"not_reachable","status.raw":"ODD"}]}"#,
            fields: ["status.raw", "id"])
        #expect(lines == ["STATUS.RAW  ID", "ODD         7"])
    }

    @Test func `archived records are told apart where both are shown`() throws {
        let lines = try render(
            Example.packs, #"{"records":[{"id":"1","archived":true},{"id":"2"}]}"#, showsArchived: true)
        #expect(lines == ["ID  STATUS  SENDER  ARCHIVED", "1                   yes", "2"])
    }

    @Test func `without colour there is no escape, with colour the text is the same`() throws {
        let answer = #"{"records":[{"id":"2","name":"x\u001b[31m","status":"faulty"}]}"#
        let plain = try render(Example.units, answer)
        #expect(!plain.joined().contains("\u{1B}"))
        #expect(plain[1].contains(#"x\x1b[31m"#))
        let colored = try render(Example.units, answer, isColored: true)
        #expect(colored.joined().contains("\u{1B}[1;31m[Faulty]\u{1B}[0m"))
        #expect(colored.map { $0.withoutColors() } == plain)
    }

    @Test func `columns line up whatever the script`() throws {
        let names = ["plain", "日本語のなまえ", "e\u{301}te\u{301}", "👩‍👩‍👧‍👦 family", "한국"]
        let records = names.map { #"{"id":"1","name":"\#($0)","status":"ok"}"# }.joined(separator: ",")
        let lines = try render(Example.units, "{\"records\":[\(records)]}")
        let ends = Set(lines.map { Measure.cells($0.withoutColors(), before: $0.hasSuffix("OK") ? "OK" : "STATUS") })
        #expect(ends.count == 1, "\(lines)")
    }
}
