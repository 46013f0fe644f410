// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsTestSupport
@testable import ClaimsTriggers
import Testing

struct MemberTableTests {
    @Test(arguments: 0..<8) func `it holds what a dictionary holds, over random insertions and removals`(_ seed: Int) {
        var random = SeededGenerator(seed: UInt64(seed))
        var table = MemberTable(columns: 2, seed: UInt64(seed))
        var model: [String: (UInt64, UInt64)] = [:]
        for _ in 0..<4000 {
            let id =
                String(repeating: "x", count: Int.random(in: 0...3, using: &random))
                + "\(Int.random(in: 0..<500, using: &random))"
            if random.oneIn(3) {
                table.remove(Array(id.utf8))
                model[id] = nil
            } else {
                let index = table.insert(Array(id.utf8))
                let words = (random.next(), random.next())
                (table[index, 0], table[index, 1]) = words
                model[id] = words
            }
        }
        #expect(table.count == model.count)
        #expect(table.textSize == model.keys.reduce(0) { $0 + $1.utf8.count })
        for (id, words) in model {
            let index = table.index(of: Array(id.utf8))
            #expect(index.map { table[$0, 0] == words.0 && table[$0, 1] == words.1 } == true, "\(id)")
        }
        let sorted = table.sorted(Array(0..<table.count)).map { String(decoding: table.id(at: $0), as: UTF8.self) }
        #expect(sorted == model.keys.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) })
    }
}
