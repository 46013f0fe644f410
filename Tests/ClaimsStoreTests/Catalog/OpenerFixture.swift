// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsJSON
import ClaimsModel
import ClaimsPlatform
import ClaimsTestSupport

@testable import ClaimsSnapshot
@testable import ClaimsStore

/// A store, a cache folder and a bundle folder, opened as at the daemon's start.
struct OpenerFixture {
    static let now: Int64 = 1_800_000_000_000

    let folder: TemporaryFolder
    let store: StateStore
    let opener: CollectionOpener
    private let events = Monitor<[OpeningEvent]>([])

    init(
        _ folder: TemporaryFolder? = nil, definitions: [Definition]? = nil, bundle: String? = nil,
        cacheIn cache: String? = nil
    ) throws {
        let folder = try folder ?? TemporaryFolder()
        self.folder = folder
        if let bundle { try folder.write("data/bundle.json", bundle) }
        try Directory.create(folder("state"))
        store = try StateStore(directory: folder("state"))
        let events = events
        opener = CollectionOpener(
            store: store, directory: cache ?? folder("cache"), bundleDirectory: folder("data"),
            clock: WallClock { Self.now },
            report: { _, event in events.update { $0.append(event) } })
        try opener.open(definitions ?? [Self.definition(bundle: bundle == nil ? nil : "bundle.json")])
    }

    static func definition(
        name: String = "things", bundle: String? = nil, isNameRequired: Bool = false, join: Bool = false,
        volatile: [String] = []
    ) throws -> Definition {
        var source = Source(ReadRequest(url: "https://things.example/", root: try JSONPointer("")))
        if join {
            source.join = Join(
                ReadRequest(root: try JSONPointer("")), on: .init(field: 1, pointer: try JSONPointer("/key")),
                take: [.init(field: 2, pointer: try JSONPointer("/label"))])
        }
        return Definition(
            name: name, source: source, bundle: bundle,
            fields: [
                Field(name: "id", type: .id, from: [try JSONPointer("/id")]),
                Field(
                    name: "name", type: .text, from: [try JSONPointer("/name")], isSearched: true,
                    isRequired: isNameRequired),
                Field(name: "label", type: .text, from: [try JSONPointer("/label")]),
            ],
            isArchivable: true, volatile: try volatile.map { try JSONPointer($0) })
    }

    /// The events while opening, the oldest first.
    var reported: [OpeningEvent] { events.read { $0 } }

    var view: CollectionView? { store.catalog.current()["things"] }

    /// The documents being served, in the order of ids.
    var documents: [String] {
        guard let records = view?.committed else { return [] }
        return records.rowsByID.map { row in
            let record = records.record(row)
            return String(decoding: record.snapshot.document(record.row).array, as: UTF8.self)
        }
    }

    /// Takes in a body as a refresh does; returns what it said, and whether it made a generation.
    @discardableResult
    func take(
        _ pages: String..., into name: String = "things", at now: Int64 = now, joined: JoinTable? = nil,
        limit: Int = .max, by answer: UpstreamAnswer? = nil, bounds: RecentBounds = .standard
    ) throws -> (counts: IntakeCounts, isNew: Bool) {
        try take(
            bodies: pages.map { Array($0.utf8) }, into: name, at: now, joined: joined, limit: limit, by: answer,
            bounds: bounds)
    }

    @discardableResult
    func take(
        bodies: [[UInt8]], into name: String = "things", at now: Int64 = now, joined: JoinTable? = nil,
        limit: Int = .max, by answer: UpstreamAnswer? = nil, bounds: RecentBounds = .standard
    ) throws -> (counts: IntakeCounts, isNew: Bool) {
        guard let view = store.catalog.current()[name] else { throw TestFailure("there is no such collection") }
        let row = view.condition.row
        let base = row.hasData && !row.isBundle ? view.committed : nil
        var stage = try store.database.stage(row.number, at: now, historyBytes: 1 << 20)
        if let joined { try stage.keep(joined: joined.stored) }
        let identity = SnapshotIdentity(
            epoch: store.epoch, generation: stage.generation, fileID: RandomBytes.integer() | 1,
            definitionHash: view.definition.shapeHash)
        var plan = IntakePlan(
            definition: view.definition, joined: joined, base: base, isJoinChanged: joined != nil, now: now,
            recordLimit: limit)
        plan.bounds = view.recentBounds(bounds)
        plan.pendingFiles = store.pendingFiles
        var intake = try RecordIntake(
            plan, root: JSONPointer(""), stage: stage, directory: opener.directory, identity: identity)
        do throws(IntakeError) {
            for body in bodies { try intake.read(ArrayBody(body)) }
        } catch {
            intake.abandon()
            throw error
        }
        let counts = intake.counts
        var source = view.condition.source
        source.asOf = now
        source.drift = intake.drift(after: source.drift)
        if base != nil && counts.isUnchanged {
            try store.confirm(intake, [source], by: answer)
            return (counts, false)
        }
        try store.commit(intake, [source], by: answer)
        return (counts, true)
    }

    func rows(_ sql: String) throws -> [String] {
        let database = try Database(path: store.database.path, access: .read)
        let statement = try database.prepare(sql, "look")
        var rows: [String] = []
        while try statement.step() { rows.append(statement.text(0)) }
        return rows
    }

    /// The names of the snapshot files.
    var files: [String] {
        ((try? Directory.list(opener.directory)) ?? []).filter { $0.hasSuffix(SnapshotIdentity.fileExtension) }
    }
}
