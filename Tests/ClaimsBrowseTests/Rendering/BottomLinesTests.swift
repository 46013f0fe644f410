// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import ClaimsTerminal
import Testing

@testable import ClaimsBrowse

/// The last rows of the screen: sentences that are longer than one of them.
struct BottomLinesTests {
    private static let problem = InputProblem(
        message: "'tomorow' is no value of the field 'expiry_date' of type instant",
        hint: "for example 2026-11-20, 2026-11-20T08:01:02Z, now, today, tomorrow, +30d", range: 12..<19)

    /// The words of a screen, without the breaks between its lines.
    private func words(_ example: ScreenExample, columns: Int, rows: Int = 24) -> String {
        example.frame(columns: columns, rows: rows).text.joined(separator: " ").split(separator: " ")
            .joined(separator: " ")
    }

    @Test(arguments: [40, 80, 120]) func `a mistake in the filter is told whole, with its hint`(columns: Int) throws {
        var example = try ScreenExample("en")
        var input = InputState(.filter, collection: "packs", text: "expiry_date<tomorow")
        input.report(Self.problem)
        example.open([.input(input)])
        let seen = words(example, columns: columns)
        #expect(seen.contains("\(Self.problem.message); \(try #require(Self.problem.hint))"), "\(seen)")
        let screen = example.frame(columns: columns, rows: 24).text
        #expect(screen[22] == " Filter: expiry_date<tomorow")
        #expect(screen[23] == "                     ^^^^^^^")
    }

    @Test func `a short mistake stays beside its marks, and covers no record`() throws {
        var example = try ScreenExample("en")
        let before = example.frame(columns: 80, rows: 24).text
        var input = InputState(.filter, collection: "packs", text: "statsu!=ok")
        input.report(InputProblem(message: "unknown field 'statsu'", hint: nil, range: 0..<6))
        example.open([.input(input)])
        let after = example.frame(columns: 80, rows: 24).text
        #expect(after[3..<22] == before[3..<22])
        #expect(after[23] == "         ^^^^^^ unknown field 'statsu'")
    }

    @Test func `all completions are seen, none of them cut`() throws {
        var example = try ScreenExample("en", "countries")
        let countries = try #require(example.state.description(of: "countries"))
        var input = InputState(.filter, collection: "countries")
        input = InputState(
            .filter, collection: input.collection, text: input.line.text,
            completions: try #require(FilterCompletion("", cursor: 0, countries)).candidates)
        example.open([.input(input)])
        for columns in [40, 80] {
            let seen = Set(words(example, columns: columns).split(separator: " ").map(String.init))
            #expect(input.completions.allSatisfy(seen.contains), "\(columns) \(seen)")
        }
    }

    @Test func `no key is named that would do nothing here`() throws {
        func keys(_ example: ScreenExample) -> String { example.frame(columns: 80, rows: 24).text[23] }
        var example = try ScreenExample("en", "units")
        #expect(keys(example).contains("Enter details"))
        example.list { ($0.rows, $0.total, $0.selected) = ([], 0, nil) }
        #expect(!keys(example).contains("Enter") && keys(example).contains("/ search"))
        example = try ScreenExample("en")
        try example.openOutbox()
        #expect(keys(example).contains("Enter details  x actions"))
        example.state.stack = LayerStack(outbox: OutboxState([]))
        #expect(!keys(example).contains("Enter") && !keys(example).contains("x actions"))
    }

    @Test func `the next record is offered up to the last one`() throws {
        var example = try ScreenExample("en", "units")
        try example.openDetail(#"{"id":"2","name":"Pump south cellar"}"#)
        #expect(example.frame(columns: 80, rows: 24).text[23].contains("J next"))
        example.list { $0.selected = $0.rows.count - 1 }
        #expect(!example.frame(columns: 80, rows: 24).text[23].contains("J next"))
    }

    @Test(arguments: [40, 80]) func `a notice and a question are told whole, and the answer stands behind them`(
        columns: Int
    ) throws {
        var example = try ScreenExample("pl")
        let notice =
            "kolekcja countries nie ma źródła, z którego można ją odświeżyć (wpisz source.url w jej pliku, potem: "
            + "systemctl reload claimsd)"
        example.state.notice = Notice(kind: .wrong, text: notice)
        #expect(words(example, columns: columns).contains(notice))
        example.state.notice = nil
        let question = Messages("pl").question(.resolveAgain, String(repeating: "Äpfel ", count: 9) + "x")
        example.open([.question(QuestionState(purpose: .leaveForm, text: question))])
        #expect(words(example, columns: columns).contains("\(question) t/N"))
    }
}
