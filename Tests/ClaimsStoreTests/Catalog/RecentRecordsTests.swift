// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsJSON
import ClaimsModel
import ClaimsPlatform
import ClaimsQuery
import ClaimsTestSupport
import Testing

@testable import ClaimsSnapshot
@testable import ClaimsStore

/// Small generations, whose records lie over the file that there is.
@Suite struct RecentRecordsTests {
    private static let first = #"[{"id":1,"name":"a"},{"id":2,"name":"b"},{"id":3,"name":"c"}]"#

    private func fixture(_ definition: Definition? = nil) throws -> OpenerFixture {
        let fixture = try OpenerFixture(definitions: [definition ?? OpenerFixture.definition()])
        try fixture.take([.whole(Self.first)])
        return fixture
    }

    @Test func `a generation of a few changes writes no file, and a start finds it`() throws {
        let fixture = try fixture()
        let files = fixture.files
        try fixture.take([.whole(#"[{"id":1,"name":"a"},{"id":2,"name":"B"},{"id":4,"name":"d"}]"#)], at: 5)
        let expected = [
            #"{"id":"1","name":"a"}"#, #"{"id":"2","name":"B"}"#, #"{"id":"4","name":"d"}"#,
        ]
        #expect(fixture.documents == expected && fixture.files == files)
        let view = try #require(fixture.view)
        #expect(view.condition.row.records == 3 && view.condition.row.generation == 2 && view.rows.count == 3)
        #expect(view.served(Array("3".utf8)) == nil)
        #expect(view.served(Array("2".utf8))?.firstSeen == OpenerFixture.now)
        #expect(view.served(Array("2".utf8))?.changedAt == 5)
        let again = try OpenerFixture(try fixture.folder.copyOfStateAndCache())
        #expect(again.documents == expected && again.reported.isEmpty && again.files == files)
        #expect(again.view?.condition.row == view.condition.row)
        #expect(again.view?.served(Array("2".utf8))?.changedAt == 5)
    }

    @Test func `a record that comes back as the file has it is a change`() throws {
        let fixture = try fixture()
        try fixture.take([.whole(#"[{"id":1,"name":"a"},{"id":2,"name":"B"}]"#)], at: 5)
        let taken = try fixture.take([.whole(Self.first)], at: 6)
        #expect(taken.counts[0].updated == 1 && taken.counts[0].added == 1 && taken.counts[0].removed == 0)
        #expect(fixture.documents.count == 3)
        #expect(fixture.view?.served(Array("2".utf8))?.changedAt == 6)
        #expect(fixture.view?.served(Array("3".utf8))?.firstSeen == 6)
        #expect(try fixture.take([.whole(Self.first)], at: 7).isNew == false)
        let again = try OpenerFixture(try fixture.folder.copyOfStateAndCache())
        #expect(again.documents == fixture.documents)
        #expect(again.view?.served(Array("3".utf8))?.firstSeen == 6)
    }

    @Test func `a record that came and went leaves nothing, in memory and in the database`() throws {
        let fixture = try fixture()
        for at in 1...3 as ClosedRange<Int64> {
            try fixture.take([.changes(#"[{"id":9,"name":"x\#(at)"}]"#)], at: at)
        }
        #expect(try fixture.rows("SELECT count(*) FROM version") == ["6"])
        try fixture.opener.tidy("things")
        #expect(try fixture.rows("SELECT count(*) FROM version") == ["4"])
        try fixture.take([.whole(Self.first)], at: 9)
        #expect(fixture.view?.committed?.recent == nil && fixture.documents.count == 3)
        try fixture.opener.tidy("things")
        #expect(try fixture.rows("SELECT count(*) FROM version") == ["3"])
        let again = try OpenerFixture(try fixture.folder.copyOfStateAndCache())
        #expect(again.documents == fixture.documents && again.reported.isEmpty)
    }

    @Test func `past a bound all records go to a new file`() throws {
        let fixture = try fixture()
        let old = fixture.files
        let bounds = RecentBounds(maxChanges: 2, maxRecords: 3)
        try fixture.take([.changes(#"[{"id":1,"name":"A"},{"id":5,"name":"e"}]"#)], at: 5, bounds: bounds)
        #expect(fixture.files == old)
        try fixture.take([.changes(#"[{"id":1,"name":"AA"},{"id":2,"name":"B"}]"#)], at: 6, bounds: bounds)
        #expect(fixture.files == old)
        let documents = fixture.documents
        // A fourth record over the file.
        try fixture.take([.changes(#"[{"id":6,"name":"f"}]"#)], at: 7, bounds: bounds)
        #expect(fixture.files != old && fixture.view?.committed?.recent == nil)
        #expect(fixture.documents == documents + [#"{"id":"6","name":"f"}"#])
        #expect(fixture.view?.served(Array("1".utf8))?.changedAt == 6)
        // Three changes at once.
        let before = fixture.files
        try fixture.take([.whole("[]")], at: 8, bounds: bounds)
        #expect(fixture.files != before && fixture.documents.isEmpty)
    }

    @Test func `a join of many values keeps the records in files`() throws {
        let lines = (0...RecentBounds.maxJoined).map { #"{"key":"k\#($0)","label":"l"}"# }
        let definition = try OpenerFixture.definition(join: true)
        var table = try #require(JoinTable(definition: definition))
        var tape = JSONTape()
        for line in lines {
            let bytes = Array(line.utf8)
            _ = try tape.parse(bytes.rawSpan, from: 0, depth: 8)
            _ = table.add(tape, bytes.rawSpan)
        }
        let fixture = try OpenerFixture(definitions: [definition])
        try fixture.take([.whole(#"[{"id":1,"name":"k1"},{"id":2,"name":"k2"}]"#)], joined: table)
        let old = fixture.files
        try fixture.take([.changes(#"[{"id":1,"name":"k3"}]"#)], at: 5, joined: table)
        #expect(fixture.files != old && fixture.documents[0].contains("k3"))
    }

    @Test func `records that lie over the file are forgotten with every version`() throws {
        let fixture = try fixture()
        try fixture.take([.changes(#"[{"id":2,"name":"second secret"}]"#)], at: 5)
        try fixture.take([.changes(#"[{"id":2,"name":"third secret"},{"id":3,"name":"C"}]"#)], at: 6)
        let order = ForgetOrder(
            collection: "things", ids: [Array("2".utf8)], isDryRun: false, uid: 7, at: OpenerFixture.now)
        #expect(try fixture.opener.forget(order).forgotten == [Array("2".utf8)])
        #expect(fixture.documents == [#"{"id":"1","name":"a"}"#, #"{"id":"3","name":"C"}"#])
        #expect(try fixture.rows("SELECT id FROM version WHERE id = '2'").isEmpty)
        let again = try OpenerFixture(try fixture.folder.copyOfStateAndCache())
        #expect(again.documents == fixture.documents && again.reported.isEmpty)
    }

    @Test func `a damaged file is built anew of all that is committed`() throws {
        let fixture = try fixture()
        try fixture.take([.changes(#"[{"id":2,"name":"B"},{"id":4,"name":"d"}]"#)], at: 5)
        let folder = try fixture.folder.copyOfStateAndCache()
        for name in fixture.files { try folder.write("cache/\(name)", Array("no snapshot".utf8)) }
        let again = try OpenerFixture(folder)
        #expect(again.documents == fixture.documents && again.view?.committed?.recent == nil)
        #expect(again.view?.condition.row.generation == 2)
    }

    // MARK: - A random comparison

    private static let ids = (1...30).map(String.init)

    /// The same commits over layers of random bounds, and with a file each.
    @Test(arguments: 0..<16)
    func `whatever is committed, records over a file answer as one file does`(seed: UInt64) throws {
        try run(seed) { _ in LayerBounds() }
    }

    @Test(arguments: 0..<32)
    func `whatever is committed, small files over a base answer as one file does`(seed: UInt64) throws {
        try run(1000 + seed) { random in
            LayerBounds(
                maxYoung: Int.random(in: 0..<16, using: &random), maxMiddle: Int.random(in: 0..<30, using: &random))
        }
    }

    private func run(_ seed: UInt64, _ layers: (inout SeededGenerator) -> LayerBounds) throws {
        var random = SeededGenerator(seed: seed)
        var definition = try OpenerFixture.sourceDefinition(deleted: .mark(try JSONPointer("/gone")))
        var layered = try OpenerFixture(definitions: [definition])
        var plain = try OpenerFixture(definitions: [definition])
        // Files that are being made while others are committed.
        var pending: [StackWriter.WrittenFile] = []
        for step in 0..<60 {
            let at = OpenerFixture.now + Int64(step)
            switch Int.random(in: 0..<18, using: &random) {
            case 14, 15:
                let file =
                    random.oneIn(2)
                    ? try layered.opener.writer.writeMerged("things")
                    : try layered.opener.writer.writeRecent("things", RecentBounds(layers: layers(&random)))
                if let file { pending.append(file) }
            case 16, 17:
                guard let index = pending.indices.randomElement(using: &random) else { continue }
                let file = pending.remove(at: index)
                do throws(StoreError) { try layered.opener.writer.put(file) } catch {
                    guard error.code == .mismatch else { throw error }
                }
            case 0..<7:
                let answer = Self.answer(&random, isIncremental: random.oneIn(3) ? false : step > 0)
                let bounds = RecentBounds(
                    maxChanges: Int.random(in: 0..<12, using: &random),
                    maxRecords: Int.random(in: 0..<24, using: &random),
                    maxBytes: random.oneIn(5) ? 300 : 1 << 20, layers: layers(&random))
                let taken = try layered.take([answer], at: at, bounds: bounds)
                let expected = try plain.take([answer], at: at, bounds: .none)
                #expect(taken.counts == expected.counts && taken.extents == expected.extents)
                #expect(taken.lacking == expected.lacking && taken.isNew == expected.isNew)
            case 7:
                let ids = Self.ids.shuffled(using: &random).prefix(3).map { Array($0.utf8) }
                let isArchiving = random.oneIn(2)
                for fixture in [layered, plain] { try Self.archive(ids, isArchiving, in: fixture) }
            case 8, 9:
                let folder = try layered.folder.copyOfStateAndCache()
                let row = layered.view?.condition.row
                if random.oneIn(2),
                    let lost = [row?.middle, row?.young].compactMap({ $0 }).randomElement(using: &random)
                {
                    let identity = SnapshotIdentity(
                        epoch: 0, generation: 0, fileID: lost.fileID, definitionHash: 0)
                    try folder.write("cache/\(identity.fileName)", Array("no snapshot".utf8))
                }
                layered = try OpenerFixture(folder, definitions: [definition])
                pending = []
                plain = try OpenerFixture(try plain.folder.copyOfStateAndCache(), definitions: [definition])
                // The files that are named, and no others.
                let named = layered.view?.condition.row.identities(epoch: layered.store.epoch).map(\.fileName) ?? []
                if layered.view?.condition.row.hasData == true { #expect(Set(layered.files) == Set(named)) }
            case 10:
                let ids = Self.ids.shuffled(using: &random).prefix(2).map { Array($0.utf8) }
                let order = ForgetOrder(collection: "things", ids: ids, isDryRun: false, uid: 7, at: at)
                guard layered.view?.committed != nil else { continue }
                let forgotten = try layered.opener.forget(order)
                let expected = try plain.opener.forget(order)
                #expect(Set(forgotten.forgotten).isSuperset(of: expected.forgotten))
                #expect(forgotten.returns == expected.returns)
                for snapshot in layered.view?.committed?.files.snapshots ?? [] {
                    let isLeft = forgotten.forgotten.contains { snapshot.mentions($0.rawSpan) }
                    #expect(!isLeft)
                }
            case 11:
                definition = try Self.definition(&random)
                for fixture in [layered, plain] { #expect(fixture.opener.reload([definition]) == [:]) }
            case 12:
                for fixture in [layered, plain] { try fixture.opener.tidy("things") }
            default:
                guard layered.view?.committed != nil else { continue }
                for fixture in [layered, plain] {
                    _ = try fixture.opener.retryQuarantined(nil, of: "things", historyBytes: 1 << 20)
                }
            }
            try compare(layered, plain, &random)
        }
    }

    private func compare(
        _ layered: OpenerFixture, _ plain: OpenerFixture, _ random: inout SeededGenerator
    ) throws {
        #expect(layered.documents == plain.documents)
        let (view, expected) = (try #require(layered.view), try #require(plain.view))
        #expect(view.condition.row.records == expected.condition.row.records)
        #expect(view.condition.row.generation == expected.condition.row.generation)
        #expect(view.rows.count == expected.rows.count && view.rows.archivedCount == expected.rows.archivedCount)
        for id in Self.ids.map({ Array($0.utf8) }) {
            let (record, other) = (view.served(id), expected.served(id))
            #expect(record?.firstSeen == other?.firstSeen && record?.changedAt == other?.changedAt)
            #expect(record?.upstream == other?.upstream)
        }
        let changes = """
            SELECT collection || seq || op || id || coalesce(fields, '') FROM changes WHERE seq > (
                SELECT max(floor) FROM collection) ORDER BY seq, id
            """
        #expect(try layered.rows(changes) == plain.rows(changes))
        let records = "SELECT id || upstream || first_seen || changed_at FROM record ORDER BY id"
        #expect(try layered.rows(records) == plain.rows(records))
        for _ in 0..<3 {
            var query = PageQuery(
                predicate: random.pick([
                    .constant(true), .text(Array("b".utf8)), .not(.text(Array("a".utf8))), .text(Array("ab".utf8)),
                ]),
                order: RecordOrder(
                    random.pick([
                        [], [SortKey(field: 1)], [SortKey(field: 2, descending: true)],
                        [SortKey(field: 0, descending: true)],
                    ]), idField: 0))
            query.archived = random.pick([.exclude, .include, .only])
            query.facets = [1]
            query.limit = Int.random(in: 1...12, using: &random)
            #expect(try OpenerFixture.pages(query, view) == OpenerFixture.pages(query, expected))
        }
    }

    private static func answer(_ random: inout SeededGenerator, isIncremental: Bool) -> TestAnswer {
        var records: [String] = []
        for id in ids.shuffled(using: &random) where random.oneIn(isIncremental ? 6 : 2) {
            var members = ["\"id\":\(id)"]
            for name in ["name", "label", "other"] where !random.oneIn(3) {
                members.append("\"\(name)\":\"\(random.pick(["a", "b", "ab", "Ab", "c b"]))\"")
            }
            if random.oneIn(10) { members.append("\"name\":7") }
            if isIncremental, random.oneIn(5) { members.append("\"gone\":true") }
            records.append("{\(members.joined(separator: ","))}")
        }
        let page = "[\(records.joined(separator: ","))]"
        return isIncremental ? .changes(page) : .whole(page)
    }

    private static func definition(_ random: inout SeededGenerator) throws -> Definition {
        let base = try OpenerFixture.sourceDefinition(deleted: .mark(try JSONPointer("/gone")))
        var fields = base.fields
        fields[2].from = [try JSONPointer(random.pick(["/label", "/other"]))]
        fields[1].isRequired = random.oneIn(3)
        return Definition(name: base.name, source: base.source, fields: fields, isArchivable: true)
    }

    private static func archive(_ ids: [[UInt8]], _ isArchiving: Bool, in fixture: OpenerFixture) throws {
        let done = Monitor(false)
        let change = ArchiveChange(
            collection: "things", ids: ids, isArchiving: isArchiving, uid: 7, at: OpenerFixture.now)
        fixture.store.archive(change) { _ in done.update { $0 = true } }
        _ = done.wait { $0 ? true : nil }
    }
}
