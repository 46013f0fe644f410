// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

public import ClaimsModel
import ClaimsPlatform
public import ClaimsSnapshot

/// Records in memory and the snapshot that was built of them, in a folder of its own.
public final class SnapshotFixture {
    public let folder: TemporaryFolder
    public let definition: Definition
    /// In the order of the rows.
    public let records: [DecodedRecord]
    public let snapshot: Snapshot

    /// Builds a snapshot of upstream objects; of those with one id the last is kept, and arrival order is as given.
    public init(
        _ objects: [String], _ definition: Definition = Shelf.definition, generation: UInt64 = 1,
        folder: TemporaryFolder? = nil
    ) throws {
        let folder = try folder ?? TemporaryFolder()
        self.folder = folder
        self.definition = definition
        let decoded = try Shelf.decode(objects, definition)
        let identity = SnapshotIdentity(
            epoch: 7, generation: generation, fileID: RandomBytes.integer(), definitionHash: definition.shapeHash)
        var writer = try SnapshotWriter(directory: folder.path, definition: definition, identity: identity)
        var last: [[UInt8]: Int] = [:]
        for record in decoded {
            let number = try Self.append(record, to: &writer)
            if let earlier = last.updateValue(number, forKey: record.id) { writer.drop(earlier) }
        }
        let size = try writer.finish()
        snapshot = try Snapshot.open(directory: folder.path, identity: identity, definition: definition)
        guard snapshot.fileSize == size else { throw TestFailure("a file of \(snapshot.fileSize) bytes, not \(size)") }
        records = last.values.map { decoded[$0] }.sorted { $0.idKey.lexicographicallyPrecedes($1.idKey) }
    }

    /// Takes over a snapshot and the records it holds.
    public init(folder: TemporaryFolder, definition: Definition, records: [DecodedRecord], snapshot: Snapshot) {
        self.folder = folder
        self.definition = definition
        self.records = records.sorted { $0.idKey.lexicographicallyPrecedes($1.idKey) }
        self.snapshot = snapshot
    }

    /// Appends a record with instants and a key that tell which it is.
    public static func append(_ record: DecodedRecord, to writer: inout SnapshotWriter) throws -> Int {
        let mark = Int64(record.upstream.count) * 1000 + Int64(record.id.count)
        return try writer.append(record, firstSeen: mark, changedAt: mark + 1, stateKey: -mark)
    }

    /// An identity for another file of the same collection.
    public func identity(generation: UInt64 = 2) -> SnapshotIdentity {
        SnapshotIdentity(
            epoch: 7, generation: generation, fileID: RandomBytes.integer(), definitionHash: definition.shapeHash)
    }
}

extension SnapshotFixture {
    /// The next generation of a collection, written by `body`, which returns the records that it holds.
    public convenience init(
        _ old: SnapshotFixture, _ body: (inout SnapshotWriter) throws -> [DecodedRecord]
    ) throws {
        let identity = old.identity()
        var writer = try SnapshotWriter(directory: old.folder.path, definition: old.definition, identity: identity)
        let records = try body(&writer)
        _ = try writer.finish()
        let snapshot = try Snapshot.open(directory: old.folder.path, identity: identity, definition: old.definition)
        self.init(folder: old.folder, definition: old.definition, records: records, snapshot: snapshot)
    }
}
