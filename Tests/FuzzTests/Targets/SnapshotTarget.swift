// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsJSON
import ClaimsModel
import ClaimsPlatform
import ClaimsQuery
import ClaimsStore

@testable import ClaimsSnapshot

/// A damaged snapshot file: it is refused, or answers whatever it is asked, rightly or not.
enum SnapshotTarget {
    private static let sound = Result { try FuzzSnapshot(FuzzCollection.records(12)) }

    private static let queries: [PageQuery] = [
        "", "water", "\"d'ivoire and\"", "title~aczk,amag note^=w", "title=water id>7", "state=lost,other",
        "state.raw~rok", "size=-100..40 or price<3.5", "seen>=2026-11-12 not due.any", "open=true link~q=1",
        "owner.none more.any", "id=7,a-3 or not title>m",
    ].enumerated().compactMap { number, filter in
        let orders = ["state,-seen", "title", "-price", "newest", "-size,open,due", "link,note", "-id", "owner"]
        guard let node = filter.isEmpty ? .all([]) : try? FilterParser.parse(filter),
            let predicate = try? node.typed(in: FuzzCollection.context),
            let order = try? SortParser.parse(orders[number % orders.count], in: FuzzCollection.definition)
        else { return nil }
        var query = PageQuery(predicate: predicate, order: order)
        query.isGrouped = number % 3 == 0
        query.facets = [number % FuzzCollection.definition.fields.count]
        query.limit = 5
        query.archived = [.exclude, .include, .only][number % 3]
        return query
    }

    static func check(_ input: [UInt8]) throws {
        let sound = try sound.get()
        let folder = try FuzzSnapshot.folder()
        defer { try? Directory.remove(folder) }
        let identity = sound.snapshot.identity
        let bytes = SnapshotDamage(input).applied(to: sound)
        let output = try FileDescriptor.open(Paths.join(folder, identity.fileName), .append(permissions: 0o600))
        try output.write(bytes)
        let snapshot: Snapshot
        do {
            snapshot = try Snapshot.open(
                directory: folder, identity: identity, definition: FuzzCollection.definition)
        } catch {
            return try FuzzFinding.unless(error.code != .io && error.code != .missing, "refused: \(error)")
        }
        try read(snapshot, sound)
        _ = try? snapshot.verify()
    }

    private static func read(_ snapshot: Snapshot, _ sound: FuzzSnapshot) throws {
        var marks: [ArchiveMarkChange] = []
        for (row, record) in sound.records.enumerated() {
            _ = snapshot.row(forID: record.id.rawSpan)
            _ = (snapshot.firstSeen(row), snapshot.changedAt(row), snapshot.stateKey(row), snapshot.isUnsupported(row))
            try FuzzFinding.unless(snapshot.document(row).byteCount <= snapshot.fileSize, "a document of more than all")
            try FuzzFinding.unless(snapshot.upstream(row).byteCount <= snapshot.fileSize, "an object of more than all")
            for field in FuzzCollection.definition.fields.indices { _ = snapshot.code(row, field: field) }
            if row % 4 == 0 { marks.append(.init(id: record.id, mark: .init(at: 1, uid: 1))) }
        }
        let archive = ArchiveOverlay.build(snapshot: snapshot, marks: marks)
        let scratch = QueryScratch()
        for var query in queries {
            for page in 0..<3 {
                let answer = try snapshot.execute(query, archive: archive.rows, scratch: scratch, budget: .unlimited)
                try FuzzFinding.unless(answer.rows.count <= query.limit, "a page of more than its limit")
                for row in answer.rows { _ = snapshot.idBytes(Int(row)) }
                guard var next = answer.next else { break }
                // Once as a cursor of the generation, once as one of another.
                if page == 1 { next.generation = 0 }
                query.after = next
            }
            _ = try snapshot.matches(query.predicate, row: 3)
        }
    }
}
