// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsPlatform
import ClaimsTestSupport
import Testing

@testable import ClaimsSnapshot

@Suite struct PostingBuilderTests {
    /// The keys of each item.
    private struct Source: PostingSource {
        let keys: [[Int]]

        func forEachKey(of item: Int, _ bytes: RawSpan, _ body: (Int) -> Void) {
            for key in keys[item] { body(key) }
        }
    }

    /// Builds lists with room for few units and keys at once, or for many, and reads them again.
    private func lists(_ keys: [[Int]], count: Int, room: Int, group: Int) throws -> [[Int]] {
        let folder = try TemporaryFolder()
        let identity = SnapshotIdentity(epoch: 1, generation: 1, fileID: 1, definitionHash: 1)
        let output = try SnapshotOutput(directory: folder.path, identity: identity)
        let builder = PostingBuilder(
            items: keys.count, keys: count, source: Source(keys: keys), groupUnits: group, groupKeys: group, room: room)
        try builder.write(
            [UInt8]().rawSpan, starts: .postingStarts, counts: .postingCounts, lists: .postings, id: 3, to: output)
        let postings = SectionIndex(output.sections).postings(
            starts: .postingStarts, counts: .postingCounts, lists: .postings, id: 3)
        let file = try output.map()
        return (0..<count).map { key in
            var items: [Int] = []
            postings.view(file.bytes).forEach(key) { item in
                items.append(item)
                return true
            }
            let length = postings.view(file.bytes).count(key)
            #expect(items.count == length)
            return items
        }
    }

    @Test(arguments: [(PostingChunks.maxRoom, 1 << 23), (4098, 1), (6000, 5000), (20_000, 40)])
    func `each list has the items with its key, whatever is done at once`(room: Int, group: Int) throws {
        var random = SeededGenerator(seed: UInt64(room &+ group))
        let count = 300
        // More than one chunk: one key in nearly all items, one in every tenth, few without any, many more than once.
        let keys = (0..<70_000).map { item -> [Int] in
            var keys: [Int] = []
            if item % 50 != 0 { keys.append(7) }
            if item % 10 == 3 { keys += [299, 299] }
            for _ in 0..<Int.random(in: 0...3, using: &random) {
                // Keys that do not exist are passed over.
                keys.append(Int.random(in: 8...305, using: &random))
            }
            return item % 13 == 0 ? [] : keys + keys.prefix(1)
        }
        var expected = [[Int]](repeating: [], count: count)
        for (item, keys) in keys.enumerated() {
            for key in Set(keys) where key < count { expected[key].append(item) }
        }
        #expect(try lists(keys, count: count, room: room, group: group) == expected)
    }

    @Test func `without items, and without keys, there is nothing`() throws {
        #expect(try lists([], count: 4, room: 4098, group: 8) == [[], [], [], []])
        #expect(try lists([[0], []], count: 0, room: 4098, group: 8) == [])
    }
}
