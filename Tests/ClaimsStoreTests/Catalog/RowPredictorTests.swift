// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsJSON
import ClaimsModel
import ClaimsTestSupport
import Testing

@testable import ClaimsSnapshot
@testable import ClaimsStore

/// The records that a body is expected to have next.
@Suite struct RowPredictorTests {
    private static func object(_ id: Int, _ title: String = "as it was") -> String {
        #"{"id":"\#(id)","title":"\#(title)"}"#
    }

    /// The elements of a body that are passed over: by element the row; nil where it had to be read, and was looked up.
    private func skipped(_ body: [String], _ base: Snapshot, between: String = ",") throws -> [Int?] {
        let bytes = Array("[\(body.joined(separator: between))]".utf8)
        var elements = try JSONElements(bytes.rawSpan, root: JSONPointer(tokens: []))
        var predictor = RowPredictor(base)
        var tape = JSONTape()
        var rows: [Int?] = []
        while true {
            if let (row, range) = predictor.skip(&elements) {
                #expect(String(decoding: bytes[range], as: UTF8.self) == body[rows.count])
                #expect(base.upstream(row).array == Array(bytes[range]))
                rows.append(row)
                continue
            }
            guard case .value(let range) = try elements.next(into: &tape) else { return rows }
            #expect(Array(bytes[range]) == Array(body[rows.count].utf8))
            let id = try JSONValue.parse(Array(bytes[range]))["id"]?.string ?? ""
            if let row = base.row(forID: Array(id.utf8).rawSpan) { predictor.observe(row) }
            rows.append(nil)
        }
    }

    /// The ids in an order that is not theirs.
    private static let shuffled = [5, 1, 9, 2, 7, 3, 8, 0, 6, 4]

    @Test func `a body in the order of the ids is passed over from end to end`() throws {
        let base = try SnapshotFixture(Self.shuffled.map { Self.object($0) }).snapshot
        #expect(try skipped((0..<10).map { Self.object($0) }, base) == Array(0..<10))
    }

    @Test func `so is one in the order in which the records arrived`() throws {
        let body = Self.shuffled.map { Self.object($0) }
        let base = try SnapshotFixture(body).snapshot
        #expect(try skipped(body, base) == Self.shuffled)
        #expect(try skipped(body, base, between: " ,\n") == Self.shuffled)
    }

    @Test(arguments: [Array(0..<10), shuffled])
    func `after a record that has changed it goes on`(order: [Int]) throws {
        var body = order.map { Self.object($0) }
        let base = try SnapshotFixture(body).snapshot
        var expected: [Int?] = order
        for index in [0, 4, 9] {
            body[index] = Self.object(order[index], "changed")
            expected[index] = nil
        }
        #expect(try skipped(body, base) == expected)
    }

    @Test(arguments: [Array(0..<10), shuffled])
    func `so it does after one that is new, and where one is missing`(order: [Int]) throws {
        var body = order.map { Self.object($0) }
        let base = try SnapshotFixture(body).snapshot
        body.insert(Self.object(77), at: 3)
        body.remove(at: 7)
        var expected: [Int?] = order
        expected.insert(nil, at: 3)
        // The one after the gap is read, and tells where to go on.
        expected[8] = nil
        expected.remove(at: 7)
        #expect(try skipped(body, base) == expected)
    }

    @Test func `a record that has changed since it arrived does not lose those that followed it then`() throws {
        let body = Self.shuffled.map { Self.object($0) }
        let first = try SnapshotFixture(body)
        let changed = try Shelf.decode([Self.object(9, "changed")], Shelf.definition)
        let base = try SnapshotFixture(first) { writer in
            for id in Self.shuffled where id != 9 { _ = try writer.carry(id, from: first.snapshot) }
            _ = try SnapshotFixture.append(changed[0], to: &writer)
            return first.records.filter { $0.id != changed[0].id } + changed
        }.snapshot
        var now = body
        now[2] = Self.object(9, "changed")
        var expected: [Int?] = Self.shuffled
        expected[2] = nil
        #expect(try skipped(now, base) == expected)
    }

    @Test func `what does not read the same, byte for byte, is left for who reads it`() throws {
        let base = try SnapshotFixture([Self.object(0), Self.object(1)]).snapshot
        let body = [#"{ "id":"0","title":"as it was"}"#, #"{"id":"1","title":"as it was","x":1}"#]
        #expect(try skipped(body, base) == [nil, nil])
        #expect(try skipped([], base) == [])
        #expect(try skipped([Self.object(5)], SnapshotFixture([]).snapshot) == [nil])
    }
}
