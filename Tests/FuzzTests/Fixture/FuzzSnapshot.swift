// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsJSON
import ClaimsModel
import ClaimsPlatform
import ClaimsQuery

@testable import ClaimsSnapshot

/// A sound snapshot of some of the collection's records: open, and as bytes to be damaged.
struct FuzzSnapshot: Sendable {
    let snapshot: Snapshot
    /// In the order of the rows.
    let records: [DecodedRecord]
    let bytes: [UInt8]
    let header: SnapshotHeader
    /// Where the sections lie that hold anything, by kind and id: in the file their order is by chance.
    let sections: [Range<Int>]

    init(_ records: [DecodedRecord]) throws {
        let definition = FuzzCollection.definition
        let identity = SnapshotIdentity(epoch: 1, generation: 1, fileID: 1, definitionHash: definition.shapeHash)
        self.records = records.sorted { $0.idKey.lexicographicallyPrecedes($1.idKey) }
        // The mapping outlives the file's name, so that nothing is left behind.
        let folder = try Self.folder()
        defer { try? Directory.remove(folder) }
        var writer = try SnapshotWriter(directory: folder, definition: definition, identity: identity)
        for (number, record) in records.enumerated() {
            _ = try writer.append(record, firstSeen: 1, changedAt: 2, stateKey: Int64(number))
        }
        _ = try writer.finish()
        let bytes = try Files.readAll(Paths.join(folder, identity.fileName), cap: 1 << 30)
        self.bytes = bytes
        header = try SnapshotHeader.decode(bytes.rawSpan, of: bytes.count, "read")
        snapshot = try Snapshot.open(directory: folder, identity: identity, definition: definition)
        sections = snapshot.sections.filter { $0.size > 0 }
            .sorted { ($0.kind, $0.id) < ($1.kind, $1.id) }
            .map { $0.offset..<$0.offset + $0.size }
    }

    /// A new folder, in memory where there is such a place.
    static func folder() throws -> String {
        try Directory.temporary(in: Files.isDirectory("/dev/shm") ? "/dev/shm" : "/tmp", prefix: "claims-fuzz")
    }
}
