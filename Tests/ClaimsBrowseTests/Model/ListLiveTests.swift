// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsClient
import ClaimsModel
import Testing

@testable import ClaimsBrowse

@Suite struct ListLiveTests {
    @Test func `a list that rests for half a second is followed, and compared once more`() {
        var stage = BrowseStage(BrowseStage.units(50))
        stage.connect()
        stage.settle()
        stage.wait(499)
        #expect(!stage.daemon.asked.contains("subscribe"))
        #expect(stage.list.liveness == .asking)
        // This change comes between the answer and the subscription.
        stage.commit { $0[3].name = "changed" }
        stage.wait(1)
        #expect(stage.list.liveness == .live)
        #expect(stage.list.rows[3].mark == .updated)
        #expect(stage.list.rows.count { $0.mark != nil } == 1)
    }

    @Test func `a comparison that a busy daemon refuses is asked for again after the time that it names`() {
        var stage = BrowseStage(BrowseStage.units(50))
        stage.connect()
        stage.settle()
        stage.wait(499)
        stage.commit { $0[3].name = "changed" }
        stage.daemon.refusal = ("busy", #","retry_after_ms":700"#)
        stage.wait(1)
        #expect(stage.list.liveness == .live)
        #expect(stage.list.rows[3].mark == nil)
        stage.daemon.refusal = nil
        stage.wait(699)
        #expect(stage.list.rows[3].mark == nil)
        stage.wait(1)
        #expect(stage.list.rows[3].mark == .updated)
        #expect(stage.list.rows.count { $0.mark != nil } == 1)
    }

    @Test func `a list and its changes are asked for in the person's language`() {
        var stage = BrowseStage(BrowseStage.units(3), language: "pl")
        stage.connect()
        stage.settle()
        stage.wait(1000)
        #expect(stage.list.liveness == .live)
        #expect(stage.daemon.languages.count > 1 && stage.daemon.languages.allSatisfy { $0 == "pl" })
    }

    @Test func `changes become marks and counts, and no line moves`() {
        var stage = BrowseStage.begun(BrowseStage.units(50))
        stage.press(.down)
        stage.commit { units in
            units[2].name = "pump"
            units.remove(at: 0)
            units.append(FakeDaemon.Record(id: -1, name: "new"))
        }
        stage.settle()
        #expect(stage.list.rows.map(\.id) == (0..<50).map(String.init))
        #expect(stage.list.rows[0].mark == .removed(reason: "gone"))
        #expect(stage.list.rows[2].mark == .updated)
        #expect(stage.list.rows[2].record["name"]?.string == "pump")
        #expect(stage.list.newer == ["-1"])
        #expect(stage.selectedID == "1")
        #expect(stage.list.selectedRank == 1)
    }

    @Test func `a record that comes and goes again is no news`() {
        var stage = BrowseStage.begun(BrowseStage.units(10))
        stage.commit { $0.append(FakeDaemon.Record(id: 99, name: "new")) }
        stage.settle()
        #expect(stage.list.newer == ["99"])
        stage.commit { $0.removeLast() }
        stage.settle()
        #expect(!stage.list.hasNews)
    }

    @Test func `g takes everything in around the selected record, which stays on its line`() {
        var stage = BrowseStage.begun(BrowseStage.units(300))
        for _ in 0..<30 { stage.press(.down) }
        stage.settle()
        let line = (stage.list.selected ?? 0) - stage.list.top
        stage.commit { units in
            units.removeFirst(7)
            units.append(FakeDaemon.Record(id: 1000, name: "new"))
        }
        stage.settle()
        stage.press("g")
        stage.settle()
        #expect(stage.selectedID == "30")
        #expect((stage.list.selected ?? 0) - stage.list.top == line)
        #expect(!stage.list.hasNews)
        #expect(stage.list.selectedRank == 24)
        #expect(stage.list.total == 294)
        // With nothing new it goes to the first record.
        stage.press("g")
        stage.settle()
        #expect(stage.selectedID == "7")
    }

    @Test func `g selects what follows a record that is gone`() {
        var stage = BrowseStage.begun(BrowseStage.units(300))
        for _ in 0..<5 { stage.press(.down) }
        stage.commit { $0.removeSubrange(5...6) }
        stage.settle()
        stage.press("g")
        stage.settle()
        #expect(stage.selectedID == "7")
        stage.press("G")
        stage.settle()
        stage.commit { $0.removeLast() }
        stage.settle()
        stage.press("g")
        stage.settle()
        #expect(stage.selectedID == "298" || stage.selectedID == "0")
    }

    @Test func `an empty list takes in what comes, as no line can move`() {
        var stage = BrowseStage.begun(FakeDaemon())
        #expect(stage.list.rows.isEmpty)
        stage.commit { $0.append(FakeDaemon.Record(id: 1, name: "first")) }
        stage.settle()
        #expect(stage.selectedID == "1")
    }

    @Test func `a list goes on from its clock after a lost connection`() {
        var stage = BrowseStage.begun(BrowseStage.units(50))
        stage.press(.down)
        stage.lose()
        #expect(stage.model.state.link == .lost(since: stage.now.wall))
        stage.commit { $0[3].name = "changed" }
        stage.press(.down)
        #expect(stage.selectedID == "2")
        stage.wait(1000)
        stage.connect()
        stage.settle()
        #expect(stage.list.liveness == .live)
        #expect(stage.list.rows[3].mark == .updated)
        #expect(stage.list.rows.count { $0.mark != nil } == 1)
        #expect(stage.selectedID == "2")
    }

    @Test func `an operation that goes on shows by its own sign only`() {
        var held = BrowseStage.begun(BrowseStage.units(5)).list.held
        func entry(_ changed: String) -> AnswerValue {
            let pending = #""pending":{"state":"queued","ops":[]}"#
            return FakeDaemon.value(
                #"{"op":"updated","id":"3","seq":999999,"changed":[\#(changed)],"#
                    + #""record":{"id":"3","name":"new","status":"ok",\#(pending)}}"#)
        }
        held.apply(entry(#""pending""#), isAwaitingRows: false)
        #expect(held.rows[3].mark == nil && held.rows[3].record["pending"] != nil)
        var rows = held.rows
        rows[3].record = FakeDaemon.value(#"{"id":"3","name":"old","status":"ok"}"#)
        held = HeldRows(rows: rows)
        held.apply(entry(#""name","pending""#), isAwaitingRows: false)
        #expect(held.rows[3].mark == .updated)
    }

    @Test func `a silent daemon is told of from when it was asked, and what it was asked for still counts`() {
        var stage = BrowseStage.begun(BrowseStage.units(50))
        let asked = stage.now
        stage.wait(3000)
        stage.tell(.silent(since: asked.monotonic))
        #expect(stage.model.state.link == .silent(since: asked.wall))
        stage.press("r")
        #expect(!stage.daemon.asked.contains("refresh"))
        stage.tell(.answering)
        #expect(stage.model.state.link == .connected)
        #expect(stage.list.liveness == .live)
        stage.tell(.silent(since: asked.monotonic))
        stage.lose()
        #expect(stage.model.state.link == .lost(since: asked.wall))
    }

    @Test func `after a new epoch the list is rebuilt, and shows that until g`() {
        var stage = BrowseStage.begun(BrowseStage.units(50))
        stage.press(.down)
        stage.lose()
        stage.daemon.epoch = "e2"
        stage.commit { $0.remove(at: 10) }
        stage.connect()
        stage.settle()
        #expect(stage.list.isRebuilt)
        #expect(stage.list.rows.count == 50)
        #expect(stage.daemon.asked.last == "unsubscribe")
        stage.press("g")
        stage.settle()
        #expect(stage.list.rows.count == 49)
        #expect(stage.selectedID == "1")
        #expect(!stage.list.isRebuilt)
        stage.wait(500)
        #expect(stage.list.liveness == .live)
    }

    @Test func `collections and orders that a reload took away leave the query, and are told`() {
        var stage = BrowseStage.begun(BrowseStage.units(50))
        stage.press("s", "2")
        stage.settle()
        stage.press(.tab)
        stage.settle()
        stage.daemon.orders = []
        stage.daemon.collections = ["units"]
        stage.wait(5000)
        #expect(stage.model.state.tab == .status || stage.model.state.tab == .collection("units"))
        #expect(stage.model.state.lists["books"] == nil)
        #expect(stage.list.query.order == nil)
        let notice = stage.model.state.notice?.text ?? ""
        #expect(notice.contains("Title of books"))
        #expect(notice.contains("'named'"))
    }

    @Test func `a collection without data is asked again when status tells that it has some`() {
        var stage = BrowseStage(BrowseStage.units(50))
        stage.daemon.refusal = ("no_data", #","meta":{"collection":"units","state":"loading"}"#)
        stage.daemon.holdsRefreshes = true
        stage.connect()
        stage.settle()
        guard case .refused(let refusal) = stage.list.phase else { return #expect(Bool(false)) }
        #expect(refusal.kind == "no_data")
        // The fetch that is under way is joined, for its progress.
        #expect(stage.daemon.asked.contains("refresh"))
        #expect(stage.list.refresh != nil)
        stage.tell(
            .notified(
                FakeDaemon.value(
                    #"{"method":"progress","params":{"request":1,"collection":"units","phase":"receive","bytes":10}}"#))
        )
        #expect(stage.list.refresh?.progress?.phase == .receive)
        #expect(stage.list.refresh?.progress?.bytes == 10)
        stage.daemon.refusal = nil
        stage.wait(5000)
        #expect(stage.list.rows.count == 50)
    }

    @Test func `nothing wakes the model while nothing happens but status and the next minute`() {
        var stage = BrowseStage.begun(BrowseStage.units(50))
        let asked = stage.daemon.asked.count
        stage.wait(20_000)
        #expect(stage.daemon.asked[asked...].allSatisfy { $0 == "status" })
        #expect(stage.daemon.asked.count - asked == 4)
    }

    @Test func `what one archives leaves with the answer, and the next record is selected`() {
        var stage = BrowseStage.begun(BrowseStage.units(50))
        stage.press(.down, "a")
        stage.settle()
        #expect(stage.list.rows.count == 49)
        #expect(stage.selectedID == "2")
        #expect(stage.list.total == 49)
        #expect(!stage.list.hasNews)
        // Taken back, it is selected again.
        stage.press("u")
        stage.settle()
        #expect(stage.selectedID == "1")
        #expect(stage.list.total == 50)
    }

    @Test func `a record that is archived where archived ones are shown stays, and is no news`() {
        var stage = BrowseStage.begun(BrowseStage.units(50))
        stage.press("t")
        stage.settle()
        stage.wait(500)
        stage.press("a")
        stage.settle()
        #expect(stage.list.rows.count == 50)
        #expect(stage.selectedID == "0")
        #expect(stage.list.selectedRow?.record["archived"]?.bool == true)
        #expect(!stage.list.hasNews)
    }

    @Test func `a refused question keeps the rows that answer the same one`() {
        var stage = BrowseStage.begun(BrowseStage.units(300))
        stage.daemon.refusal = ("timeout", "")
        stage.press("G")
        stage.settle()
        #expect(stage.list.rows.count == 100)
        #expect(stage.model.state.notice?.kind == .wrong)
        stage.daemon.refusal = nil
        stage.press("G")
        stage.settle()
        #expect(stage.selectedID == "299")
    }

    @Test func `a busy daemon is asked again after the time that it names`() {
        var stage = BrowseStage.begun(BrowseStage.units(300))
        stage.daemon.refusal = ("busy", #","retry_after_ms":700"#)
        stage.press("G")
        stage.settle()
        let asked = stage.daemon.asked.filter { $0 == "search" }.count
        stage.daemon.refusal = nil
        stage.wait(699)
        #expect(stage.daemon.asked.filter { $0 == "search" }.count == asked)
        stage.wait(1)
        #expect(stage.selectedID == "299")
    }

    @Test func `a filter that the daemon does not take any more leaves the query, and is told`() {
        var query = ListQuery()
        query.filter = "statsu!=ok"
        var stage = BrowseStage(BrowseStage.units(50), start: BrowseStart(collection: "unit", query: query))
        stage.connect()
        stage.settle()
        #expect(stage.list.query.filter.isEmpty)
        #expect(stage.list.rows.count == 50)
        #expect(stage.model.state.notice?.text.contains("unknown field") == true)
    }
}
