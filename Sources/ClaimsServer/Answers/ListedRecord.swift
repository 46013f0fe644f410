// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsJSON
import ClaimsModel
import ClaimsSnapshot
import ClaimsStore

/// A record as the lists of a view serve it.
struct ListedRecord: Sendable {
    /// Its row among those of the view.
    let row: Int
    /// The document as it is served, of a record that lies over the snapshot; nil where the snapshot has it.
    ///
    /// Its last member is `pending`, where the record has unsettled operations.
    private let overlaid: [UInt8]?

    /// A record of a view's snapshot.
    init(row: Int) {
        self.row = row
        overlaid = nil
    }

    /// The record of a row.
    init(row: Int, of view: CollectionView) {
        self.row = row
        guard let overlay = view.overlay, let snapshot = overlay.snapshot, let own = view.rows.overlayRow(row) else {
            overlaid = nil
            return
        }
        overlaid = PendingMember.append(overlay.pending(own)?.json, to: snapshot.document(own))
    }

    /// Its row in the view's snapshot; nil where it lies over that.
    var ownRow: Int? { overlaid == nil ? row : nil }

    /// When the record was first seen, in milliseconds since 1970.
    func firstSeen(in view: CollectionView) -> Int64? {
        view.rows.layer(of: row).map { $0.snapshot.firstSeen($0.row) }
    }

    /// Calls `body` with the document as it is served.
    ///
    /// - Parameter snapshot: that of the view.
    /// - Returns: nil where there is no such document.
    @inline(__always)
    func withDocument<Value>(of snapshot: Snapshot?, _ body: (RawSpan) -> Value) -> Value? {
        if let overlaid { return body(overlaid.rawSpan) }
        return snapshot.map { body($0.document(row)) }
    }
}

/// The member by which records tell their unsettled operations.
enum PendingMember {
    static let name = PendingState.fieldName
    /// The name in UTF-8.
    static let nameBytes = Array(name.utf8)

    /// Whether a member has that name.
    static func isNamed(_ name: RawSpan) -> Bool {
        let own = nameBytes
        return name.equals(own.rawSpan)
    }

    /// A document with the member at its end.
    ///
    /// - Parameter value: the value as JSON; nil where the record has none.
    static func append(_ value: [UInt8]?, to document: RawSpan) -> [UInt8] {
        var bytes = document.array
        guard let value, bytes.last == UInt8(ascii: "}") else { return bytes }
        bytes.removeLast()
        if bytes.last != UInt8(ascii: "{") { bytes.append(UInt8(ascii: ",")) }
        bytes += "\"\(PendingState.fieldName)\":".utf8
        bytes += value
        bytes.append(UInt8(ascii: "}"))
        return bytes
    }
}

extension CollectionView {
    /// The record of an id, as lists serve it; nil where they have none.
    ///
    /// - Parameter row: that of the id in ``snapshot``; nil where that has none.
    func listedRecord(_ id: [UInt8], over row: Int?) -> ListedRecord? {
        guard let overlay, overlay.contains(id) else { return row.map { ListedRecord(row: $0) } }
        guard let row = rows.row(forID: id.rawSpan), !rows.isUnlisted(row) else { return nil }
        return ListedRecord(row: row, of: self)
    }

    /// The record of an id, as lists serve it; nil where they have none.
    func listedRecord(_ id: [UInt8]) -> ListedRecord? { listedRecord(id, over: snapshot?.row(forID: id.rawSpan)) }
}
