// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsJSON
import ClaimsModel
import ClaimsPlatform
import ClaimsSnapshot
import ClaimsTestSupport

@testable import ClaimsStore

/// A store in a folder of its own with one collection, `things`.
struct StoreFixture {
    static let now: Int64 = 1_800_000_000_000

    let folder: TemporaryFolder
    let store: StateStore
    let definition: Definition

    init(
        _ folder: TemporaryFolder? = nil, url: String? = "https://things.example/", cache: TemporaryFolder? = nil
    ) throws {
        let folder = try folder ?? TemporaryFolder()
        self.folder = folder
        definition = try Self.definition(url: url)
        store = try StateStore(directory: folder.path, cache: cache?.path)
        let loaded = try store.database.load(names: [definition.name])
        let collection = loaded.collections[definition.name]
        let condition = CollectionCondition(
            row: collection?.row ?? CollectionRow(number: 1, name: definition.name),
            source: collection?.source ?? SourceRow())
        let view = CollectionView(
            definition: definition, snapshot: nil,
            archive: .build(snapshot: nil, marks: collection?.marks ?? []), condition: condition)
        store.catalog.publish(Catalog(revision: store.catalog.current().revision, views: [view]))
    }

    static func definition(url: String? = nil) throws -> Definition {
        let root = try JSONPointer("")
        return Definition(
            name: "things", source: Source(ReadRequest(url: url, root: root)),
            fields: [
                Field(name: "id", type: .id, from: [try JSONPointer("/id")]),
                Field(name: "name", type: .text, from: [try JSONPointer("/name")], isSearched: true),
            ],
            isArchivable: true)
    }

    var view: CollectionView? { store.catalog.current()[definition.name] }

    /// Begins a generation.
    func stage(historyBytes: Int = 1 << 20, at now: Int64 = Self.now) throws -> GenerationStage {
        try store.database.stage(1, at: now, historyBytes: historyBytes)
    }

    /// Makes a generation of records of these ids, each new.
    func commit(_ ids: [String], source: SourceRow = SourceRow()) throws {
        var stage = try stage()
        for id in ids {
            _ = try stage.add(
                id: Array(id.utf8).rawSpan, upstream: Array("{\"id\":\"\(id)\"}".utf8).rawSpan,
                firstSeen: Self.now, changedAt: Self.now)
        }
        try store.generations.commit(
            &stage, GenerationCommit(.file(snapshot(ids, stage.generation)), sources: [source]))
    }

    func snapshot(_ ids: [String], _ generation: UInt64) throws -> Snapshot {
        let identity = SnapshotIdentity(
            epoch: store.epoch, generation: generation, fileID: RandomBytes.integer() | 1,
            definitionHash: definition.shapeHash)
        var writer = try SnapshotWriter(directory: folder.path, definition: definition, identity: identity)
        var decoder = RecordDecoder(definition: definition)
        var tape = JSONTape()
        var record = DecodedRecord()
        for (index, id) in ids.enumerated() {
            var json = JSONWriter()
            json.beginObject()
            json.member("id", id)
            json.endObject()
            _ = try tape.parse(json.bytes.rawSpan, from: 0, depth: 8)
            guard case .accepted = decoder.decode(tape, json.bytes.rawSpan, into: &record) else { continue }
            _ = try writer.append(
                record, firstSeen: Self.now, changedAt: Self.now,
                stateKey: StateSchema.firstKey(of: 1) + Int64(index) + 1)
        }
        _ = try writer.finish()
        return try Snapshot.open(directory: folder.path, identity: identity, definition: definition)
    }

    /// Archives, or brings back, and waits for it.
    @discardableResult
    func archive(
        _ ids: [String], _ isArchiving: Bool = true, at time: Int64 = Self.now
    ) throws -> ArchiveChange.Outcome {
        let answer = Monitor<Result<ArchiveChange.Outcome, StoreError>?>(nil)
        let change = ArchiveChange(
            collection: definition.name, ids: ids.map { Array($0.utf8) }, isArchiving: isArchiving, uid: 1000,
            at: time)
        store.archive(change) { result in answer.update { $0 = result } }
        guard let result = answer.wait({ $0 }) else { throw StoreError(.closed, "wait") }
        return try result.get()
    }

    /// Trims the log.
    func trim(oldest: Int64 = 0, changes: Int = .max, bytes: Int = .max) throws {
        try store.trimLog(of: definition.name, RetentionLimits(oldest: oldest, changes: changes, bytes: bytes))
    }
}
