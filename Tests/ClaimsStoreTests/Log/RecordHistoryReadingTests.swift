// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsTestSupport
import Testing

@testable import ClaimsStore

@Suite struct RecordHistoryReadingTests {
    /// A log with small commits, large ones and marks between them, in which each id of "0" to "9" has many changes.
    private func filled(_ random: inout SeededGenerator) throws -> StoreFixture {
        let fixture = try StoreFixture()
        let ids = (0..<10).map { "\($0)" }
        try fixture.commit(ids)
        for round in 0..<30 {
            var stage = try fixture.stage()
            for id in ids.shuffled(using: &random) where round % 7 == 0 || random.oneIn(5) {
                let values = Array("{\"name\":[\"\(round)\",\"\(round + 1)\"]}".utf8)
                try stage.note(.updated, id: Array(id.utf8).rawSpan, values: values.rawSpan)
            }
            try fixture.store.generations.commit(
                &stage, GenerationCommit(.file(fixture.snapshot(ids, stage.generation)), sources: [SourceRow()]))
            if random.oneIn(3) { try fixture.archive(["\(round % 10)"], random.oneIn(2)) }
        }
        return fixture
    }

    @Test(arguments: 1...3 as ClosedRange<UInt64>)
    func `a history is the same however small the pieces are in which the log is looked through`(
        seed: UInt64
    ) throws {
        var random = SeededGenerator(seed: seed)
        let fixture = try filled(&random)
        if seed == 3 { try fixture.trim(changes: 40) }
        let log = try fixture.store.database.changeLog()
        let all = try log.changes(of: 1, after: 0, through: .max, limit: 10_000)
        for id in ["0", "3", "9", "none"] {
            let bytes = Array(id.utf8)
            let own = Array(all.changes.filter { $0.id == bytes && $0.seq > all.floor }.reversed())
            for maxRows in [1, 2, 3, 7, 10, 11, 10_000] {
                for limit in [1, 3, 1000] {
                    var read: [LoggedChange] = []
                    var before: UInt64?
                    while true {
                        let page = try #require(
                            try log.history(of: 1, id: bytes, before: before, limit: limit, maxRows: maxRows))
                        #expect(page.changes.count <= limit && page.floor == all.floor)
                        read += page.changes
                        guard page.hasMore, let last = page.changes.last else { break }
                        before = last.seq
                    }
                    #expect(read == own, "\(id) by \(maxRows) rows and \(limit) changes")
                }
            }
        }
    }

    @Test func `a history that is not wanted any more is given up between two pieces`() throws {
        var random = SeededGenerator(seed: 4)
        let fixture = try filled(&random)
        let log = try fixture.store.database.changeLog()
        var asked = 0
        let all = try log.history(of: 1, id: Array("none".utf8), limit: 9, maxRows: 5) {
            asked += 1
            return true
        }
        #expect(all?.changes.isEmpty == true && asked > 10)
        for end in 1...asked {
            var left = end
            let part = try log.history(of: 1, id: Array("none".utf8), limit: 9, maxRows: 5) {
                left -= 1
                return left > 0
            }
            #expect(part == nil && left == 0, "nothing is read after the answer that it is not wanted")
        }
        #expect(try log.history(of: 1, id: Array("1".utf8), limit: 9) != nil, "the reader goes on to be used")
    }
}
