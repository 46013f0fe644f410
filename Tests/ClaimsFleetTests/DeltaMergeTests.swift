// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsModel
import ClaimsTestSupport
import Testing

@testable import ClaimsFleet

extension DeltaMerge {
    /// A page of one file.
    fileprivate mutating func page(of file: [UInt8]) throws(FleetError) -> [UInt8] {
        try add(file)
        return readPage()
    }
}

@Suite struct DeltaMergeTests {
    private let definition: Definition

    init() throws {
        definition = Definition(
            name: "units", source: Source(), fields: [Field(name: "id", type: .id, from: [try JSONPointer("/id")])])
    }

    private func file(_ records: [(Int, Int)], deleted: [Int] = []) -> [UInt8] {
        let list = records.map { "{\"id\":\($0.0),\"n\":\($0.1)}" }.joined(separator: ",")
        let ids = deleted.map { "\"\($0)\"" }.joined(separator: ",")
        return Array("{\"records\":[\(list)],\"deleted\":[\(ids)]}".utf8)
    }

    private func records(_ pages: [[UInt8]]) throws -> [Int64: Int64] {
        var found: [Int64: Int64] = [:]
        for element in try pages.flatMap({ try JSONValue.parse($0)["records"]?.array ?? [] }) {
            let id = try #require(element["id"]?.integer)
            #expect(found[id] == nil, "an id comes once")
            found[id] = element["n"]?.integer
        }
        return found
    }

    private func deleted(_ pages: [[UInt8]]) throws -> Set<Int64> {
        Set(try pages.flatMap { try JSONValue.parse($0)["deleted"]?.array ?? [] }.compactMap { Int64($0.string ?? "") })
    }

    @Test("the last word on an id counts, whether it is a record or a deletion") func lastWord() throws {
        var merge = DeltaMerge(definition)
        let pages = [
            try merge.page(of: file([(1, 3)], deleted: [2])), try merge.page(of: file([(2, 2), (4, 2)], deleted: [1])),
            try merge.page(of: file([(1, 1), (3, 1)], deleted: [4])),
        ]
        #expect(try records(pages) == [1: 3, 4: 2, 3: 1])
        #expect(try deleted(pages) == [2])
    }

    @Test("an element without an id is kept, for the quarantine of this host") func badElements() throws {
        var merge = DeltaMerge(definition)
        let first = try merge.page(of: Array(#"{"records":[7,{"id":1}],"deleted":[null]}"#.utf8))
        #expect(first == Array(#"{"records":[7,{"id":1}],"deleted":[]}"#.utf8))
        let second = try merge.page(of: Array(#"{"records":[7,{"id":1}],"deleted":[]}"#.utf8))
        #expect(second == Array(#"{"records":[7],"deleted":[]}"#.utf8))
    }

    @Test("what is no file of records is refused") func noFile() {
        for text in ["", "[]", "{}", #"{"records":1,"deleted":[]}"#, #"{"records":[],"deleted":[}"#] {
            var merge = DeltaMerge(definition)
            #expect(throws: FleetError.self, "\(text)") { try merge.page(of: Array(text.utf8)) }
        }
    }

    @Test("a base and random deltas over it are the records that the deltas lead to", arguments: 1...40)
    func randomDeltas(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var truth: [Int: Int] = [:]
        for id in 0..<20 { truth[id] = 0 }
        let base = file(truth.sorted { $0.key < $1.key }.map { ($0.key, $0.value) })
        var deltas: [[UInt8]] = []
        for number in 1...Int.random(in: 1...6, using: &random) {
            var changed: [(Int, Int)] = []
            var gone: [Int] = []
            for id in 0..<25 where Int.random(in: 0..<4, using: &random) == 0 {
                if truth[id] != nil, Bool.random(using: &random) {
                    truth[id] = nil
                    gone.append(id)
                } else {
                    truth[id] = number
                    changed.append((id, number))
                }
            }
            deltas.append(file(changed, deleted: gone))
        }
        var merge = DeltaMerge(definition)
        let pages = try deltas.reversed().map { try merge.page(of: $0) }
        let newest = try records(pages)
        let gone = try deleted(pages)
        var count = 0
        let rest = try records([merge.rest(of: base, counting: &count)])
        #expect(count == 20)
        #expect(Set(newest.keys).isDisjoint(with: rest.keys))
        #expect(gone.isDisjoint(with: newest.keys) && gone.isDisjoint(with: rest.keys))
        let all = newest.merging(rest) { one, _ in one }
        #expect(all == Dictionary(uniqueKeysWithValues: truth.map { (Int64($0.key), Int64($0.value)) }))
    }
}
