// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsSnapshot

/// A record as a view serves it, with the snapshot and the row that have it.
struct ServedRecord {
    let snapshot: Snapshot
    let row: Int

    /// The object in the form of the upstream.
    var upstream: [UInt8] { snapshot.upstream(row).array }
    /// The fields that are served.
    var document: [UInt8] { snapshot.document(row).array }
    var firstSeen: Int64 { snapshot.firstSeen(row) }
    var stateKey: Int64 { snapshot.stateKey(row) }
}

extension CollectionView {
    /// The record that is served for an id; nil where there is none, or where its deletion is under way.
    func served(_ id: [UInt8]) -> ServedRecord? { served(under: id.rawSpan) }

    /// The id that a record has now: the one given, or the one that the upstream gave it later.
    public func currentID(_ id: [UInt8]) -> [UInt8] {
        if condition.aliases.isEmpty || served(id) != nil { return id }
        return condition.aliases[id] ?? id
    }

    /// The served row of an id, or of the one that the upstream gave its record later; nil where there is none.
    ///
    /// It may be one that lists leave out, because its deletion is under way.
    public func servedRow(_ id: [UInt8]) -> Int? {
        rows.row(forID: id.rawSpan) ?? condition.aliases[id].flatMap { rows.row(forID: $0.rawSpan) }
    }

    /// The record that is served for an id.
    func served(under id: RawSpan) -> ServedRecord? {
        if let layer = overlay?.snapshot, let row = layer.row(forID: id) {
            return overlay?.rows.unlisted.contains(row) == true ? nil : ServedRecord(snapshot: layer, row: row)
        }
        guard let snapshot, let row = snapshot.row(forID: id), overlay?.rows.covered.contains(row) != true else {
            return nil
        }
        return ServedRecord(snapshot: snapshot, row: row)
    }
}

extension RecordOverlay {
    /// The bytes of its objects.
    var objectBytes: Int {
        guard let snapshot else { return 0 }
        return (0..<snapshot.count).reduce(0) { $0 + snapshot.upstream($1).byteCount }
    }
}
