// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsModel
import ClaimsTestSupport
import Testing

@testable import ClaimsServer
@testable import ClaimsStore

@Suite struct DealTests {
    @Test func `every listed record is as likely, also one that stands behind many archived ones`() async throws {
        let definition = Definition(
            name: "offers", singular: "offer", source: Source(),
            fields: [Field(name: "id", type: .id, from: [JSONPointer(tokens: [Array("id".utf8)])])],
            isArchivable: true, deal: LocalizedText("{id}"))
        let numbers = 1...200
        let fixture = try SnapshotFixture(numbers.map { #"{"id":"\#($0)"}"# }, definition)
        var row = CollectionRow(number: 10, name: "offers")
        row.generation = 1
        let listed: Set = [1, 2, 120, 121]
        let marks = numbers.filter { !listed.contains($0) }.map {
            ArchiveMarkChange(id: Array("\($0)".utf8), mark: ArchiveMark(at: ServedShelf.now, uid: 0))
        }
        let view = CollectionView(
            definition: definition, snapshot: fixture.snapshot, archive: ArchiveOverlay(),
            condition: CollectionCondition(row: row)
        ).with(marks, seq: 0)
        let shelf = try ServedShelf(others: [view])
        var draws: [String: Int] = [:]
        for _ in 0..<2_000 {
            let result = try await shelf.ask("deal", #"{"collection":"offers"}"#)
            draws[result["message"]?.string ?? "", default: 0] += 1
        }
        #expect(Set(draws.keys) == Set(listed.map(String.init)))
        // 500 are expected, and 7 standard deviations are 136.
        #expect(draws.values.allSatisfy { (364...636).contains($0) }, "\(draws)")
    }
}
