// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsTerminal
import Testing

@testable import ClaimsBrowse

@Suite struct MouseTests {
    /// Presses the first cell of a text on the screen.
    private static func press(_ text: String, on stage: inout BrowseStage) throws {
        let lines = BrowseRenderer.frame(of: stage.model.state).text
        let row = try #require(lines.firstIndex { $0.contains(text) }, "\(text) is not on the screen: \(lines)")
        let start = try #require(lines[row].firstRange(of: text)).lowerBound
        stage.tell(.input(.press(row: row, column: lines[row][..<start].count)))
        stage.settle()
    }

    @Test func `a press on a tab shows it`() throws {
        var stage = BrowseStage.begun(BrowseStage.units(5))
        try Self.press("Status", on: &stage)
        #expect(stage.model.state.tab == .status)
        try Self.press("2 ", on: &stage)
        #expect(stage.model.state.tab == .collection("books"))
        // Right of the last tab there is none.
        stage.tell(.input(.press(row: 0, column: 79)))
        #expect(stage.model.state.tab == .collection("books"))
    }

    @Test func `a press on the shown tab closes what is open over it, but nothing that is typed`() throws {
        var stage = BrowseStage.begun(BrowseStage.units(5))
        stage.press(.enter)
        #expect(stage.model.state.detail != nil)
        stage.tell(.input(.press(row: 0, column: 1)))
        #expect(stage.model.state.layers.isEmpty)
        stage.press("/")
        try Self.press("Status", on: &stage)
        #expect(stage.model.state.tab == .collection("units"))
        #expect(stage.model.state.layers.count == 1)
    }

    @Test func `a press on a row of the status selects its collection, and one on the selected row shows it`() throws {
        var stage = BrowseStage.begun(BrowseStage.units(5))
        stage.press("3")
        stage.settle()
        let rows = stage.model.state.statusContent.lines(width: 76).starts
        #expect(rows.count == 2)
        for _ in 0..<2 {
            #expect(stage.model.state.tab == .status)
            stage.tell(.input(.press(row: ScreenRegions.rowsAbove + rows[1], column: 20)))
            #expect(stage.model.state.health.selected == 1)
        }
        #expect(stage.model.state.tab == .collection("books"))
    }

    @Test func `a press on an entry of a sheet takes it, and one beside the sheet does nothing`() throws {
        var stage = BrowseStage.begun(BrowseStage.units(5))
        stage.press("s")
        stage.tell(.input(.press(row: 4, column: 10)))
        #expect(stage.model.state.layers.count == 1)
        try Self.press("named", on: &stage)
        #expect(stage.model.state.layers.isEmpty)
        #expect(stage.list.query.order == "named")
    }

    @Test func `beside a detail a press on the list shows another record`() throws {
        var stage = BrowseStage.begun(BrowseStage.units(5), size: ScreenSize(columns: 120, rows: 40))
        stage.press(.enter)
        try Self.press("unit 3", on: &stage)
        #expect(stage.selectedID == "3")
        #expect(stage.model.state.detail?.id == "3")
        // The detail itself is no list.
        stage.tell(.input(.press(row: 5, column: 100)))
        #expect(stage.selectedID == "3")
    }
}
