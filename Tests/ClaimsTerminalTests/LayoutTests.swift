// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

@testable import ClaimsTerminal
import Testing

struct LayoutTests {
    private func widths(_ demands: [(Int, Int)], in width: Int) -> [Int]? {
        ColumnFitting.widths(
            demands.map { .init(natural: $0.0, minimum: $0.1) }, in: width)
    }

    @Test func `columns that fit keep what they need`() {
        #expect(widths([(3, 3), (20, 6)], in: 25) == [3, 20])
        #expect(widths([(3, 3)], in: 3) == [3])
    }

    @Test func `the widest give first, and nothing is wasted`() {
        #expect(widths([(3, 3), (20, 6), (60, 6)], in: 50) == [3, 20, 23])
        #expect(widths([(3, 3), (40, 6), (60, 6)], in: 48) == [3, 21, 20])
        #expect(widths([(30, 30), (60, 6)], in: 40) == [30, 8])
    }

    @Test func `what cannot be cut enough does not fit`() {
        #expect(widths([(30, 30), (60, 6)], in: 37) == nil)
        #expect(ColumnFitting.widths([.init(natural: 60, minimum: 20)], in: 19) == nil)
    }

    @Test func `never is a line wider than the terminal`() {
        for width in 1...120 {
            for natural in [(5, 40, 90), (25, 10, 3), (1, 1, 200), (60, 60, 60)] {
                let demands = [(natural.0, natural.0), (natural.1, 6), (natural.2, 6)]
                guard let widths = widths(demands, in: width) else { continue }
                #expect(widths.reduce(0, +) + 4 <= width)
            }
        }
    }

    @Test func `numbers stand at the right`() {
        var table = TextTable([LayoutColumn(heading: "N", isRight: true), LayoutColumn(heading: "NAME")])
        table.append([Cell("7"), Cell("seven")])
        table.append([Cell("1,200"), Cell("")])
        table.append([Cell(""), Cell("none")])
        #expect(table.text(width: 40, isColored: false) == "    N  NAME\n    7  seven\n1,200\n       none\n")
    }

    @Test func `a heading takes two lines before a value is cut`() {
        var table = TextTable([
            LayoutColumn(heading: "ID"), LayoutColumn(heading: "LONG HEADING"),
            LayoutColumn(heading: "TEXT", isElastic: true),
        ])
        table.append([Cell("1"), Cell("x"), Cell("exactly sixteen")])
        #expect(
            table.text(width: 28, isColored: false) == "    LONG\nID  HEADING  TEXT\n1   x        exactly sixteen\n")
    }

    @Test func `a column without a value goes where room is short`() {
        let columns = [
            LayoutColumn(heading: "ID"), LayoutColumn(heading: "EMPTY"), LayoutColumn(heading: "TEXT", isElastic: true),
        ]
        #expect(TableLayout(columns: columns, widest: [1, 0, 30], width: 34)?.hidden == [1])
        #expect(TableLayout(columns: columns, widest: [1, 0, 30], width: 41)?.hidden == [])
    }

    @Test func `a column that was left out comes back with the first value`() {
        let columns = [
            LayoutColumn(heading: "ID"), LayoutColumn(heading: "EMPTY"), LayoutColumn(heading: "TEXT", isElastic: true),
        ]
        let row = [Cell("1"), Cell(""), Cell("a text of thirty characters ok")]
        var layout = ListLayout(columns: columns, rows: [row], width: 34)
        #expect(layout.headings.map(\.text) == ["ID  TEXT"])
        let isChanged1 = layout.admit([Cell("2"), Cell("full"), Cell("")])
        #expect(isChanged1)
        #expect(layout.headings.map(\.text) == ["ID  EMPTY  TEXT"])
    }

    @Test func `a text that comes later widens its column only while the line has room`() {
        let columns = [LayoutColumn(heading: "N"), LayoutColumn(heading: "TEXT", isElastic: true)]
        var layout = ListLayout(columns: columns, rows: [[Cell("9"), Cell("nine")]], width: 16)
        let isWider = layout.admit([Cell("8"), Cell("twelve cells")])
        #expect(isWider)
        #expect(layout.lines([Cell("8"), Cell("twelve cells")]).map(\.text) == ["8  twelve cells"])
        _ = layout.admit([Cell("7"), Cell("more than the line")])
        let isWiderStill = layout.admit([Cell("7"), Cell("more than the line has")])
        #expect(!isWiderStill)
        #expect(!layout.isCards)
    }

    @Test func `a row that comes later widens a column that must not be cut`() {
        let columns = [LayoutColumn(heading: "N", isRight: true), LayoutColumn(heading: "TEXT", isElastic: true)]
        var layout = ListLayout(columns: columns, rows: [[Cell("9"), Cell("nine")]], width: 20)
        let isChanged2 = layout.admit([Cell("8"), Cell("a text that is far too long for its column")])
        #expect(isChanged2)
        #expect(layout.lines([Cell("8"), Cell("a text that is far too long")]).map(\.text) == ["8  a text that is f…"])
        let isChanged3 = layout.admit([Cell("1000"), Cell("thousand")])
        #expect(isChanged3)
        #expect(layout.lines([Cell("9"), Cell("nine")]).map(\.text) == ["   9  nine"])
        let isChanged4 = layout.admit([Cell("1,000,000,000"), Cell("")])
        #expect(isChanged4)
        #expect(layout.isCards)
        #expect(layout.lines([Cell("1,000,000,000"), Cell("x")]).map(\.text) == ["  n 1,000,000,000", "  text x"])
        let isChanged5 = layout.admit([Cell("1,000,000,000,000"), Cell("")])
        #expect(!isChanged5)
    }
}
