// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import ClaimsBrowse

/// Keys that come before the rows they are about.
@Suite struct WaitingKeysTests {
    private static var daemon: FakeDaemon {
        var daemon = FakeDaemon()
        daemon.commit { records in
            records["units"] = (0..<300).map {
                FakeDaemon.Record(id: $0, name: $0 % 3 == 0 ? "pump \($0)" : "valve \($0)")
            }
        }
        return daemon
    }

    private func input(_ stage: BrowseStage) -> InputState? {
        if case .input(let input)? = stage.model.state.layers.last { input } else { nil }
    }

    @Test func `Esc in the line brings back the place, and the key after it starts there`() {
        var stage = BrowseStage.begun(Self.daemon)
        for _ in 0..<40 { stage.press("j") }
        let top = stage.list.rows[stage.list.top].id
        stage.press("/")
        stage.type("pump 29")
        stage.wait(100)
        #expect(stage.list.total == 4)
        stage.press(.escape, "j")
        stage.settle()
        #expect(stage.list.query.search.isEmpty)
        #expect(stage.selectedID == "41")
        #expect(abs((Int(stage.list.rows[stage.list.top].id) ?? 0) - (Int(top) ?? 0)) <= 1)
    }

    @Test func `Esc brings back the place from a text that was typed and deleted, and from one that finds nothing`() {
        var stage = BrowseStage.begun(Self.daemon)
        for _ in 0..<40 { stage.press("j") }
        stage.press("/")
        stage.type("zz")
        stage.wait(100)
        #expect(stage.list.total == 0)
        stage.press(.backspace, .backspace)
        stage.wait(100)
        stage.press(.escape)
        stage.settle()
        #expect(stage.selectedID == "40")
        stage.press("/")
        stage.type("zz")
        stage.wait(100)
        stage.press(.enter, .escape)
        stage.settle()
        #expect(stage.selectedID == "40")
        #expect(stage.list.total == 300)
    }

    @Test func `keys that come with a search are about what it finds, in their order`() {
        var stage = BrowseStage.begun(Self.daemon)
        for _ in 0..<40 { stage.press("j") }
        stage.press("/")
        stage.type("pump")
        stage.press(.enter, "j", "j", "k", .enter)
        #expect(stage.model.state.layers.isEmpty)
        stage.settle()
        #expect(stage.list.answeredQuery.search == "pump")
        #expect(stage.selectedID == "3")
        guard case .detail(let detail)? = stage.model.state.layers.last else { return #expect(Bool(false)) }
        #expect(detail.id == "3")
    }

    @Test func `a filter with a mistake and Enter typed at once keeps its line, and drops what was typed behind it`() {
        var stage = BrowseStage.begun(Self.daemon)
        stage.press("f")
        stage.type("statsu!=ok")
        stage.press(.enter, "a", "j")
        stage.settle()
        stage.wait(100)
        #expect(input(stage)?.line.text == "statsu!=ok")
        #expect(input(stage)?.problem?.message == "unknown field 'statsu'")
        #expect(stage.selectedID == "0")
        #expect(!stage.daemon.asked.contains("archive"))
        stage.press(.control("u"))
        stage.type("status=ok")
        stage.press(.enter, "j")
        #expect(input(stage) != nil)
        stage.settle()
        #expect(input(stage) == nil)
        #expect(stage.list.answeredQuery.filter == "status=ok")
        #expect(stage.selectedID == "1")
    }

    @Test func `a lone name with a mistake is asked for with Enter, and keeps its line`() {
        var stage = BrowseStage.begun(Self.daemon)
        stage.press("f")
        stage.type("statsu")
        stage.press(.enter)
        stage.settle()
        #expect(input(stage)?.problem?.message == "unknown field 'statsu'")
        stage.press(.escape)
        stage.settle()
        #expect(stage.list.total == 300)
    }

    @Test func `keys that come before the first list are done when it is there`() {
        var stage = BrowseStage(Self.daemon)
        stage.connect()
        stage.press("j", "j", "/")
        stage.type("29")
        stage.settle()
        stage.wait(100)
        #expect(stage.list.query.search == "29")
        #expect(input(stage) != nil)
        stage.press(.escape)
        stage.settle()
        #expect(stage.selectedID == "2")
    }

    @Test func `no more than 64 keys wait`() {
        var stage = BrowseStage.begun(Self.daemon)
        stage.press("s", "2")
        for _ in 0..<100 { stage.press("j") }
        stage.settle()
        #expect(stage.list.index(of: stage.selectedID ?? "") == KeyQueue.maxKeys)
        #expect(KeyQueue.maxKeys == 64)
    }

    @Test func `Esc gives up the keys that wait for long`() {
        var stage = BrowseStage.begun(Self.daemon)
        stage.press("s", "2", "j", "a")
        stage.wait(300, settles: false)
        stage.press(.escape, "?")
        guard case .help? = stage.model.state.layers.last else { return #expect(Bool(false)) }
        stage.settle()
        #expect(!stage.daemon.asked.contains("archive"))
    }

    @Test func `a refusal and a lost connection drop the keys that wait`() {
        var stage = BrowseStage.begun(Self.daemon)
        stage.daemon.refusal = ("internal", "")
        stage.press("s", "2", "j", "a")
        stage.daemon.refusal = nil
        stage.settle()
        #expect(!stage.daemon.asked.contains("archive"))
        stage.press("s", "1", "j", "a")
        stage.lose()
        stage.connect()
        stage.settle()
        #expect(!stage.daemon.asked.contains("archive"))
    }

    @Test func `letters of a filter are kept while its beginning is a mistake`() {
        var stage = BrowseStage.begun(Self.daemon)
        stage.press("f")
        stage.type("status=o")
        stage.daemon.refusal = ("bad_filter", "")
        stage.wait(100)
        stage.daemon.refusal = nil
        #expect(!stage.model.hasInterrupted)
        stage.type("k")
        #expect(input(stage)?.line.text == "status=ok")
    }

    @Test func `an order that the daemon has not is told, and no key is obeyed before that is seen`() {
        var stage = BrowseStage.begun(Self.daemon)
        stage.daemon.refusal = ("bad_sort", "")
        stage.press("s", "2", "j", "a")
        #expect(!stage.model.keys.isEmpty)
        while !stage.model.keys.isEmpty, stage.deliver() {}
        #expect(stage.model.keys.isEmpty)
        #expect(stage.model.hasInterrupted)
        #expect(stage.model.state.notice?.kind == .wrong)
        stage.daemon.refusal = nil
        stage.settle()
        #expect(!stage.daemon.asked.contains("archive"))
    }

    @Test func `an error that a key meets interrupts the keys, and a letter of a search does not`() {
        var stage = BrowseStage.begun(Self.daemon)
        stage.press("D")
        #expect(stage.model.hasInterrupted)
        stage.press("j")
        #expect(!stage.model.hasInterrupted)
        stage.press("/", "p")
        #expect(!stage.model.hasInterrupted)
    }
}
