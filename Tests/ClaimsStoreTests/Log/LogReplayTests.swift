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

/// The log, undone from what is served, gives what was served at each commit.
@Suite struct LogReplayTests {
    /// The members of each served record by id, and which ids are archived.
    private struct Served: Equatable {
        var records: [String: [String: String]] = [:]
        var archived: Set<String> = []
    }

    private static let ids = (1...12).map(String.init)

    @Test(arguments: 0..<12)
    func `random bodies, marks, definitions, restarts and crashes can be undone to every commit`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var fixture = try OpenerFixture()
        var definition = try OpenerFixture.definition()
        var moments: [UInt64: Served] = [:]
        for step in 0..<40 {
            switch Int.random(in: 0..<10, using: &random) {
            case 0..<5:
                _ = try fixture.take(Self.body(&random), at: OpenerFixture.now + Int64(step))
            case 5, 6: try archive(fixture, &random)
            case 7:
                definition = try Self.definition(&random)
                #expect(fixture.opener.reload([definition]) == [:])
            case 8: fixture = try restarted(fixture, definition, stagingRows: Bool.random(using: &random))
            default:
                let limits = RetentionLimits(
                    oldest: 0, changes: Int.random(in: 10..<60, using: &random), bytes: .max)
                try fixture.store.trimLog(of: "things", limits)
            }
            moments[fixture.store.catalog.current().revision.seq] = served(fixture)
            try verify(fixture, moments)
        }
    }

    /// Undoes the log of each id, down to each commit that the floor lets be told.
    private func verify(_ fixture: OpenerFixture, _ moments: [UInt64: Served]) throws {
        guard let row = fixture.view?.condition.row, row.hasData else { return }
        let extent = try fixture.store.database.perform { connection throws(StoreError) in
            try connection.logExtent(of: row)
        }
        #expect(fixture.view?.condition.log == extent)
        #expect(try fixture.store.database.load(names: []).collections["things"]?.row == row)
        let log = try fixture.store.database.changeLog()
        let lowest = max(row.floor, row.startSeq)
        let known = moments.filter { $0.key >= lowest }
        var undone = known.mapValues { _ in Served() }
        let newest = served(fixture)
        for id in Self.ids {
            var members = newest.records[id]
            var isArchived = newest.archived.contains(id)
            let history = try #require(try log.history(of: row.number, id: Array(id.utf8), limit: 1000))
            #expect(history.floor == row.floor && !history.hasMore)
            var rest = history.changes[...]
            for seq in known.keys.sorted(by: >) {
                while let change = rest.first, change.seq > seq {
                    try undo(change, &members, &isArchived)
                    rest.removeFirst()
                }
                undone[seq]?.records[id] = members
                if isArchived { undone[seq]?.archived.insert(id) }
            }
        }
        #expect(undone == known)
        // A page tells the same as the histories, definitions aside.
        let page = try log.changes(of: row.number, after: row.floor, through: .max, limit: 10_000)
        var told = 0
        for id in Self.ids {
            let history = try #require(try log.history(of: row.number, id: Array(id.utf8), limit: 1000)).changes
            told += history.count { $0.cause != .definition }
        }
        #expect(page.changes.count == told)
        #expect(zip(page.changes, page.changes.dropFirst()).allSatisfy { $0.seq < $1.seq })
    }

    private func undo(
        _ change: LoggedChange, _ members: inout [String: String]?, _ isArchived: inout Bool
    ) throws {
        switch change.operation {
        case .archived: isArchived = false
        case .unarchived: isArchived = true
        case .added: members = nil
        case .removed: members = try Self.members(change.values)
        case .updated, .definition:
            let values = try #require(try JSONValue.parse(String(decoding: change.values, as: UTF8.self)).object)
            for member in values.members {
                let before = try #require(member.value.array).first ?? .null
                members?[member.key] = before.isNull ? nil : before.string
            }
        }
    }

    private func served(_ fixture: OpenerFixture) -> Served {
        var served = Served()
        guard let view = fixture.view else { return served }
        for document in fixture.documents {
            guard let members = try? Self.members(Array(document.utf8)), let id = members["id"] else { continue }
            served.records[id] = members
        }
        served.archived = Set(Self.ids.filter { view.archive.mark(Array($0.utf8)) != nil })
        return served
    }

    private static func members(_ document: [UInt8]) throws -> [String: String] {
        let object = try #require(try JSONValue.parse(String(decoding: document, as: UTF8.self)).object)
        var members: [String: String] = [:]
        for member in object.members { members[member.key] = member.value.string }
        return members
    }

    // MARK: - What happens

    private static func body(_ random: inout SeededGenerator) -> String {
        var records: [String] = []
        for id in ids.shuffled(using: &random) where Int.random(in: 0..<4, using: &random) > 0 {
            for _ in 0..<(Int.random(in: 0..<8, using: &random) == 0 ? 2 : 1) {
                var members = ["\"id\":\(id)"]
                for name in ["name", "label", "other"] where Int.random(in: 0..<3, using: &random) > 0 {
                    members.append("\"\(name)\":\"\(Int.random(in: 0..<3, using: &random))\"")
                }
                records.append("{\(members.shuffled(using: &random).joined(separator: ","))}")
            }
        }
        return "[\(records.joined(separator: ","))]"
    }

    private static func definition(_ random: inout SeededGenerator) throws -> Definition {
        let base = try OpenerFixture.definition(isNameRequired: Int.random(in: 0..<4, using: &random) == 0)
        var fields = base.fields
        let pointers = ["/label", "/name", "/other"].shuffled(using: &random)
        fields[2].from = try pointers.prefix(Int.random(in: 1...2, using: &random)).map { try JSONPointer($0) }
        return Definition(name: base.name, source: base.source, fields: fields, isArchivable: true)
    }

    private func archive(_ fixture: OpenerFixture, _ random: inout SeededGenerator) throws {
        let done = Monitor(false)
        let ids = Self.ids.shuffled(using: &random).prefix(Int.random(in: 1...4, using: &random))
        let change = ArchiveChange(
            collection: "things", ids: ids.map { Array($0.utf8) }, isArchiving: Bool.random(using: &random), uid: 7,
            at: OpenerFixture.now)
        fixture.store.archive(change) { _ in done.update { $0 = true } }
        _ = done.wait { $0 ? true : nil }
    }

    /// A daemon that starts on what a kill at this moment leaves, maybe in the middle of a refresh.
    private func restarted(
        _ fixture: OpenerFixture, _ definition: Definition, stagingRows: Bool
    ) throws -> OpenerFixture {
        if stagingRows {
            var stage = try fixture.store.database.stage(1, at: 1, historyBytes: 1 << 20)
            let id = Array("1".utf8)
            _ = try stage.add(id: id.rawSpan, upstream: Array("{}".utf8).rawSpan, firstSeen: 1, changedAt: 1)
            if let records = fixture.view?.committed, let row = records.rowsByID.first {
                try stage.end(records.record(row).stateKey)
            }
            try stage.note(.added, id: id.rawSpan)
            try stage.flush()
        }
        let copy = try TemporaryFolder()
        for folder in ["state", "cache"] {
            try Directory.create(copy(folder))
            for name in try Directory.list(fixture.folder(folder)) where name != StateDatabase.lockName {
                try copy.write("\(folder)/\(name)", Files.readAll(fixture.folder("\(folder)/\(name)"), cap: 1 << 30))
            }
        }
        return try OpenerFixture(copy, definitions: [definition])
    }
}
