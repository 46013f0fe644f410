// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsJSON
import ClaimsModel
import ClaimsSnapshot
import ClaimsStore

/// A record as the lists of a view serve it.
struct ListedRecord: Sendable {
    /// Its row among the rows of the view.
    let row: Int
    /// The document as it is served, of a record that lies over the file; nil if that has it.
    ///
    /// Its last member is `pending`, if the record has unsettled operations.
    private let overlaid: [UInt8]?

    /// A record of a view's file.
    init(row: Int) {
        self.row = row
        overlaid = nil
    }

    /// The record of a row.
    init(row: Int, of view: CollectionView) {
        self.row = row
        guard row >= view.snapshot?.count ?? 0, let (snapshot, own) = view.rows.layer(of: row) else {
            overlaid = nil
            return
        }
        let pending = view.rows.overlayRow(row).flatMap { view.overlay?.pending($0) }
        overlaid = PendingMember.append(pending?.json, to: snapshot.document(own))
    }

    /// Its row in the view's file; nil if it lies over that.
    var ownRow: Int? { overlaid == nil ? row : nil }

    /// When the record was first seen, in milliseconds since 1970.
    func firstSeen(in view: CollectionView) -> Int64? {
        view.rows.layer(of: row).map { $0.snapshot.firstSeen($0.row) }
    }

    /// Calls `body` with the document as it is served.
    ///
    /// - Parameter snapshot: the file of the view.
    /// - Returns: nil if there is no such document.
    @inline(__always)
    func withDocument<Value>(of snapshot: Snapshot?, _ body: (RawSpan) -> Value) -> Value? {
        if let overlaid { return body(overlaid.rawSpan) }
        return snapshot.map { body($0.document(row)) }
    }
}

/// The member with the unsettled operations of a record.
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
    /// - Parameter value: the value as JSON; nil if the record has none.
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
    /// The record of an id, as lists serve it; nil if they have none.
    ///
    /// - Parameter row: the row of the id in ``snapshot``; nil if there is none.
    func listedRecord(_ id: [UInt8], over row: Int?) -> ListedRecord? {
        guard isOverFile(id) else { return row.map { ListedRecord(row: $0) } }
        guard let row = rows.row(forID: id.rawSpan), !rows.isUnlisted(row) else { return nil }
        return ListedRecord(row: row, of: self)
    }

    /// Whether something that lies over the file decides what is served for an id.
    func isOverFile(_ id: [UInt8]) -> Bool {
        overlay?.contains(id) == true || committed?.isOverBase(id) == true
    }

    /// The record of an id, as lists serve it; nil if they have none.
    func listedRecord(_ id: [UInt8]) -> ListedRecord? { listedRecord(id, over: snapshot?.row(forID: id.rawSpan)) }

    /// The current ids of the records with these ids, each once, in the order in which they are found first. The id of
    /// a record that a rule leaves out stays as it is.
    func currentIDs(_ texts: [String]) -> [[UInt8]] {
        var seen: Set<[UInt8]> = []
        return texts.map { text in
            let id = Array(text.utf8)
            return limit == nil || servedRow(id) != nil ? currentID(id) : id
        }.filter { seen.insert($0).inserted }
    }
}

extension JSONWriter {
    /// Writes an array of ids of records.
    mutating func array(ofIDs ids: [[UInt8]]) {
        beginArray()
        for id in ids { string(utf8: id.rawSpan) }
        endArray()
    }
}
