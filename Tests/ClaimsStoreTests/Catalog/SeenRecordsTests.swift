// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsJSON
import ClaimsModel
import ClaimsPlatform
import ClaimsSnapshot
import ClaimsTestSupport
import Testing

@testable import ClaimsStore

@Suite struct SeenRecordsTests {
    @Test func `what was added is there, across the borders of chunks`() {
        var numbers = ChunkedArray<UInt32>()
        let count = ChunkedArray<UInt32>.chunkCount * 2 + 3
        for number in 0..<count { numbers.append(UInt32(number)) }
        #expect(numbers.count == count)
        #expect((0..<count).allSatisfy { numbers[$0] == UInt32($0) })
    }

    @Test func `a number is found by its hash however the table has grown`() {
        var table = IDHashTable()
        let hash = WyHash(seed: 5)
        func code(_ number: Int) -> UInt64 {
            hash(Array("\(number)".utf8).rawSpan)
        }
        for number in 0..<20_000 {
            var search = table.search(code(number))
            while table.next(&search) != nil {}
            table.insert(search, number)
        }
        for number in 0..<20_000 {
            var search = table.search(code(number))
            var found: [Int] = []
            while let next = table.next(&search) { found.append(next) }
            #expect(found.contains(number))
        }
        var search = table.search(code(20_001))
        #expect(table.next(&search) == nil)
    }

    @Test func `ids of one hash are told apart, and of one id the latest record is found`() throws {
        let seen = try Sequence()
        // All of one hash, then some whose hashes begin or end alike.
        for hash in [7, 7, 7, 7 | 1 << 40, 8, 7 | 1 << 63] as [UInt64] {
            for id in 0..<40 { #expect(try seen.add("id \(hash) \(id)", hash: hash) == nil) }
            for id in 0..<40 { #expect(try seen.add("id \(hash) \(id)", hash: hash) == seen.count - 41) }
            try seen.forget()
        }
    }

    @Test func `long ids are told apart wherever they were written`() throws {
        let seen = try Sequence()
        let prefix = String(repeating: "x", count: 900)
        // Some lie on the border of what has been written out and what has not.
        for id in 0..<1500 { #expect(try seen.add("\(prefix)\(id)", hash: UInt64(id % 500)) == nil) }
        for id in stride(from: 0, to: 1500, by: 7) {
            #expect(try seen.add("\(prefix)\(id)", hash: UInt64(id % 500)) == id)
        }
        #expect(try seen.add(prefix, hash: 0) == nil)
    }

    /// Records that are written and seen one after another, with hashes that are given.
    private final class Sequence {
        private let folder: TemporaryFolder
        private var writer: SnapshotWriter
        private var seen = SeenRecords(rows: 0)

        init() throws {
            folder = try TemporaryFolder()
            writer = try Self.writer(folder)
        }

        var count: Int { seen.count }

        func add(_ id: String, hash: UInt64) throws -> Int? {
            let records = try Shelf.decode([#"{"id":"\#(id)"}"#], Shelf.definition)
            let record = try #require(records.first)
            let number = try writer.append(record, firstSeen: 0, changedAt: 0, stateKey: 0)
            #expect(number == seen.count)
            let entry = SeenRecords.Record(key: 1, start: 0, length: 0, index: 0)
            return try seen.add(entry, id: record.id.rawSpan, hash: hash, in: writer)
        }

        /// Begins anew.
        func forget() throws {
            writer = try Self.writer(folder)
            seen = SeenRecords(rows: 0)
        }

        private static func writer(_ folder: TemporaryFolder) throws -> SnapshotWriter {
            try SnapshotWriter(
                directory: folder.path, definition: Shelf.definition,
                identity: SnapshotIdentity(
                    epoch: 7, generation: 1, fileID: RandomBytes.integer(),
                    definitionHash: Shelf.definition.shapeHash))
        }
    }
}
