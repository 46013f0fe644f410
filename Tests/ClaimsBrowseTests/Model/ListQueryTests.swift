// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import Testing

@testable import ClaimsBrowse

@Suite struct ListQueryTests {
    private static var daemon: FakeDaemon {
        var daemon = FakeDaemon()
        daemon.commit { records in
            records["units"] = (0..<300).map { id in
                FakeDaemon.Record(
                    id: id, name: id % 3 == 0 ? "pump \(id)" : "valve \(id)", status: id % 2 == 0 ? "ok" : "faulty")
            }
        }
        return daemon
    }

    /// Records whose texts have no ids in them.
    private static var unnumbered: FakeDaemon {
        var daemon = FakeDaemon()
        daemon.commit { $0["units"] = (0..<300).map { FakeDaemon.Record(id: $0, name: "valve") } }
        return daemon
    }

    @Test(
        arguments: [
            ("", nil), ("  ", nil), ("water pump", #""water" "pump""#), (#""water pump" x"#, #""water pump" "x""#),
            (#"a"b c"#, #""a" "b c""#), (#"status!=ok (or"#, #""status!=ok" "(or""#), (#"a\b"#, #""a\\b""#),
            ("\"\"", nil),
            ("\u{301}", nil),
        ] as [(String, String?)])
    func `any text can be searched for`(text: String, filter: String?) {
        #expect(SearchText.filter(text) == filter)
    }

    @Test func `search and filter hold both, and a mistake keeps its position`() {
        var query = ListQuery()
        query.filter = " statsu!=ok or x"
        #expect(query.composedFilter == .init(text: "statsu!=ok or x", filterOffset: -1))
        query.search = "pump"
        #expect(query.composedFilter == .init(text: #"(statsu!=ok or x) "pump""#, filterOffset: 0))
        query.filter = "a) or (b"
        #expect(query.composedFilter == .init(text: "a) or (b", filterOffset: 0))
    }

    @Test func `a search asks at the first key, and then every 40 ms, one at a time`() {
        var stage = BrowseStage.begun(Self.daemon)
        let before = stage.daemon.asked.filter { $0 == "search" }.count
        stage.press("/", "p")
        #expect(stage.daemon.asked.filter { $0 == "search" }.count == before + 1)
        #expect(stage.model.state.areRowsAwaited)
        stage.press("u", "m", "p")
        #expect(stage.daemon.asked.filter { $0 == "search" }.count == before + 1)
        // Nothing has been answered: the one under way is given up for the newest text.
        stage.wait(40, settles: false)
        #expect(stage.daemon.asked.filter { $0 == "search" }.count == before + 2)
        #expect(stage.cancelled == 1)
        #expect(stage.list.total == 300)
        stage.settle()
        #expect(!stage.model.state.areRowsAwaited)
        #expect(stage.list.total == 100)
        #expect(stage.list.query.search == "pump")
    }

    @Test func `old rows stay until new ones come, and after 300 ms the search shows`() {
        var stage = BrowseStage.begun(Self.daemon)
        stage.press("/", "v")
        stage.wait(299, settles: false)
        guard case .answered(isSearching: false) = stage.list.phase else { return #expect(Bool(false)) }
        stage.wait(1, settles: false)
        guard case .answered(isSearching: true) = stage.list.phase else { return #expect(Bool(false)) }
        #expect(stage.list.rows.count == 100)
        stage.settle()
        guard case .answered(isSearching: false) = stage.list.phase else { return #expect(Bool(false)) }
        #expect(stage.list.total == 200)
    }

    @Test func `Esc away from the line takes back the search, and stays at the record`() {
        var stage = BrowseStage.begun(Self.daemon)
        stage.press("/")
        stage.type("pump 29")
        stage.wait(100)
        stage.press(.enter, .down)
        let id = stage.selectedID
        stage.press(.escape)
        stage.settle()
        #expect(stage.list.query.search.isEmpty)
        #expect(stage.selectedID == id)
        // It never leaves the last list.
        stage.press(.escape, .left, "h")
        #expect(stage.exit == nil && stage.selectedID == id)
        stage.press("q")
        #expect(stage.exit == 0)
    }

    @Test func `near the end of the list the view is full when a search is taken back`() {
        var daemon = FakeDaemon()
        daemon.commit { records in
            records["units"] = (100..<140).map { FakeDaemon.Record(id: $0, name: $0 == 136 ? "pump" : "valve") }
        }
        var stage = BrowseStage.begun(daemon)
        stage.press("/")
        stage.type("pump")
        stage.wait(100)
        stage.press(.enter, .escape)
        stage.settle()
        let list = stage.list
        let geometry = stage.model.state.geometry(of: list)
        #expect(stage.selectedID == "136")
        #expect(list.rows.last?.id == "139")
        #expect(list.lines(from: list.top, to: list.rows.count, geometry) == geometry.lines)
    }

    @Test func `a number that no text has, but a record, opens that record`() {
        var stage = BrowseStage.begun(Self.unnumbered)
        stage.press("/")
        stage.type("207")
        stage.wait(100)
        #expect(stage.list.rows.isEmpty)
        #expect(stage.model.state.selectedTarget?.id == "207")
        stage.press(.enter, .enter)
        stage.settle()
        #expect(stage.model.state.detail?.id == "207")
        stage.press(.escape, .escape)
        stage.settle()
        #expect(stage.list.total == 300 && stage.model.state.selectedTarget?.id != "207")
    }

    @Test func `keys that follow such a number at once wait until its record is known`() {
        var stage = BrowseStage.begun(Self.unnumbered)
        stage.press("/")
        stage.type("207")
        stage.press(.enter, .enter)
        stage.settle()
        #expect(stage.model.state.detail?.id == "207")
    }

    @Test func `what is no record's id finds nothing, and a word of the filter may be one`() {
        var stage = BrowseStage.begun(Self.unnumbered)
        stage.press("/")
        stage.type("999")
        stage.wait(100)
        #expect(stage.list.rows.isEmpty && stage.model.state.selectedTarget == nil)
        stage.press(.escape, "f")
        stage.type("208")
        stage.press(.enter)
        stage.settle()
        #expect(stage.model.state.selectedTarget?.id == "208")
    }

    @Test func `the record that was found by its id is archived and unarchived like a selected one`() {
        var stage = BrowseStage.begun(Self.unnumbered)
        stage.press("/")
        stage.type("207")
        stage.wait(100)
        stage.press(.enter, "a")
        stage.settle()
        #expect(stage.daemon.records["units"]?[207].isArchived == true)
        #expect(stage.model.state.selectedTarget?.isArchived == true)
        stage.press("a")
        stage.settle()
        #expect(stage.daemon.records["units"]?[207].isArchived == false)
    }

    @Test(
        arguments: [
            ("16", "", "16"), (" 16 ", "", "16"), (#""a b""#, "", "a b"), ("a b", "", "a b"), ("", "16", "16"),
            ("", "", nil), ("", "status=ok", nil), ("", "a b", nil), ("16", "status=ok", nil), ("", "(16)", nil),
        ] as [(String, String, String?)])
    func `a text that alone is looked for may be an id`(search: String, filter: String, id: String?) {
        var query = ListQuery()
        query.search = search
        query.filter = filter
        #expect(query.possibleID == id)
    }

    @Test func `a mistake in the filter is told under its line, and the list stays`() {
        var stage = BrowseStage.begun(Self.daemon)
        stage.press("f")
        stage.type("statsu!=ok")
        stage.wait(100)
        guard case .input(let input)? = stage.model.state.layers.last else { return #expect(Bool(false)) }
        #expect(input.problem?.message == "unknown field 'statsu'")
        #expect(input.problem?.hint == "did you mean 'status'?")
        #expect(input.problem?.range == 0..<6)
        #expect(stage.list.rows.count == 100)
        stage.press(.control("u"))
        stage.type("status=ok")
        stage.wait(100)
        stage.press(.enter)
        stage.settle()
        #expect(stage.list.total == 150)
        #expect(stage.list.answeredQuery.filter == "status=ok")
    }

    @Test func `a name that is being typed in the filter leaves the list alone until Enter`() {
        var stage = BrowseStage.begun(Self.daemon)
        stage.press("f")
        stage.type("pump")
        stage.wait(100)
        #expect(stage.list.total == 300)
        #expect(stage.list.query.filter.isEmpty)
        stage.press(.enter)
        stage.settle()
        #expect(stage.list.total == 100)
        #expect(stage.list.answeredQuery.filter == "pump")
        // Esc brings back what was.
        stage.press("f", .control("u"))
        stage.settle()
        stage.wait(100)
        #expect(stage.list.total == 300)
        stage.press(.escape)
        stage.settle()
        #expect(stage.list.total == 100)
    }

    @Test(arguments: [
        ("", true), ("st", false), ("status=ok", true), ("status=ok na", false), ("status=ok ", true), ("(a", false),
        ("name.any", true), (#""two words""#, true),
    ])
    func `a filter can be asked for when its last term is more than a name`(text: String, isComplete: Bool) {
        #expect(ListQuery.isComplete(text) == isComplete)
    }

    @Test func `Tab completes names, operators and codes`() {
        var stage = BrowseStage.begun(Self.daemon)
        func text() -> String? {
            guard case .input(let input)? = stage.model.state.layers.last else { return nil }
            return input.line.text
        }
        stage.press("f")
        stage.type("st")
        stage.press(.tab)
        #expect(text() == "status")
        stage.type("=F")
        stage.press(.tab)
        #expect(text() == "status=faulty")
        stage.type(" na")
        stage.press(.tab)
        #expect(text() == "status=faulty name")
        stage.press(.tab)
        guard case .input(let input)? = stage.model.state.layers.last else { return #expect(Bool(false)) }
        #expect(input.completions == ["name=", "name~", "name.any", "name.none"])
    }

    @Test func `t shows archived records too, then only these, then none`() {
        var daemon = Self.daemon
        daemon.commit { $0["units"]?[5].isArchived = true }
        var stage = BrowseStage.begun(daemon)
        #expect(stage.list.total == 299)
        stage.press("t")
        stage.settle()
        #expect(stage.list.total == 300)
        stage.press("t")
        stage.settle()
        #expect(stage.list.total == 1)
        stage.press("t")
        stage.settle()
        #expect(stage.list.query.archived == .exclude)
        #expect(stage.list.total == 299)
    }

    @Test func `another order has no groups, and begins at its first record`() {
        var stage = BrowseStage.begun(Self.daemon)
        #expect(stage.list.isGrouped)
        stage.press("s", "2")
        stage.settle()
        #expect(stage.list.query.order == "named")
        #expect(!stage.list.isGrouped)
        #expect(stage.selectedID == "0")
    }
}
