// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import ClaimsBrowse

@Suite struct ListMovingTests {
    @Test func `J at the last record says that it is the last`() {
        var stage = BrowseStage.begun(BrowseStage.units(2))
        stage.press(.enter, "J")
        stage.settle()
        #expect(stage.model.state.detail?.id == "1" && stage.model.state.notice == nil)
        stage.press("J")
        #expect(stage.model.state.notice?.text == "That is the end of the list.")
        stage.press("K", "K")
        #expect(stage.model.state.notice?.text == "That is the start of the list.")
    }

    @Test func `the first list is asked for at once, and its first record is selected`() {
        let stage = BrowseStage.begun(BrowseStage.units(250))
        #expect(Array(stage.daemon.asked.prefix(4)) == ["hello", "describe", "status", "search"])
        #expect(stage.list.rows.count == 100)
        #expect(stage.selectedID == "0")
        #expect(stage.list.total == 250)
        #expect(stage.model.state.roles == ["read", "archive"])
    }

    @Test func `the selection moves by records and pages, and stays in view`() {
        var stage = BrowseStage.begun(BrowseStage.units(250))
        stage.press(.down, "j", .up)
        #expect(stage.selectedID == "1")
        stage.press(.pageDown)
        stage.settle()
        // A page has 17 records at 24 rows, below the headings of the columns and of the group.
        #expect(stage.selectedID == "18")
        #expect(stage.list.top == 17)
        stage.press(.pageUp)
        #expect(stage.selectedID == "1")
        #expect(stage.list.top == 0)
        stage.press(.pageUp)
        #expect(stage.selectedID == "0")
    }

    @Test func `pages come before the view needs them, and nine are held at most`() {
        var stage = BrowseStage.begun(BrowseStage.units(2000))
        for _ in 0..<90 {
            stage.press(.pageDown)
            stage.settle()
        }
        #expect(stage.selectedID == "1530")
        #expect(stage.list.rows.count <= ListPage.maxHeldRows)
        #expect(stage.list.firstRank > 0)
        #expect(stage.list.selectedRank == 1531)
        for _ in 0..<90 {
            stage.press(.pageUp)
            stage.settle()
        }
        #expect(stage.selectedID == "0")
        #expect(stage.list.firstRank == 0)
        #expect(stage.list.rows.count <= ListPage.maxHeldRows)
    }

    @Test func `keys that are ahead of the pages are made up for when these come`() {
        var stage = BrowseStage.begun(BrowseStage.units(1000))
        for _ in 0..<8 { stage.press(.pageDown) }
        #expect(stage.selectedID == "99")
        stage.settle()
        #expect(Int(stage.selectedID ?? "") ?? 0 > 99)
    }

    @Test func `G goes to the last record and g to the first, whatever is held`() {
        var stage = BrowseStage.begun(BrowseStage.units(1000))
        stage.press("G")
        stage.settle()
        #expect(stage.selectedID == "999")
        #expect(stage.list.selectedRank == 1000)
        // The list's end is at the bottom of the view.
        #expect(stage.list.rows.count - stage.list.top == 17)
        stage.press(.home)
        stage.settle()
        #expect(stage.selectedID == "0")
        #expect(stage.list.top == 0)
    }

    @Test func `a move behind a jump starts where the jump leads to`() {
        var stage = BrowseStage.begun(BrowseStage.units(1000))
        stage.press("G", .up)
        #expect(stage.selectedID == "0")
        stage.settle()
        #expect(stage.selectedID == "998")
        #expect(stage.cancelled == 0)
    }

    @Test func `without a connection a move takes the place of a jump`() {
        var stage = BrowseStage.begun(BrowseStage.units(1000))
        stage.lose()
        stage.press("G", .down)
        #expect(stage.selectedID == "1")
        stage.connect()
        stage.settle()
        #expect(stage.selectedID == "1")
    }

    @Test func `brackets go from group to group, held or not`() {
        var daemon = FakeDaemon()
        daemon.commit { records in
            records["units"] = (0..<600).map {
                FakeDaemon.Record(id: $0, name: "unit", status: $0 % 2 == 0 ? "ok" : "faulty")
            }
        }
        var stage = BrowseStage.begun(daemon)
        #expect(stage.selectedID == "1")
        #expect(stage.list.rows.first?.group == "bad")
        stage.press("]")
        stage.settle()
        #expect(stage.selectedID == "0")
        #expect(stage.list.selectedRank == 301)
        stage.press(.down, "[")
        stage.settle()
        #expect(stage.selectedID == "0")
        stage.press("[")
        stage.settle()
        #expect(stage.selectedID == "1")
        stage.press("[")
        stage.settle()
        #expect(stage.selectedID == "1")
    }

    @Test func `a smaller terminal keeps the selection in view`() {
        var stage = BrowseStage.begun(BrowseStage.units(100))
        for _ in 0..<15 { stage.press(.down) }
        stage.tell(.resized(ScreenSize(columns: 40, rows: 12)))
        #expect(stage.selectedID == "15")
        #expect(stage.list.top == 11)
    }

    @Test func `the end of a list fills a terminal that was smaller for a while`() {
        var stage = BrowseStage.begun(BrowseStage.units(250))
        stage.press("G")
        stage.settle()
        let top = stage.list.top
        stage.tell(.resized(ScreenSize(columns: 80, rows: 10)))
        stage.tell(.resized(.standard))
        #expect(stage.list.top == top)
        #expect(stage.selectedID == "249")
    }

    @Test func `tabs follow one another around the ends, and a list keeps its query and selection`() {
        var stage = BrowseStage.begun(BrowseStage.units(300))
        stage.press(.down, .down, .tab)
        stage.settle()
        #expect(stage.model.state.tab == .collection("books"))
        stage.press(.tab)
        #expect(stage.model.state.tab == .status)
        stage.press(.tab)
        stage.settle()
        #expect(stage.model.state.tab == .collection("units"))
        #expect(stage.selectedID == "2")
        #expect(stage.list.top == 0)
        stage.press("2")
        #expect(stage.model.state.tab == .collection("books"))
    }

    @Test func `beside a short detail the keys move in the list, and the detail follows`() {
        var stage = BrowseStage.begun(BrowseStage.units(100), size: ScreenSize(columns: 120, rows: 40))
        stage.press(.enter)
        stage.settle()
        stage.press(.down, .down, .up)
        #expect(stage.selectedID == "1")
        #expect(stage.model.state.detail?.id == "1")
        // Instead of the list the detail has the keys.
        stage.tell(.resized(.standard))
        stage.press(.down)
        #expect(stage.selectedID == "1")
    }

    @Test func `a press of the mouse selects a record`() {
        var stage = BrowseStage.begun(BrowseStage.units(100))
        stage.tell(.input(.press(row: 8, column: 10)))
        #expect(stage.selectedID == "3")
        stage.tell(.input(.wheel(1)))
        #expect(stage.selectedID == "6")
    }

    @Test func `a list that is shown again fits a screen that became smaller meanwhile`() {
        var stage = BrowseStage.begun(BrowseStage.units(100))
        for _ in 0..<12 { stage.press("j") }
        stage.press(.tab)
        stage.tell(.resized(ScreenSize(columns: 80, rows: 12)))
        stage.press("1")
        let list = stage.list
        #expect(stage.selectedID == "12")
        #expect((list.top..<list.endOfView(stage.model.state.geometry(of: list))).contains(12))
    }
}
