// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsPlatform
import ClaimsTestSupport
@testable import ClaimsTriggers
import Testing

struct ReportedLogTests {
    private static let head = Reported.Head(
        collection: "books", fields: ["title", "size"], key: Reported.Key(first: 1, last: 2))

    private func log(_ path: String) throws -> ReportedLog {
        guard case .log(let log) = try ReportedLog.read(path) else { throw TestFailure("the log is damaged") }
        return log
    }

    private func isDamaged(_ path: String) throws -> Bool {
        if case .damaged = try ReportedLog.read(path) { true } else { false }
    }

    private func commit(
        _ log: inout ReportedLog, _ seq: Int, _ changes: [Reported.Change], hasForgotten: Bool = false
    ) throws {
        let moment = Reported.Moment(clock: "e.\(seq)", at: Int64(seq), condition: "ok")
        try log.commit(moment, hasForgotten: hasForgotten) { body throws(SystemError) in
            for change in changes { try body(change) }
        }
    }

    private func members(_ reported: Reported?) -> [String: [UInt64]] {
        guard let reported else { return [:] }
        return Dictionary(
            uniqueKeysWithValues: (0..<reported.members.count).map {
                (String(decoding: reported.members.id(at: $0), as: UTF8.self), reported.hashes(at: $0))
            })
    }

    private func put(_ id: String, _ hash: UInt64) -> Reported.Change { .put(Array(id.utf8), [hash, 7]) }

    @Test func `what was committed is read again, and a commit costs its own entries`() throws {
        let folder = try TemporaryFolder()
        var log = try log(folder("told"))
        #expect(log.reported == nil)
        try commit(&log, 1, [.begin(Self.head)] + (0..<2000).map { put("\($0)", UInt64($0)) })
        let first = log.size
        try commit(&log, 2, [put("5", 99), .drop(Array("6".utf8)), put("new", 1)])
        #expect(log.size - first < 400)
        let again = try self.log(folder("told"))
        #expect(again.reported?.moment == Reported.Moment(clock: "e.2", at: 2, condition: "ok"))
        #expect(again.reported?.head == Self.head)
        #expect(members(again.reported) == members(log.reported))
        #expect(members(again.reported)["5"] == [99, 7] && members(again.reported)["6"] == nil)
        #expect(Files.permissions(folder("told")) == 0o600)
    }

    @Test func `an end that is cut off at any byte is passed over, and the next commit goes on before it`() throws {
        let folder = try TemporaryFolder()
        var log = try log(folder("told"))
        try commit(&log, 1, [.begin(Self.head), put("a", 1)])
        let first = log.size
        try commit(&log, 2, [put("b", 2)])
        let whole = try Files.readAll(folder("told"), cap: 1 << 20)
        for size in first..<whole.count {
            try folder.write("told", Array(whole[..<size]))
            var cut = try self.log(folder("told"))
            #expect(members(cut.reported) == ["a": [1, 7]], "\(size)")
            try commit(&cut, 3, [put("c", 3)])
            #expect(members(try self.log(folder("told")).reported) == ["a": [1, 7], "c": [3, 7]], "\(size)")
        }
    }

    @Test func `a byte that is damaged before the last entry is noticed`() throws {
        let folder = try TemporaryFolder()
        var log = try log(folder("told"))
        try commit(&log, 1, [.begin(Self.head), put("a", 1)])
        let first = log.size
        try commit(&log, 2, [put("b", 2)])
        let whole = try Files.readAll(folder("told"), cap: 1 << 20)
        for offset in 0..<first {
            var damaged = whole
            damaged[offset] ^= 0x41
            try folder.write("told", damaged)
            #expect(try isDamaged(folder("told")), "\(offset)")
        }
        try folder.write("told", [])
        #expect(try isDamaged(folder("told")))
    }

    @Test func `it is written anew once it is twice its content, and after a forget`() throws {
        let folder = try TemporaryFolder()
        var log = try log(folder("told"))
        try commit(&log, 1, [.begin(Self.head)] + (0..<400).map { put("\($0)", 0) })
        var largest = 0
        for round in 2..<400 {
            try commit(&log, round, (0..<20).map { put("\($0)", UInt64(round)) })
            largest = max(largest, log.size)
        }
        #expect(largest < 3 * max(log.contentSize, ReportedLog.minRewritten))
        try commit(&log, 500, [put("a secret id", 1)])
        try commit(&log, 501, [.drop(Array("a secret id".utf8))], hasForgotten: true)
        #expect(try !folder.read("told").contains("a secret id"))
        #expect(try members(self.log(folder("told")).reported).count == 400)
    }

    @Test func `other fields begin a new table in the same file`() throws {
        let folder = try TemporaryFolder()
        var log = try log(folder("told"))
        try commit(&log, 1, [.begin(Self.head), put("a", 1), put("b", 1)])
        let other = Reported.Head(collection: "books", fields: ["title"], key: Self.head.key)
        try commit(&log, 2, [.begin(other), .put(Array("a".utf8), [5])])
        #expect(members(try self.log(folder("told")).reported) == ["a": [5]])
    }
}
