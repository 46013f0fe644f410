// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsProtocol
import ClaimsTestSupport
import Testing

@testable import ClaimsServer

/// The ledger tells what a plain list of looks tells.
@Suite struct LookLedgerTests {
    private typealias Viewer = LookLedger.Viewer
    private typealias Look = LookLedger.Look

    private static func viewer(_ user: UInt32, _ collection: String = "letters", purpose: String? = nil) -> Viewer {
        Viewer(collection: collection, user: user, rule: 1, purpose: purpose.flatMap { Purpose($0) }, process: 10)
    }

    @Test func `a span begins with the first look and ends once`() {
        var ledger = LookLedger(every: 10, maxIDs: 100)
        let early = ledger.takeDue(at: 100)
        #expect(early.isEmpty)
        let begins = ledger.add(Look(.detail, records: 1, ids: ["7"]), by: Self.viewer(1), at: 100)
        let goesOn = ledger.add(Look(.detail, records: 1, ids: ["7"]), by: Self.viewer(1), at: 105)
        #expect(begins && !goesOn)
        let due = ledger.due
        #expect(due == 110)
        let within = ledger.takeDue(at: 109)
        #expect(within.isEmpty)
        let entries = ledger.takeDue(at: 110)
        #expect(entries.count == 1)
        #expect(entries.first?.records == 2)
        #expect(entries.first?.ids == ["7"])
        #expect(entries.first?.moreIDs == 0)
        #expect(entries.first?.methods == [.detail: 2])
        let later = ledger.takeDue(at: 1_000)
        #expect(later.isEmpty)
    }

    @Test func `users, rules, purposes and collections have entries of their own`() {
        var ledger = LookLedger(every: 10, maxIDs: 100)
        let viewers = [
            Self.viewer(1), Self.viewer(2), Self.viewer(1, "parcels"), Self.viewer(1, purpose: "audit"),
            Viewer(collection: "letters", user: 1, rule: 0, purpose: nil, process: 10),
        ]
        for viewer in viewers + viewers { ledger.add(Look(.search, records: 3), by: viewer, at: 0) }
        let entries = ledger.takeAll()
        #expect(entries.map(\.viewer) == viewers)
        #expect(entries.map(\.records) == [6, 6, 6, 6, 6])
    }

    @Test func `the ids of an entry are bounded in number and bytes`() {
        var ledger = LookLedger(every: 10, maxIDs: 2)
        ledger.add(Look(.search, records: 4, ids: ["1", "2", "1", "3"]), by: Self.viewer(1), at: 0)
        let few = ledger.takeAll().first
        #expect(few?.ids == ["1", "2"])
        #expect(few?.moreIDs == 1)
        ledger = LookLedger(every: 10, maxIDs: 1_000)
        let long = (0..<10).map { String(repeating: "\"", count: 300) + String($0) }
        ledger.add(Look(.search, records: 10, ids: long), by: Self.viewer(1), at: 0)
        let entry = ledger.takeAll().first
        #expect(entry?.ids.count == 6)
        #expect(entry?.moreIDs == 4)
    }

    @Test func `viewers beyond the most of a span are summed, and no look is lost`() {
        var ledger = LookLedger(every: 10, maxIDs: 100)
        let most = LookLedger.maxViewers
        for user in 0..<UInt32(most + 44) {
            ledger.add(Look(.detail, records: 1, ids: ["\(user)"], misses: 1, refused: 2), by: Self.viewer(user), at: 0)
        }
        let entries = ledger.takeAll()
        #expect(entries.count == most + 1)
        let rest = entries.last
        #expect(rest?.viewer == nil)
        #expect(rest?.records == 44)
        #expect(rest?.misses == 44)
        #expect(rest?.refused == 88)
        #expect(rest?.ids == [])
        #expect(rest?.moreIDs == 44)
    }

    @Test func `entries that could not be written are told by the next one`() {
        var ledger = LookLedger(every: 10, maxIDs: 100)
        ledger.add(Look(.detail), by: Self.viewer(1), at: 0)
        let first = ledger.takeAll()
        ledger.recordLoss(of: first[0])
        ledger.add(Look(.detail), by: Self.viewer(1), at: 20)
        ledger.add(Look(.detail), by: Self.viewer(2), at: 20)
        let entries = ledger.takeAll()
        #expect(entries.map(\.lost) == [1, 0])
        ledger.recordLoss(of: entries[0])
        let none = ledger.takeAll()
        #expect(none.isEmpty)
        ledger.add(Look(.detail), by: Self.viewer(1), at: 40)
        let last = ledger.takeAll()
        #expect(last.first?.lost == 2)
    }

    @Test(arguments: 0..<20) func `sums are those of the list of all looks`(seed: Int) {
        var random = SeededGenerator(seed: UInt64(seed))
        var ledger = LookLedger(every: 50, maxIDs: 5)
        var looks: [(viewer: Viewer, look: Look)] = []
        var entries: [LookLedger.Entry] = []
        for now in 0..<UInt64(1_000) {
            entries += ledger.takeDue(at: now)
            guard Bool.random(using: &random) else { continue }
            let viewer = Self.viewer(UInt32.random(in: 0..<(seed < 10 ? 4 : 400), using: &random))
            let ids = (0..<Int.random(in: 0..<4, using: &random)).map { _ in "\(Int.random(in: 0..<20, using: &random))"
            }
            let look = Look([.detail, .search][Int.random(in: 0..<2, using: &random)], records: ids.count, ids: ids)
            looks.append((viewer, look))
            ledger.add(look, by: viewer, at: now)
        }
        entries += ledger.takeAll()
        #expect(entries.reduce(0) { $0 + $1.records } == looks.reduce(0) { $0 + $1.look.records })
        let counted = entries.reduce(0) { $0 + $1.methods.values.reduce(0, +) }
        #expect(counted == looks.count)
        for entry in entries {
            #expect(entry.ids.count <= 5)
            #expect(Set(entry.ids).count == entry.ids.count)
            guard let viewer = entry.viewer else { continue }
            let shown = Set(looks.filter { $0.viewer == viewer }.flatMap(\.look.ids))
            #expect(shown.isSuperset(of: entry.ids))
        }
        let viewers = Set(looks.map(\.viewer))
        if seed < 10 {
            for viewer in viewers {
                let told = entries.filter { $0.viewer == viewer }.reduce(0) { $0 + $1.records }
                #expect(told == looks.filter { $0.viewer == viewer }.reduce(0) { $0 + $1.look.records })
            }
        }
    }
}
