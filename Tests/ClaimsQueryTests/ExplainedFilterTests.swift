// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsModel
import ClaimsQuery
import Testing

struct ExplainedFilterTests {
    private func term(_ text: String) throws -> ExplainedTerm {
        let explained = try FilterParser.parse(text).explained(in: Library.context)
        guard case .term(let term) = explained else { throw FilterFailure(text) }
        return term
    }

    private struct FilterFailure: Error {
        let text: String
        init(_ text: String) { self.text = text }
    }

    @Test(arguments: 41...44 as ClosedRange<UInt64>)
    func `each part finds what the naive evaluator finds for it`(_ seed: UInt64) throws {
        var filters = RandomFilter(seed: seed)
        for _ in 0..<250 {
            let node = filters.node()
            let explained = try node.explained(in: Library.context)
            #expect(explained.predicate == (try node.typed(in: Library.context)), "\(node.text)")
            check(explained, node)
        }
    }

    private func check(_ explained: ExplainedFilter, _ node: FilterNode) {
        #expect(Library.ids(explained.predicate) == Library.naiveIDs(node), "\(node.text)")
        switch (explained, node) {
        case (.and(let parts), .and(let nodes)), (.or(let parts), .or(let nodes)):
            #expect(parts.count == nodes.count)
            for (part, node) in zip(parts, nodes) { check(part, node) }
        case (.not(let part), .not(let node)): check(part, node)
        case (.term(let explained), .term(let term)): #expect(explained.text == term.text)
        default: Issue.record("\(node.text) has another form")
        }
    }

    @Test func `operands are folded texts, codes, numbers and moments`() throws {
        #expect(try term("title~STRASSE,Łódź").operands == [.text("strasse"), .text("lodz")])
        #expect(try term("title~STRASSE").form == .folded)
        #expect(try term("state!=lost").operands == [.text("lost")])
        #expect(try term("kind<=film").operands.contains(.text("book")))
        #expect(try term("state.raw=Odd").operands == [.text("Odd")])
        #expect(try term("state.raw=Odd").form == .received)
        #expect(try term("price>=12.50").operands == [.number("12.50")])
        #expect(try term("lent=true").operands == [.bool(true)])
        #expect(try term("link~HTTP").operands == [.text("http")])
        #expect(try term("link=HTTP://A").operands == [.text("HTTP://A")])
        #expect(try term("id=02").operands == [.text("02")])
        #expect(try term("\"Water  DAMAGE\"").operands == [.text("water damage")])
        #expect(try term("extra.any").operands.isEmpty)
    }

    @Test func `a day is an interval, and an offset the moment that it comes to`() throws {
        let start = NaiveTime.day("2026-11-20")
        #expect(try term("added=2026-11-20").operands == [.day(start: start, end: start + 86_400_000)])
        #expect(try term("added>-1d").operands == [.instant(Library.now - 86_400_000)])
        #expect(try term("added=-1d").operands == [.day(start: start - 86_400_000, end: start)])
        #expect(try term("added>now").operands == [.instant(Library.now)])
        #expect(try term("due=today").operands == [.date(20_777)])
        #expect(try term("due=today..").operands == [.range(.date(20_777), nil)])
    }

    private enum NaiveTime {
        static func day(_ text: String) -> Int64 { NaiveCalendar.ms(text + "T00:00:00Z") }
    }

    @Test func `the range of a term is that in the text, and a tree has none`() throws {
        let text = "not (pages>5 or Łódź)"
        let explained = try FilterParser.parse(text).explained(in: Library.context)
        guard case .not(.or(let parts)) = explained, case .term(let first) = parts[0],
            case .term(let second) = parts[1]
        else {
            Issue.record("another form")
            return
        }
        #expect(first.range == 5..<12)
        #expect(second.range == 16..<text.utf8.count - 1)
        let tree = try FilterParser.parse(tree: ["gt", "pages", "5"]).explained(in: Library.context)
        guard case .term(let own) = tree else {
            Issue.record("another form")
            return
        }
        #expect(own.range == nil)
    }
}
