// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsClient
import ClaimsModel
import ClaimsPlatform
import ClaimsTestSupport
import Testing

@testable import ClaimsTerminal

/// Each format shows the same result in its own way, and asks for no more than it needs.
@Suite struct PrinterTests {
    /// The bytes that a printer wrote, as text.
    private func printed(
        terminal: Int? = nil, _ make: (Console) -> any Printer, _ body: (any Printer) throws -> Void
    ) throws -> String {
        let surroundings = Surroundings(
            environment: { _ in nil }, isTerminal: { $0 == 1 && terminal != nil },
            terminalSize: { terminal.map { ($0, 24) } }, now: { Example.now }, zoneName: { "UTC" }, zone: { .utc })
        let output = Output(descriptor: nil)
        let console = Console(
            surroundings, output: output, errors: Output(descriptor: nil), color: .never, isPaged: false)
        try body(make(console))
        try console.flush()
        return String(decoding: output.bytes, as: UTF8.self)
    }

    private func presentation() throws -> Presentation {
        var rows = TableRows([("id", LayoutColumn(heading: "ID")), ("outcome", LayoutColumn(heading: "OUTCOME"))])
        rows.append([("7", Cell("7")), ("a\tb", Cell("shown"))])
        var presentation = Presentation(try Example.value(#"{"changed":["7"]}"#), rows: rows)
        presentation.plain = Array("plain".utf8)
        return presentation
    }

    private static func text(_ console: Console) -> any Printer {
        TextPrinter(
            console, isWide: false, time: { Example.time }, wantsUpstream: false,
            messages: .english)
    }

    @Test func `TextPrinter lays the rows out as a table`() throws {
        let text = try printed(Self.text) { try $0.print(presentation()) }
        #expect(text == "ID  OUTCOME\n7   shown\n")
    }

    @Test func `JSONPrinter prints one document with the version of its schema`() throws {
        let text = try printed({ JSONPrinter($0) }) { try $0.print(presentation()) }
        #expect(text == #"{"schema_version":1,"changed":["7"]}"# + "\n")
    }

    @Test func `JSONPrinter prints the records of all pages in one document`() throws {
        let text = try printed({ JSONPrinter($0) }) { printer in
            try printer.printPage(Example.value(#"{"records":[{"id":"1"}],"total":2,"next":"c"}"#))
            try printer.printPage(Example.value(#"{"records":[{"id":"2"}],"total":2,"moved":true}"#))
            try printer.endList()
        }
        #expect(text == #"{"schema_version":1,"records":[{"id":"1"},{"id":"2"}],"total":2,"moved":true}"# + "\n")
    }

    @Test func `JSONPrinter prints nothing where the only record is missing, and an empty list where several are`()
        throws
    {
        let alone = try printed({ JSONPrinter($0) }) { try $0.endRecords(isAlone: true) }
        #expect(alone == "")
        let several = try printed({ JSONPrinter($0) }) { try $0.endRecords(isAlone: false) }
        #expect(several == #"{"schema_version":1,"results":[]}"# + "\n")
    }

    @Test func `JSONLinesPrinter prints a record a line`() throws {
        let text = try printed({ JSONLinesPrinter($0) }) { printer in
            try printer.printPage(Example.value(#"{"records":[{"id":"1"},{"id":"2"}]}"#))
        }
        #expect(text == "{\"id\":\"1\"}\n{\"id\":\"2\"}\n")
    }

    @Test func `SeparatedPrinter prints a line of names, and values as they are`() throws {
        let tsv = try printed({ SeparatedPrinter($0, .tsv, isAsked: true) }) { try $0.print(presentation()) }
        #expect(tsv == "id\toutcome\n7\ta\\tb\n")
        let csv = try printed({ SeparatedPrinter($0, .csv, isAsked: true) }) { try $0.print(presentation()) }
        #expect(csv == "id,outcome\n7,a\tb\n")
    }

    @Test func `SeparatedPrinter begins a spreadsheet with the mark of UTF-8, once`() throws {
        let text = try printed({ SeparatedPrinter($0, .spreadsheet, isAsked: true) }) { printer in
            try printer.print(presentation())
            try printer.printPart(presentation(), isFirst: false)
        }
        #expect(text == "\u{FEFF}id,outcome\r\n7,a\tb\r\n7,a\tb\r\n")
    }

    @Test func `SeparatedPrinter prints a plain value into a pipe that asked for no format`() throws {
        let text = try printed({ SeparatedPrinter($0, .tsv, isAsked: false) }) { try $0.print(presentation()) }
        #expect(text == "plain\n")
    }

    @Test func `NamePrinter prints ids, and their collections where there are several`() throws {
        let name = try printed({ NamePrinter($0) }) { try $0.print(presentation()) }
        #expect(name == "7\n")
        let page = try Example.value(#"{"records":[{"collection":"packs","id":"7"}]}"#)
        for isOverAll in [false, true] {
            let list = RecordList(
                collections: [], isOverAll: isOverAll, fields: [], isGrouped: false, showsArchived: false)
            let text = try printed({ NamePrinter($0) }) { printer in
                try printer.begin(list)
                try printer.printPage(page)
            }
            #expect(text == (isOverAll ? "packs/7\n" : "7\n"))
        }
    }

    @Test(arguments: [#"7\n8"#, #"7\r"#, #"7\u0085"#, #"7\u007f"#])
    func `an id that a reader of lines takes for others is not printed, and fails the command`(_ id: String) throws {
        let page = #"{"records":[{"id":"1"},{"id":"\#(id)"},{"id":"2"}],"total":3,"meta":\#(Example.meta("units"))}"#
        let detail = #"{"record":{"id":"\#(id)"},"meta":\#(Example.meta("units"))}"#
        let daemon = try ScriptedDaemon.answering([
            "search": page, "detail": detail, "archive": #"{"changed":["\#(id)"],"unchanged":[],"missing":[]}"#,
        ])
        for terminal in [nil, 80] {
            let run = Run(["search", "--unit", "-o", "name"], daemon, terminal: terminal)
            #expect(run.code == .failure)
            #expect(run.output == "1\n2\n")
            #expect(run.errors.contains("has control characters and is not printed"), "\(run.errors)")
            #expect(run.errors.contains("-o jsonl"))
        }
        for line in [["detail", "--unit", "7"], ["archive", "--unit", "7"]] {
            let run = Run(line + ["-o", "name"], daemon)
            #expect(run.code == .failure && run.output.isEmpty, "\(line)")
        }
    }

    @Test func `only formats that show facets beside records take them, and only tables need every description`() throws
    {
        _ = try printed({ NamePrinter($0) }) { printer in
            #expect(!printer.canShowFacets && printer.need == .never && printer.onlyFields == ["id"])
        }
        _ = try printed({ JSONPrinter($0) }) { #expect($0.canShowFacets && $0.need == .never) }
        _ = try printed({ JSONLinesPrinter($0) }) { #expect(!$0.canShowFacets && $0.need == .never) }
        _ = try printed({ SeparatedPrinter($0, .csv, isAsked: true) }) { printer in
            #expect(!printer.canShowFacets && printer.need == .unlessNamed)
        }
        _ = try printed(Self.text) { #expect($0.canShowFacets && $0.need == .always) }
    }
}

/// The table of commands agrees with itself.
@Suite struct CommandTableTests {
    @Test func `every verb has an action, a help page and words of its own`() {
        let words = CommandTable.verbs.flatMap(\.words)
        #expect(Set(words).count == words.count)
        for verb in CommandTable.verbs {
            #expect(CommandTable.action(of: verb) != nil)
            #expect(!verb.summary.text("en").isEmpty && !verb.details.text("en").isEmpty)
        }
    }

    @Test func `every option belongs to every verb or to some`() {
        for option in Option.allCases {
            let verbs = CommandTable.verbs.filter { !option.isCommon && $0.takes(option) }
            #expect(option.isCommon == verbs.isEmpty)
        }
    }
}
