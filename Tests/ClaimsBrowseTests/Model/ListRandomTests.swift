// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsClient
import ClaimsTestSupport
import Testing

@testable import ClaimsBrowse

/// Random keys, changes, answers that come late, resizes and lost connections.
@Suite struct ListRandomTests {
    /// The last one lost the connection while rows were compared that were older than the subscription.
    @Test(arguments: (0..<6).map { _ in UInt64.random(in: .min ... .max) } + [9_074_998_176_712_290_392])
    func `the selection keeps its id, whatever happens`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var stage = BrowseStage.begun(BrowseStage.units(Int.random(in: 0...450, using: &random)))
        var nextID = 10_000
        for step in 0..<300 {
            // A key that waited may have shown another tab.
            if stage.model.state.tab != .collection("units") { stage.press("1") }
            let context: Comment = "seed \(seed), step \(step)"
            let before = stage.selectedID
            let isJumping =
                stage.list.isJumping || stage.list.owedRows != 0 || !stage.model.keys.isEmpty
            switch Int.random(in: 0..<20, using: &random) {
            case 0..<6:
                let keys: [Key] = [
                    .down, .up, .pageDown, .pageUp, "G", "g", "[", "]", "t", .home, .tab, .backTab, "j", "k", .pageDown,
                ]
                stage.press(keys[Int.random(in: 0..<keys.count, using: &random)])
            case 6..<11:
                let isKept = Self.change(&stage, nextID: &nextID, &random)
                #expect(isKept && stage.selectedID == before, context)
            case 11..<17:
                _ = stage.deliver()
                // Only what somebody asked for may select another record.
                if !isJumping, before != nil { #expect(stage.selectedID == before, context) }
            case 17:
                let size = ScreenSize(
                    columns: Int.random(in: 40...130, using: &random), rows: Int.random(in: 8...50, using: &random))
                stage.tell(.resized(size))
                #expect(stage.selectedID == before, context)
            case 18 where Bool.random(using: &random): stage.holdsEvents.toggle()
            case 18:
                stage.wait(UInt64.random(in: 1...900, using: &random), settles: Bool.random(using: &random))
            default:
                if stage.isConnected {
                    stage.lose()
                    #expect(stage.selectedID == before, context)
                    if Int.random(in: 0..<4, using: &random) == 0 { stage.daemon.epoch += "x" }
                } else {
                    stage.connect()
                }
            }
            Self.check(stage, context)
        }
        Self.settleAndCompare(&stage, "seed \(seed)")
    }

    /// Changes some records of the daemon.
    ///
    /// - Returns: whether the model shows the same rows as before.
    private static func change(
        _ stage: inout BrowseStage, nextID: inout Int, _ random: inout SeededGenerator
    ) -> Bool {
        let ids = stage.list.rows.map(\.id)
        var id = nextID
        stage.commit { units in
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                switch Int.random(in: 0..<4, using: &random) {
                case 0:
                    id += 1
                    units.append(FakeDaemon.Record(id: Bool.random(using: &random) ? id : -id, name: "new"))
                case 1 where !units.isEmpty: units.remove(at: Int.random(in: 0..<units.count, using: &random))
                case 2 where !units.isEmpty:
                    units[Int.random(in: 0..<units.count, using: &random)].name += "x"
                case 3 where !units.isEmpty:
                    let index = Int.random(in: 0..<units.count, using: &random)
                    units[index].status = units[index].status == "ok" ? "faulty" : "ok"
                default: break
                }
            }
        }
        nextID = id
        return stage.list.rows.map(\.id) == ids
    }

    private static func check(_ stage: BrowseStage, _ context: Comment) {
        let list = stage.list
        #expect(Set(list.rows.map(\.id)).count == list.rows.count, context)
        #expect(list.rows.count <= ListPage.maxHeldRows, context)
        #expect(list.windows.map(\.count).reduce(0, +) == list.rows.count, context)
        guard let selected = list.selected else {
            #expect(list.rows.isEmpty, context)
            return
        }
        #expect(list.rows.indices.contains(selected), context)
        // A list that is not shown is fitted to the screen as it is shown again.
        guard stage.model.state.tab == .collection("units") else { return }
        let geometry = stage.model.state.geometry(of: list)
        #expect(selected >= list.top && selected < list.endOfView(geometry), context)
    }

    /// Lets all come to rest: what is shown is then what the daemon has, but for what is marked and counted.
    private static func settleAndCompare(_ stage: inout BrowseStage, _ context: Comment) {
        stage.holdsEvents = false
        if !stage.isConnected { stage.connect() }
        stage.settle()
        stage.press("1")
        stage.settle()
        stage.wait(2000)
        let question = FakeDaemon.Question(
            collection: "units", archived: stage.list.query.archived, isGrouped: true)
        var wanted = stage.daemon.list(question)
        if !stage.list.isRebuilt {
            for row in stage.list.rows where row.isPresent {
                #expect(wanted.first { String($0.id) == row.id }?.json == row.record.source, context)
            }
            let ids = Set(wanted.map { String($0.id) })
            #expect(stage.list.newer.isSubset(of: ids), context)
            #expect(stage.list.newer.isDisjoint(with: stage.list.rows.map(\.id)), context)
        }
        let selected = stage.selectedID
        if stage.list.hasNews {
            stage.press("g")
            stage.settle()
            if let selected, wanted.contains(where: { String($0.id) == selected }) {
                #expect(stage.selectedID == selected, context)
            }
        }
        stage.wait(2000)
        wanted = stage.daemon.list(question)
        let shown = stage.list.rows.map(\.id)
        #expect(stage.list.total == Int64(wanted.count), context)
        let first = stage.list.firstRank
        #expect(shown == wanted.dropFirst(first).prefix(shown.count).map { String($0.id) }, context)
        #expect(!stage.list.hasNews, context)
    }
}
